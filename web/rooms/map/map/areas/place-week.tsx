// What is planned in a zone or a building in a week: a strip for each active area, gang, machine and delivery (`map.md` §2).
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dateOn, instant, mondayOf, plusDays } from '../../../../../shared/time.ts'
import { ask, client } from '../../../../base/api.ts'
import { usePlace } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Wait } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { dayOf, momentOf, windowOf } from '../../../../base/time.ts'
import { boxOf, type Feature, groundOf } from '../model.ts'
import { isRunning } from '../tokens.ts'
import { t } from './says.ts'
import { type Bar, edgesOf, isThere, type Planned, rowsIn, shareOf, type WeekRow } from './week.ts'

/** How many things of a kind are read. */
const MOST = 1000

type Read = { planned: Planned[]; whole: boolean }

/** Reads what is planned at a place between two instants. */
async function plannedAt(site_id: string, feature: Feature, from: string, to: string): Promise<Read> {
  const query = { site_id, from, to, limit: MOST, bbox: boxOf([groundOf(feature)])?.join(',') ?? '' }
  const [areas, workers, plant, deliveries] = await Promise.all([
    ask(client.GET('/active-areas', { params: { query } })),
    ask(client.GET('/workers', { params: { query } })),
    ask(client.GET('/plant', { params: { query } })),
    ask(client.GET('/deliveries', { params: { query } })),
  ])
  const there = ({ place }: { place: Parameters<typeof isThere>[1] }) => isThere(feature, place)
  const planned = [
    ...areas.filter(there).map(one => ({ ...one, kind: 'active_area' as const })),
    ...workers.filter(there).map(one => ({ ...one, kind: 'worker' as const })),
    ...plant.filter(there).map(one => ({ ...one, kind: 'plant' as const })),
    ...deliveries
      .filter(one => one.status !== 'cancelled' && there(one))
      .map(one => ({ ...one, kind: 'delivery' as const, schedule_group_id: null })),
  ]
  return { planned, whole: [areas, workers, plant, deliveries].every(({ length }) => length < MOST) }
}

type RowGiven = { row: WeekRow; colour: string | undefined; now: number; onShow(bar: Bar): void }

/** Something with the time when it is there next, or was last; a tap shows it on the map then. */
function Row({ row: { kind, name, bars }, colour, now, onShow }: RowGiven) {
  const { zone } = useHere()
  const next = bars.find(({ end_at }) => end_at === null || Date.parse(end_at) > now) ?? bars.at(-1)
  if (next === undefined) return null
  const { start_at, end_at } = next
  return (
    <li>
      <button type="button" className="frame-row week-row" onClick={() => onShow(next)}>
        <span className="row spread">
          <span className="grow">
            {colour !== undefined && <span className="swatch" style={{ background: colour }} aria-hidden />} <bdi>{name}</bdi>
          </span>
          <span className="soft small">{t(`week.${kind}`)}</span>
        </span>
        <span className="week-track" aria-hidden>
          {bars.map(({ id, left, width }) => (
            <span key={id} className="week-bar" style={{ left: `${left * 100}%`, width: `${width * 100}%` }} />
          ))}
        </span>
        <span className="small mono">
          {end_at === null ? t('week.from', { time: momentOf(start_at, zone) }) : windowOf(start_at, end_at, zone)}
          {bars.length > 1 && <span className="soft"> {t('week.more', { n: bars.length - 1 })}</span>}
        </span>
      </button>
    </li>
  )
}

/** The week of a zone or a building. `at`: the time that the map shows. */
export default function PlaceWeek({ feature, at, onClose }: { feature: Feature; at: number; onClose(): void }) {
  const { site_id, zone } = useHere()
  const [, setPlace] = usePlace()
  const [monday, setMonday] = useState(() => mondayOf(dateOn(zone, instant(at))))
  const [now] = useState(() => Date.now())
  const edges = edgesOf(zone, monday)
  const [from = '', to = ''] = [edges[0], edges.at(-1)]
  const asked = useQuery({
    queryKey: ['tokens', 'place-week', site_id, feature.id, monday],
    queryFn: () => plannedAt(site_id, feature, from, to),
  })
  const { data: contractors } = useContractors(site_id, 'all')
  const rows = rowsIn(asked.data?.planned ?? [], edges)
  const today = shareOf(instant(now), edges)
  const turn = (days: number) => () => setMonday(plusDays(monday, days))
  const last = edges.at(-2) ?? from
  return (
    <Window side title={t('week.title', { name: feature.name })} onClose={onClose}>
      <div className="row spread">
        <Button look="quiet" square aria-label={t('week.before')} onClick={turn(-7)}>
          <Glyph name="back" />
        </Button>
        <span aria-live="polite">{t('week.days', { from: dayOf(from, zone), to: dayOf(last, zone) })}</span>
        <Button look="quiet" square aria-label={t('week.after')} onClick={turn(7)}>
          <Glyph name="next" />
        </Button>
      </div>
      {asked.data === undefined ? (
        <Wait query={asked} rows={3} height={64} />
      ) : rows.length === 0 ? (
        <p className="soft">{t('week.none')}</p>
      ) : (
        <>
          <div className="week-days small soft" aria-hidden>
            {edges.slice(0, -1).map(edge => (
              <span key={edge}>{dayOf(edge, zone).split(' ')[0]}</span>
            ))}
            {today > 0 && today < 1 && <span className="week-now" style={{ left: `${today * 100}%` }} />}
          </div>
          <ul className="frame-list">
            {rows.map(row => (
              <Row
                key={row.key}
                row={row}
                colour={contractors?.find(one => one.id === row.contractor_id)?.colour}
                now={now}
                onShow={bar => {
                  setPlace({ chosen: bar.id, at: isRunning(bar, now) ? undefined : bar.start_at })
                  onClose()
                }}
              />
            ))}
          </ul>
        </>
      )}
      {asked.data?.whole === false && <p className="soft small">{t('week.cut', { n: MOST })}</p>}
    </Window>
  )
}
