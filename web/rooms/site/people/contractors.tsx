import { useDeferredValue, useEffect, useState } from 'react'
import { usePlace } from '../../../base/go.tsx'
import { Button, FlagButton, HoldButton } from '../../../base/kit/button.tsx'
import { Tick } from '../../../base/kit/field.tsx'
import { Empty, FaultNote, Skeleton, toast, toastFault } from '../../../base/kit/note.tsx'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { type Contractor, changeContractor, deleteContractor, useContractorsWhole, useOversight } from './data.ts'
import { narrowed } from './model.ts'
import { ContractorWindow } from './parts/contractor-window.tsx'
import { Logo, LogoPick } from './parts/logo.tsx'
import { OversightWindow } from './parts/oversight-window.tsx'
import './people.css'

/** Contractors on the site, their oversight of each other, and those that have left. */
export default function Contractors() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const [typed, setTyped] = useState(place.q ?? '')
  const [open, setOpen] = useState<Contractor | 'new' | null>(null)
  const [overseer, setOverseer] = useState<Contractor | null>(null)
  const contractors = useContractorsWhole(here.site_id)
  const pairs = useOversight(here.site_id)
  const late = useDeferredValue(typed)
  useEffect(() => {
    document.title = `${t('people.contractors')} · ${here.name}`
  }, [here.name])
  const shown = (contractors.data ?? []).filter(contractor => place.left === '1' || contractor.status === 'active')
  const rows = narrowed(shown, late, contractor => [contractor.name, contractor.short_name, ...contractor.aliases, ...contractor.trades])
  const add = here.can('contractor_edit') && (
    <Button look="primary" onClick={() => setOpen('new')}>
      {t('contractor.new')}
    </Button>
  )
  return (
    <div className="stack people-page">
      <h1>{t('people.contractors')}</h1>
      <div className="row spread">
        <div className="row">
          <input
            type="search"
            className="input finder"
            aria-label={t('contractor.find')}
            placeholder={t('contractor.find')}
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
          <Tick
            label={t('contractor.left_too')}
            checked={place.left === '1'}
            onChange={event => setPlace({ left: event.target.checked ? '1' : undefined })}
          />
        </div>
        {add}
      </div>
      {contractors.isPending && <Skeleton rows={4} />}
      {contractors.error !== null && <FaultNote error={contractors.error} onRetry={() => void contractors.refetch()} />}
      {contractors.data !== undefined && rows.length === 0 && (
        <Empty action={add || undefined}>{t(typed === '' ? 'contractor.none' : 'contractor.none_found')}</Empty>
      )}
      <ul className="lines" aria-label={t('people.contractors')}>
        {rows.map(contractor => (
          <ContractorLine
            key={contractor.id}
            contractor={contractor}
            oversees={(pairs.data ?? []).filter(pair => pair.overseer_id === contractor.id).map(pair => pair.subordinate_name)}
            onEdit={() => setOpen(contractor)}
            onOversee={() => setOverseer(contractor)}
          />
        ))}
      </ul>
      {open !== null && <ContractorWindow contractor={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
      {overseer !== null && <OversightWindow contractor={overseer} onClose={() => setOverseer(null)} />}
    </div>
  )
}

type LineGiven = { contractor: Contractor; oversees: readonly string[]; onEdit(): void; onOversee(): void }

function ContractorLine({ contractor, oversees, onEdit, onOversee }: LineGiven) {
  const { name } = contractor
  const left = contractor.status === 'left'
  const turn = async () => {
    try {
      const { still_here } = await changeContractor(contractor, { status: left ? 'active' : 'left' })
      if (left) toast(t('contractor.came_back', { name }))
      else if (still_here !== undefined && still_here.open_permits + still_here.members > 0)
        toast(t('contractor.still_here', { name, permits: still_here.open_permits, members: still_here.members }))
      else toast(t('contractor.has_left', { name }))
    } catch (error) {
      toastFault(error)
    }
  }
  return (
    <li className={left ? 'past' : ''}>
      <Logo contractor={contractor} />
      <span className="stack tight grow">
        <span className="row">
          <span className="strong">{name}</span>
          {contractor.is_main && <span className="badge act">{t('contractor.main')}</span>}
          {left && <span className="badge soft">{t('contractor.is_left')}</span>}
        </span>
        <span className="soft small">
          {[
            ...contractor.trades,
            contractor.counts === undefined
              ? null
              : `${t('contractor.members', { n: contractor.counts.members })}, ${t('contractor.permits', { n: contractor.counts.live_permits })}`,
          ]
            .filter(part => part !== null)
            .join(' · ')}
        </span>
        {oversees.length > 0 && <span className="soft small">{t('contractor.oversees', { names: oversees.join(', ') })}</span>}
      </span>
      <span className="row">
        <FlagButton flag={contractor.permissions.edit} explained={false} aria-label={t('contractor.edit', { name })} onClick={onEdit}>
          {t('common.edit')}
        </FlagButton>
        {contractor.permissions.oversee.allowed && (
          <Button look="quiet" aria-label={t('contractor.oversight_of', { name })} onClick={onOversee}>
            {t('contractor.oversight')}
          </Button>
        )}
        {contractor.permissions.edit.allowed && (
          <>
            <LogoPick contractor={contractor} />
            <Button
              look="quiet"
              aria-label={t(left ? 'contractor.bring_back_one' : 'contractor.leave_one', { name })}
              onClick={() => void turn()}
            >
              {t(left ? 'contractor.bring_back' : 'contractor.leave')}
            </Button>
          </>
        )}
        {left && contractor.permissions.delete.allowed && (
          <HoldButton
            look="danger"
            aria-label={t('contractor.delete_one', { name })}
            onHeld={() =>
              void deleteContractor(contractor)
                .then(() => toast(t('contractor.was_deleted', { name })))
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
