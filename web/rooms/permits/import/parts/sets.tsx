import { usePlace } from '../../../../base/go.tsx'
import { Button, FlagButton, HoldButton } from '../../../../base/kit/button.tsx'
import { Tick } from '../../../../base/kit/field.tsx'
import { Empty, FaultNote, Skeleton, toast, toastFault } from '../../../../base/kit/note.tsx'
import { usePeople } from '../../../../base/people.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { drop, type PermitSet, reResolve, useSets } from '../data.ts'

/** Imported registers, newest first. */
export function Sets() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const sets = useSets(here.site_id, place.archived === '1')
  const names = usePeople((sets.data ?? []).map(set => set.created_by))
  return (
    <section className="stack" aria-label={t('import.sets')}>
      <div className="row spread">
        <h2>{t('import.sets')}</h2>
        <Tick
          label={t('import.show_archived')}
          checked={place.archived === '1'}
          onChange={event => setPlace({ archived: event.target.checked ? '1' : undefined })}
        />
      </div>
      {sets.isPending && <Skeleton rows={2} />}
      {sets.error !== null && <FaultNote error={sets.error} onRetry={() => void sets.refetch()} />}
      {sets.data?.length === 0 && (
        <Empty
          action={
            <Button
              onClick={() => {
                // The only place to choose a file is above.
                const chooser = document.querySelector<HTMLInputElement>('.drop input[type=file]')
                chooser?.focus()
                chooser?.click()
              }}
            >
              {t('import.choose')}
            </Button>
          }
        >
          {t('import.no_sets')}
        </Empty>
      )}
      <ul className="lines">
        {(sets.data ?? []).map(set => (
          <SetLine key={set.id} set={set} who={names(set.created_by) ?? t('common.unknown_person')} />
        ))}
      </ul>
    </section>
  )
}

function SetLine({ set, who }: { set: PermitSet; who: string }) {
  const { zone } = useHere()
  const name = set.filename
  const then = async (work: () => Promise<string>) => {
    try {
      toast(await work())
    } catch (error) {
      toastFault(error)
    }
  }
  return (
    <li className={set.archived_at === null ? '' : 'past'}>
      <div className="stack tight grow">
        <span className="row">
          <span className="strong">{name}</span>
          {set.archived_at !== null && <span className="badge soft">{t('import.archived')}</span>}
        </span>
        <span className="soft small">
          {t('import.by', { when: momentOf(set.created_at, zone), who })} · {t('import.set_permits', { n: set.permits })}
        </span>
        <span className="soft small">
          {t('import.set_counts', {
            read: set.rows_read,
            new: set.rows_new,
            changed: set.rows_updated - set.rows_unchanged,
            same: set.rows_unchanged,
            refused: set.rows_refused,
          })}
        </span>
      </div>
      <span className="row">
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
      </span>
    </li>
  )
}
