// The gangs that were here recently, as chips: one tap chooses a gang, the next puts it on the map.
import { useQuery } from '@tanstack/react-query'
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { ask, client } from '../../../../base/api.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, Skeleton, toast } from '../../../../base/kit/note.tsx'
import { useTheme } from '../../../../base/looks.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere, useMe } from '../../../../base/site.tsx'
import { clockOf } from '../../../../base/time.ts'
import type { Frame, Spot } from '../model.ts'
import { whereAmI } from '../parts/boundary-ways.tsx'
import type { Floor } from '../scene.ts'
import { addWorker } from '../tokens-data.ts'
import { type Gang, gangPlace, recentGangs, shiftFor } from './gangs.ts'
import { t } from './says.ts'
import type { Trace } from './trace.ts'

type Given = { map: MapLibre | null; frame: Frame; floor: Floor; now: number; onDone(): void }

const DAYS = 14
const DAY_MS = 86_400_000
const NO_RINGS = () => []

/** The workers of the last two weeks. */
const useRecent = (site_id: string, now: number) => {
  const to = new Date(Math.ceil(now / DAY_MS) * DAY_MS).toISOString()
  const from = new Date(Date.parse(to) - DAYS * DAY_MS).toISOString()
  return useQuery({
    queryKey: ['tokens', 'recent', site_id, from],
    queryFn: () => ask(client.GET('/workers', { params: { query: { site_id, from, to, limit: 500 } } })),
  })
}

/** Chooses a gang, and puts it where the person taps, at the cross, or where they stand. */
export function GangTray({ map, frame, floor, now, onDone }: Given) {
  const { site_id, zone, canChange } = useHere()
  const theme = useTheme()
  const { data: me } = useMe()
  const recent = useRecent(site_id, now)
  const [gang, setGang] = useState<Gang | null>(null)
  const { busy, fault, send } = useSend()
  const trace = useRef<Trace | null>(null)
  const own = me?.memberships.find(one => one.site_id === site_id)?.contractor_id ?? ''
  const put = async (of: Gang, spot: Spot) => {
    const { name, trade, headcount, contractor_id, activity } = of
    const times = shiftFor(of, now, zone)
    const done = await send(() =>
      addWorker({ site_id, name, trade, headcount, contractor_id, activity, ...times, place: gangPlace(spot, floor, frame) }, null),
    )
    if (!done) return
    toast(t('gang.put', { name, until: clockOf(times.end_at, zone) }))
    setGang(null)
  }
  const putting = useRef(put)
  putting.current = put
  useEffect(() => {
    if (map === null || gang === null) return
    let over = false
    void import('./trace.ts').then(({ beginTrace }) => {
      if (over) return
      const onSpots = ([spot]: readonly Spot[]) => spot !== undefined && void putting.current(gang, spot)
      trace.current = beginTrace(map, { theme, start: [], rings: NO_RINGS, onSpots })
    })
    return () => {
      over = true
      if (map.getCanvas().isConnected) trace.current?.stop()
      trace.current = null
    }
  }, [map, theme, gang])
  const choose = (next: Gang | null) => {
    setGang(next)
    // On a phone the map may be above the screen, and that is where the person taps next.
    if (next !== null) map?.getContainer().scrollIntoView({ block: 'nearest' })
  }
  const stand = async (of: Gang) => {
    try {
      const { spot } = await whereAmI()
      await put(of, spot)
    } catch {
      toast(t('find.no_position'), { stop: true })
    }
  }
  const gangs = recentGangs(recent.data ?? [], canChange('map_entity_edit_any') ? null : own)
  return (
    <section className="panel stack" data-unsaved aria-label={t('gang.title')}>
      <h2>{t('gang.title')}</h2>
      <p className="small">{t(gang === null ? 'gang.choose' : 'gang.how', { name: gang?.name ?? '' })}</p>
      {recent.isPending && <Skeleton rows={1} />}
      {recent.error !== null && <FaultNote error={recent.error} onRetry={() => void recent.refetch()} />}
      {recent.data !== undefined && gangs.length === 0 && <p className="soft">{t('gang.none')}</p>}
      {gang !== null && (
        <div className="trace-bar row">
          <Button look="primary" aria-busy={busy} onClick={() => trace.current?.add()}>
            {t('gang.at_cross')}
          </Button>
          <Button aria-busy={busy} onClick={() => void stand(gang)}>
            <Glyph name="pin" size={16} />
            {t('token.here')}
          </Button>
        </div>
      )}
      {fault !== null && <FaultNote error={fault} />}
      <ul className="row gang-tray">
        {gangs.map(one => (
          <li key={one.id}>
            <button
              type="button"
              className="btn"
              aria-pressed={one.id === gang?.id}
              onClick={() => choose(one.id === gang?.id ? null : one)}
            >
              <span className="swatch" style={one.colour === null ? undefined : { background: one.colour }} aria-hidden />
              <bdi>{one.name}</bdi>
              <span className="soft small"> {t('gang.people', { n: one.headcount, trade: one.trade })}</span>
            </button>
          </li>
        ))}
      </ul>
      <Button onClick={onDone}>{t('common.close')}</Button>
    </section>
  )
}
