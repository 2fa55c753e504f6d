import { usePlace } from '../../../../base/go.tsx'
import { Button, FlagButton, HoldButton } from '../../../../base/kit/button.tsx'
import { toast, toastFault } from '../../../../base/kit/note.tsx'
import { usePeople } from '../../../../base/people.ts'
import { Listing } from '../../../../base/records/listing.tsx'
import type { Column } from '../../../../base/records/types.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { drop, type PermitSet, reResolve, useSets } from '../data.ts'
import { unusedIn } from '../model.ts'
import { t } from '../says.ts'

/** The only place to choose a file is above the list. */
const chooseFile = () => {
  const chooser = document.querySelector<HTMLInputElement>('.drop input[type=file]')
  chooser?.focus()
  chooser?.click()
}

/** Imported registers, newest first. `chooses`: a file can be chosen above. */
export function Sets({ chooses }: { chooses: boolean }) {
  const here = useHere()
  const [place] = usePlace()
  const sets = useSets(here.site_id, place.archived === '1')
  const names = usePeople((sets.data ?? []).map(set => set.created_by))
  return (
    <section className="stack" aria-label={t('import.sets')}>
      <h2>{t('import.sets')}</h2>
      <Listing
        label={t('import.sets')}
        query={sets}
        rows={sets.data ?? []}
        idOf={set => set.id}
        nameOf={set => set.filename}
        columns={columnsOf(here.zone, set => names(set.created_by) ?? t('common.unknown_person'))}
        isPast={set => set.archived_at !== null}
        filters={[{ name: 'archived', kind: 'tick', label: t('import.show_archived') }]}
        csv={t('import.sets')}
        empty={{
          says: t('import.no_sets'),
          action: chooses && here.canChange('contractor_manage') && <Button onClick={chooseFile}>{t('import.choose')}</Button>,
        }}
        actionsOf={set => <Actions set={set} />}
        bulk={
          here.canChange('contractor_manage')
            ? [{ label: t('import.archive'), flagOf: set => set.permissions.archive, act: set => drop(set, true) }]
            : []
        }
      />
    </section>
  )
}

const columnsOf = (zone: string, whoOf: (set: PermitSet) => string): Column<PermitSet>[] => [
  {
    key: 'file',
    head: t('import.file'),
    text: set => set.filename,
    cell: set => (
      <span className="row tight-row">
        <span className="strong">{set.filename}</span>
        {set.archived_at !== null && <span className="badge soft">{t('import.archived')}</span>}
      </span>
    ),
  },
  {
    key: 'by',
    head: t('import.by_head'),
    text: set => `${set.created_at} ${whoOf(set)}`,
    cell: set => t('import.by', { when: momentOf(set.created_at, zone), who: whoOf(set) }),
  },
  { key: 'permits', head: t('nav.group.permits'), text: set => set.permits, cell: set => set.permits },
  {
    key: 'rows',
    head: t('import.rows'),
    text: set => set.rows_read,
    cell: set => (
      <span className="soft small">
        {t('import.set_counts', {
          read: set.rows_read,
          new: set.rows_new,
          changed: set.rows_updated - set.rows_unchanged,
          same: set.rows_unchanged,
          refused: set.rows_refused,
        })}
        {unusedIn(set) > 0 && t('import.set_unused', { n: unusedIn(set) })}
      </span>
    ),
  },
]

function Actions({ set }: { set: PermitSet }) {
  const name = set.filename
  const then = async (work: () => Promise<string>) => {
    try {
      toast(await work())
    } catch (error) {
      toastFault(error)
    }
  }
  return (
    <>
      <FlagButton
        flag={set.permissions.re_resolve}
        explained={false}
        aria-label={t('import.again_one', { name })}
        onClick={() =>
          void then(async () => {
            const { checked, resolved } = await reResolve(set)
            return checked === 0 ? t('import.resolved_none') : t('import.resolved', { checked, resolved })
          })
        }
      >
        {t('import.again')}
      </FlagButton>
      {set.archived_at === null && (
        <FlagButton
          flag={set.permissions.archive}
          explained={false}
          aria-label={t('import.archive_one', { name })}
          onClick={() => void then(() => drop(set, true).then(() => t('import.was_archived', { name })))}
        >
          {t('import.archive')}
        </FlagButton>
      )}
      {set.permissions.delete.allowed && (
        <HoldButton
          look="danger"
          aria-label={t('import.delete_one', { name })}
          aria-description={t('import.delete_says')}
          onHeld={() => void then(() => drop(set, false).then(() => t('import.was_deleted', { name })))}
        >
          {t('common.delete')}
        </HoldButton>
      )}
    </>
  )
}
