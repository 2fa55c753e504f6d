import { useDeferredValue, useEffect, useState } from 'react'
import { usePlace } from '../../base/go.tsx'
import { Button, FlagButton, HoldButton } from '../../base/kit/button.tsx'
import { Tick } from '../../base/kit/field.tsx'
import { Empty, FaultNote, Skeleton, toast, toastFault } from '../../base/kit/note.tsx'
import { useHere } from '../../base/site.tsx'
import { t } from '../../base/words.ts'
import { changeFirm, deleteFirm, type Firm, useFirmsWhole, useOversight } from './data.ts'
import { narrowed } from './model.ts'
import { FirmWindow } from './parts/firm-window.tsx'
import { Logo, LogoPick } from './parts/logo.tsx'
import { OversightWindow } from './parts/oversight-window.tsx'
import { PeopleTabs } from './parts/tabs.tsx'
import './people.css'

/** Contractors on the site, their oversight of each other, and those that have left. */
export default function Contractors() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const [typed, setTyped] = useState(place.q ?? '')
  const [open, setOpen] = useState<Firm | 'new' | null>(null)
  const [overseer, setOverseer] = useState<Firm | null>(null)
  const firms = useFirmsWhole(here.site_id)
  const pairs = useOversight(here.site_id)
  const late = useDeferredValue(typed)
  useEffect(() => {
    document.title = `${t('people.contractors')} · ${here.name}`
  }, [here.name])
  const shown = (firms.data ?? []).filter(firm => place.left === '1' || firm.status === 'active')
  const rows = narrowed(shown, late, firm => [firm.name, firm.short_name, ...firm.aliases, ...firm.trades])
  const add = here.can('contractor_edit') && (
    <Button look="primary" onClick={() => setOpen('new')}>
      {t('firm.new')}
    </Button>
  )
  return (
    <div className="stack people-page">
      <h1>{t('nav.people')}</h1>
      <PeopleTabs part="contractors" />
      <div className="row spread">
        <div className="row">
          <input
            type="search"
            className="input finder"
            aria-label={t('firm.find')}
            placeholder={t('firm.find')}
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
          <Tick
            label={t('firm.left_too')}
            checked={place.left === '1'}
            onChange={event => setPlace({ left: event.target.checked ? '1' : undefined })}
          />
        </div>
        {add}
      </div>
      {firms.isPending && <Skeleton rows={4} />}
      {firms.error !== null && <FaultNote error={firms.error} onRetry={() => void firms.refetch()} />}
      {firms.data !== undefined && rows.length === 0 && (
        <Empty action={add || undefined}>{t(typed === '' ? 'firm.none' : 'firm.none_found')}</Empty>
      )}
      <ul className="lines" aria-label={t('people.contractors')}>
        {rows.map(firm => (
          <FirmLine
            key={firm.id}
            firm={firm}
            oversees={(pairs.data ?? []).filter(pair => pair.overseer_id === firm.id).map(pair => pair.subordinate_name)}
            onEdit={() => setOpen(firm)}
            onOversee={() => setOverseer(firm)}
          />
        ))}
      </ul>
      {open !== null && <FirmWindow firm={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
      {overseer !== null && <OversightWindow firm={overseer} onClose={() => setOverseer(null)} />}
    </div>
  )
}

type LineGiven = { firm: Firm; oversees: readonly string[]; onEdit(): void; onOversee(): void }

function FirmLine({ firm, oversees, onEdit, onOversee }: LineGiven) {
  const { name } = firm
  const left = firm.status === 'left'
  const turn = async () => {
    try {
      const { still_here } = await changeFirm(firm, { status: left ? 'active' : 'left' })
      if (left) toast(t('firm.came_back', { name }))
      else if (still_here !== undefined && still_here.open_permits + still_here.members > 0)
        toast(t('firm.still_here', { name, permits: still_here.open_permits, members: still_here.members }))
      else toast(t('firm.has_left', { name }))
    } catch (error) {
      toastFault(error)
    }
  }
  return (
    <li className={left ? 'past' : ''}>
      <Logo firm={firm} />
      <span className="stack tight grow">
        <span className="row">
          <span className="strong">{name}</span>
          {firm.is_main && <span className="badge act">{t('firm.main')}</span>}
          {left && <span className="badge soft">{t('firm.is_left')}</span>}
        </span>
        <span className="soft small">
          {[
            ...firm.trades,
            firm.counts === undefined
              ? null
              : `${t('firm.members', { n: firm.counts.members })}, ${t('firm.permits', { n: firm.counts.live_permits })}`,
          ]
            .filter(part => part !== null)
            .join(' · ')}
        </span>
        {oversees.length > 0 && <span className="soft small">{t('firm.oversees', { names: oversees.join(', ') })}</span>}
      </span>
      <span className="row">
        <FlagButton flag={firm.permissions.edit} told={false} aria-label={t('firm.edit', { name })} onClick={onEdit}>
          {t('common.edit')}
        </FlagButton>
        {firm.permissions.oversee.allowed && (
          <Button look="quiet" aria-label={t('firm.oversight_of', { name })} onClick={onOversee}>
            {t('firm.oversight')}
          </Button>
        )}
        {firm.permissions.edit.allowed && (
          <>
            <LogoPick firm={firm} />
            <Button look="quiet" aria-label={t(left ? 'firm.bring_back_one' : 'firm.leave_one', { name })} onClick={() => void turn()}>
              {t(left ? 'firm.bring_back' : 'firm.leave')}
            </Button>
          </>
        )}
        {left && firm.permissions.delete.allowed && (
          <HoldButton
            look="danger"
            aria-label={t('firm.delete_one', { name })}
            onHeld={() =>
              void deleteFirm(firm)
                .then(() => toast(t('firm.was_deleted', { name })))
                .catch(toastFault)
            }
          >
            {t('common.delete')}
          </HoldButton>
        )}
      </span>
    </li>
  )
}
