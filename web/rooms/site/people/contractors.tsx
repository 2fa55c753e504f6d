import { useEffect, useState } from 'react'
import { usePlace } from '../../../base/go.tsx'
import { Button, FlagButton, HoldButton } from '../../../base/kit/button.tsx'
import { toast, toastFault } from '../../../base/kit/note.tsx'
import { Listing } from '../../../base/records/listing.tsx'
import type { Column } from '../../../base/records/types.ts'
import { useHere } from '../../../base/site.tsx'
import { type Contractor, changeContractor, deleteContractor, useContractorsWhole, useOversight } from './data.ts'
import { ContractorWindow } from './parts/contractor-window.tsx'
import { Logo, LogoPick } from './parts/logo.tsx'
import { OversightTree } from './parts/oversight-tree.tsx'
import { OversightWindow } from './parts/oversight-window.tsx'
import { t } from './says.ts'
import './people.css'

const NONE: readonly Contractor[] = []

/** Contractors on the site, their oversight of each other, and those that have left. */
export default function Contractors() {
  const here = useHere()
  const [place] = usePlace()
  const [open, setOpen] = useState<Contractor | 'new' | null>(null)
  const [overseer, setOverseer] = useState<Contractor | null>(null)
  const contractors = useContractorsWhole(here.site_id)
  const pairs = useOversight(here.site_id)
  useEffect(() => {
    document.title = `${t('people.contractors')} · ${here.name}`
  }, [here.name])
  const add = here.canChange('contractor_edit') && (
    <Button look="primary" onClick={() => setOpen('new')}>
      {t('contractor.new')}
    </Button>
  )
  return (
    <div className="stack people-page">
      <h1>{t('people.contractors')}</h1>
      <Listing
        label={t('people.contractors')}
        query={contractors}
        rows={(contractors.data ?? []).filter(contractor => place.left === '1' || contractor.status === 'active')}
        idOf={contractor => contractor.id}
        nameOf={contractor => contractor.name}
        columns={columnsOf(id => (pairs.data ?? []).filter(pair => pair.overseer_id === id).map(pair => pair.subordinate_name))}
        isPast={contractor => contractor.status === 'left'}
        search={{
          label: t('contractor.find'),
          texts: contractor => [contractor.name, contractor.short_name, ...contractor.aliases, ...contractor.trades],
        }}
        filters={[{ name: 'left', kind: 'tick', label: t('contractor.left_too') }]}
        count={n => t('contractor.count', { n })}
        csv={t('people.contractors')}
        actions={add}
        empty={{ says: t('contractor.none'), action: add || undefined }}
        actionsOf={contractor => (
          <Actions contractor={contractor} onEdit={() => setOpen(contractor)} onOversee={() => setOverseer(contractor)} />
        )}
        bulk={
          here.canChange('contractor_manage')
            ? [
                {
                  label: t('contractor.leave'),
                  flagOf: contractor => contractor.permissions.edit,
                  act: async contractor => {
                    if (contractor.status === 'active') await changeContractor(contractor, { status: 'left' })
                  },
                },
              ]
            : []
        }
      />
      <OversightTree contractors={contractors.data ?? NONE} />
      {open !== null && <ContractorWindow contractor={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
      {overseer !== null && <OversightWindow contractor={overseer} onClose={() => setOverseer(null)} />}
    </div>
  )
}

const columnsOf = (subordinatesOf: (id: string) => readonly string[]): Column<Contractor>[] => [
  {
    key: 'name',
    head: t('contractor.name'),
    text: contractor => contractor.name,
    cell: contractor => (
      <span className="row tight-row named">
        <Logo contractor={contractor} />
        <span className="strong">{contractor.name}</span>
        {contractor.is_main && <span className="badge act">{t('contractor.main')}</span>}
        {contractor.status === 'left' && <span className="badge soft">{t('contractor.is_left')}</span>}
      </span>
    ),
  },
  {
    key: 'trades',
    head: t('contractor.trades'),
    text: contractor => contractor.trades.join(', '),
    cell: contractor => contractor.trades.join(' · '),
  },
  {
    key: 'engages',
    head: t('contractor.oversight'),
    text: contractor => subordinatesOf(contractor.id).join(', '),
    cell: contractor => {
      const names = subordinatesOf(contractor.id)
      return names.length === 0 ? null : t('contractor.oversees', { names: names.join(', ') })
    },
  },
  {
    key: 'members',
    head: t('people.members'),
    text: contractor => contractor.counts?.members,
    cell: contractor => contractor.counts?.members,
  },
  {
    key: 'permits',
    head: t('contractor.permits'),
    text: contractor => contractor.counts?.live_permits,
    cell: contractor => contractor.counts?.live_permits,
  },
]

function Actions({ contractor, onEdit, onOversee }: { contractor: Contractor; onEdit(): void; onOversee(): void }) {
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
    <>
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
    </>
  )
}
