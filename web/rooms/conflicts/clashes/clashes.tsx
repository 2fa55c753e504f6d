import './clashes.css'
import { useEffect, useState } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { useKeys } from '../../../base/keys.ts'
import { Choices } from '../../../base/kit/field.tsx'
import { toast } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import type { Filter } from '../../../base/records/filters.tsx'
import { Listing } from '../../../base/records/listing.tsx'
import { useHere } from '../../../base/site.tsx'
import { DAYS, useClashOfBlocker, useSettled, useStill, useSummary, useUnresolved } from './data.ts'
import { flagFor, type Kind, MOST } from './decisions.ts'
import { BulkBar, focusedIn } from './parts/bulk-bar.tsx'
import { DecisionWindow } from './parts/decision-window.tsx'
import { Row } from './parts/row.tsx'

import { Unplaced } from './parts/unplaced.tsx'
import { t } from './says.ts'
import { calledInFull, pairOf } from './sides.ts'
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
  const red = place.red === '1'
  const { rule } = place
  const open = useUnresolved(here.site_id, { red, rule, whole: place.q !== undefined, enabled: !settled })
  const decided = useSettled(here.site_id, settled)
  const found = settled ? decided : open
  const decidedOn = deciding?.episodes ?? []
  const { listed, now } = useListed(here.site_id, open, decidedOn)
  const summary = useSummary(here.site_id)
  useEffect(() => {
    document.title = `${t('clashes.title')} · ${here.name}`
  }, [here.name])
  // A task or a notification leads to one of them: it comes first.
  const isMeant = (one: Episode) => Number(one.id === place.episode || one.blocker_ids.some(id => id === place.blocker))
  const all = settled ? (decided.data ?? []) : listed
  const isShown = (one: Episode) => (!red || one.severity === 'red') && (rule === undefined || one.rule_id === rule)
  const rows = all.filter(isShown).toSorted((a, b) => isMeant(b) - isMeant(a))
  const unplaced = summary?.unplaced_permits ?? []
  const counts = rule === undefined ? summary : summary?.by_rule.find(one => one.rule_id === rule)
  const total = counts === undefined ? undefined : counts.red + (red ? 0 : counts.amber)
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
  return (
    <div className="stack">
      <h1>{t('clashes.title')}</h1>
      <p className="soft">{t('clashes.says', { days: DAYS })}</p>
      <Unplaced permits={unplaced} />
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
        search={{ label: t('clashes.find'), texts: one => [one.rule_name, calledInFull(one.a), calledInFull(one.b)] }}
        filters={[...rulesOf(settled ? all : (summary?.by_rule ?? []), rule), { name: 'red', kind: 'tick', label: t('clashes.red') }]}
        count={n => t(settled ? 'clashes.count_settled' : 'clashes.count', { n })}
        actions={
          <Go className="btn quiet" to={paths.clashRules(here.site_id)}>
            {t('clashes.rules')}
          </Go>
        }
        {...(settled
          ? {}
          : {
              more: {
                ...{ has: open.hasNextPage, busy: open.isFetchingNextPage, load: () => void open.fetchNextPage() },
                says:
                  total === undefined || total < open.rows.length
                    ? undefined
                    : t('clashes.count_of', { shown: open.rows.length, n: total }),
              },
            })}
        empty={
          settled
            ? {
                says: t('clashes.empty_settled'),
                action: (
                  <Go className="btn" to={paths.clashes(here.site_id)}>
                    {t('clashes.title')}
                  </Go>
                ),
              }
            : {
                says:
                  unplaced.length > 0
                    ? t('clashes.empty_known', { days: DAYS })
                    : `${t('clashes.empty', { days: DAYS })} ${t('clashes.found')}`,
                action: here.can('map_view') ? (
                  <Go className="btn" to={paths.map(here.site_id)}>
                    {t('clashes.map')}
                  </Go>
                ) : undefined,
              }
        }
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
          now={settled ? all : now}
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

/** The filter by rule, if clashes of several are listed, or if one is chosen: that one is in it even when none of its clashes is left. */
function rulesOf(found: readonly { rule_id: string; rule_name: string }[], chosen: string | undefined): Filter[] {
  const names = new Map(found.map(one => [one.rule_id, one.rule_name]))
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, t('clashes.this_rule'))
  if (names.size < 2 && chosen === undefined) return []
  const options = [...names].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label))
  return [{ name: 'rule', kind: 'select', label: t('clashes.rule'), options }]
}

/**
 * The clashes to settle that were read, with the one that a task or a notification leads to, and these together with what is decided about: while there are more pages, those can
 * be further down.
 */
function useListed(site_id: string, open: ReturnType<typeof useUnresolved>, decidedOn: readonly Episode[]) {
  const [place] = usePlace()
  const { rows, hasNextPage } = open
  const isListed = (id: string) => rows.some(one => one.id === id)
  const blocked = rows.some(one => one.blocker_ids.some(id => id === place.blocker))
  const blocker = useClashOfBlocker(site_id, hasNextPage && !blocked ? place.blocker : undefined)
  const meant = [place.episode, blocker].flatMap(id => id ?? [])
  const asked = hasNextPage ? [...new Set([...meant, ...decidedOn.map(one => one.id)])].filter(id => !isListed(id)) : []
  const still = useStill(site_id, asked)
  const unread = decidedOn.filter(one => asked.includes(one.id) && !still.read.has(one.id))
  return {
    listed: [...still.rows.filter(one => meant.includes(one.id)), ...rows],
    now: [...rows, ...still.rows, ...unread],
  }
}
