import './clashes.css'
import { useEffect, useState } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { useKeys } from '../../../base/keys.ts'
import { Choices } from '../../../base/kit/field.tsx'
import { Note, toast } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { Listing } from '../../../base/records/listing.tsx'
import { useHere } from '../../../base/site.tsx'
import { DAYS, useSettled, useSummary, useUnresolved } from './data.ts'
import { flagFor, type Kind, MOST } from './decisions.ts'
import { BulkBar, focusedIn } from './parts/bulk-bar.tsx'
import { DecisionWindow } from './parts/decision-window.tsx'
import { Row } from './parts/row.tsx'
import { pairOf } from './parts/sides.tsx'
import { t } from './says.ts'
import { called } from './sides.ts'
import type { Episode } from './types.ts'

type Deciding = { episodes: readonly Episode[]; kind: Kind }
const NOBODY: ReadonlySet<string> = new Set()

/** The clashes that someone has to settle: each with what it means for the work, and with what can be decided about it or about several at once. */
export default function Clashes() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const [deciding, setDeciding] = useState<Deciding | null>(null)
  const [ids, setIds] = useState(NOBODY)
  const settled = place.show === 'settled'
  const [unresolved, decided] = [useUnresolved(here.site_id, !settled), useSettled(here.site_id, settled)]
  const found = settled ? decided : unresolved
  useEffect(() => {
    document.title = `${t('clashes.title')} · ${here.name}`
  }, [here.name])
  // A task or a notification leads to one of them: it comes first.
  const isMeant = (one: Episode) => Number(one.id === place.episode || one.blocker_ids.some(id => id === place.blocker))
  const rows = (found.data ?? []).filter(one => place.red !== '1' || one.severity === 'red').toSorted((a, b) => isMeant(b) - isMeant(a))
  const begin = (episodes: readonly Episode[], kind: Kind) => {
    const [first, ...more] = episodes
    if (first === undefined) return
    const { allowed, because } = flagFor(first, kind)
    if (more.length === 0 && !allowed) return toast(because.map(one => one.detail).join(' '), { stop: true })
    setDeciding({ episodes: episodes.slice(0, MOST), kind })
  }
  const none = () => setIds(NOBODY)
  // Settled clashes are decided about one by one.
  const press = (kind: Kind) => begin(focusedIn(rows), kind)
  useKeys(settled ? { a: () => press('accepted'), n: () => press('not_a_clash'), r: () => press('resolving') } : {})
  const decidedOn = deciding?.episodes ?? []
  return (
    <div className="stack">
      <h1>{t('clashes.title')}</h1>
      <p className="soft">{t('clashes.says', { days: DAYS })}</p>
      <Unplaced />
      <Choices
        label={t('clashes.show')}
        hidden
        options={[
          { value: 'open', label: t('clashes.show.open') },
          { value: 'settled', label: t('clashes.show.settled') },
        ]}
        value={settled ? 'settled' : 'open'}
        onChoose={value => {
          none()
          setPlace({ show: value === 'settled' ? value : undefined })
        }}
      />
      <Listing<Episode>
        label={t(settled ? 'clashes.show.settled' : 'clashes.title')}
        query={found}
        rows={rows}
        idOf={one => one.id}
        nameOf={pairOf}
        row={one => <Row episode={one} onDecide={kind => begin([one], kind)} />}
        flush
        search={{ label: t('clashes.find'), texts: one => [one.rule_name, called(one.a), called(one.b)] }}
        filters={[{ name: 'red', kind: 'tick', label: t('clashes.red') }]}
        count={n => t(settled ? 'clashes.count_settled' : 'clashes.count', { n })}
        actions={
          <Go className="btn quiet" to={paths.clashRules(here.site_id)}>
            {t('clashes.rules')}
          </Go>
        }
        empty={{ says: settled ? t('clashes.empty_settled') : t('clashes.empty', { days: DAYS }) }}
        {...(settled
          ? {}
          : {
              selection: {
                ids,
                set: setIds,
                bar: shown => <BulkBar ids={ids} shown={shown} onChoose={setIds} onDecide={begin} />,
              },
            })}
      />
      {rows.length > 0 && <p className="soft small clash-keys">{t(settled ? 'clashes.keys_settled' : 'clashes.keys')}</p>}
      {deciding !== null && (
        <DecisionWindow
          {...deciding}
          now={found.data ?? []}
          onTake={episodes => {
            if (decidedOn.length > 1) setIds(new Set(episodes.map(one => one.id)))
            setDeciding(episodes.length === 0 ? null : { ...deciding, episodes })
          }}
          onDone={() => {
            setIds(new Set([...ids].filter(id => decidedOn.every(one => one.id !== id))))
            setDeciding(null)
          }}
          onClose={() => setDeciding(null)}
        />
      )}
    </div>
  )
}

/** Permits that can’t be checked, because they have no place: an empty list doesn’t speak for them. */
function Unplaced() {
  const { site_id } = useHere()
  const unplaced = useSummary(site_id)?.unplaced_permits ?? []
  if (unplaced.length === 0) return null
  return (
    <Note kind="warn" title={t('clashes.unplaced', { n: unplaced.length })}>
      <ul className="row">
        {unplaced.map(one => (
          <li key={one.permit_id}>
            <Go to={paths.permit(site_id, one.permit_id)} className="mono">
              {one.permit_number ?? t('permit.draft_number')}
            </Go>
          </li>
        ))}
      </ul>
    </Note>
  )
}
