import '../map.css'
import './emergency.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { FaultNote, Note, PageWait, Stale } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { usePrinting } from '../../../../base/printing.ts'
import { useHere } from '../../../../base/site.tsx'
import { stampOf } from '../../../../base/time.ts'
import { useWide } from '../../../../base/wide.ts'
import { pointsQuery, useBoundary, useFrameAt, useNames, useSite } from '../data.ts'
import { addressOf } from '../finding.ts'
import type { Frame } from '../model.ts'
import { dialOf, SignMark, Where, wordsOf } from '../parts/points.tsx'
import { t, tOf } from '../says.ts'
import type { Poi } from '../signs.ts'
import { useMinutes } from '../start.ts'
import { drawingOf, type Listed, lackingOf, listedOf, PHONE_WIDTH, WIDTH } from './drawing.ts'
import { PlanPicture } from './picture.tsx'

const NO_POINTS: readonly Poi[] = []

/** The emergency plan of a site as a page to print: its map, and every point that helps in an emergency. */
export default function EmergencyPlan() {
  const { site_id, name, zone } = useHere()
  const clock = useMinutes()
  const asked = useQuery(pointsQuery(site_id, null))
  const { frame, ...frameAsked } = useFrameAt(site_id, null)
  const boundary = useBoundary(site_id)
  const { label } = useNames(site_id)
  const site = useSite(site_id)
  useEffect(() => {
    document.title = `${t('emergency.title')} · ${name}`
  }, [name])
  const points = asked.data ?? NO_POINTS
  const listed = useMemo(() => listedOf(points), [points])
  const wide = useWide(600)
  const width = usePrinting() === null && !wide ? PHONE_WIDTH : WIDTH
  const drawing = useMemo(() => drawingOf(boundary.ground, frame, listed, label, width), [boundary.ground, frame, listed, label, width])
  if (asked.data === undefined || frameAsked.data === undefined)
    return <PageWait title={t('emergency.title')} query={asked.data === undefined ? asked : frameAsked} />
  const address = addressOf(site.data)
  const lacking = lackingOf(points)
  return (
    <article className="emergency stack">
      <header className="stack tight">
        <span className="screen-only">
          <Go to={paths.map(site_id)}>{t('emergency.back')}</Go>
        </span>
        <p className="strong">{name}</p>
        <h1>{t('emergency.title')}</h1>
        {address !== '' && <p>{address}</p>}
        <p className="soft small">{t('emergency.at', { time: stampOf(new Date(asked.dataUpdatedAt).toISOString(), zone), zone })}</p>
        <div className="row screen-only">
          <Button look="primary" onClick={() => window.print()}>
            {t('emergency.print')}
          </Button>
        </div>
      </header>
      {asked.error !== null && <Stale at={asked.dataUpdatedAt} zone={zone} />}
      {boundary.error !== null && <FaultNote error={boundary.error} />}
      {lacking.length > 0 && (
        <Note kind="warn" title={t('emergency.lacking')}>
          <ul>
            {lacking.map(kind => (
              <li key={kind}>{tOf('poi_kind', kind)}</li>
            ))}
          </ul>
        </Note>
      )}
      {drawing !== null && <PlanPicture drawing={drawing} />}
      {listed.map(one => (
        <Kind key={one.kind} listed={one} frame={frame} />
      ))}
      <p className="print-only small">{t('emergency.printed', { time: stampOf(new Date(clock).toISOString(), zone) })}</p>
    </article>
  )
}

/** The points of one kind, with the number of its safety sign. */
function Kind({ listed: { kind, rows }, frame }: { listed: Listed; frame: Frame }) {
  const sign = rows[0]?.point.iso_7010 ?? null
  return (
    <section className="stack tight">
      <h2 className="emergency-kind">
        <SignMark kind={kind} />
        {tOf('poi_kind', kind)} {sign !== null && <span className="soft mono small">{sign}</span>}
      </h2>
      <ol className="plain emergency-list">
        {rows.map(({ n, point }) => (
          <li key={point.id}>
            <span className="number">{n}</span>
            <bdi className="strong">{point.name}</bdi>
            <span className="small">
              <Where point={point} frame={frame} /> <span className="mono emergency-spot">{spokenOf(point)}</span>
            </span>
            <span className="small">
              {point.phone !== null && <a href={dialOf(point.phone)}>{point.phone}</a>}
              {point.what3words !== null && <span className="mono"> {wordsOf(point.what3words)}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Returns the coordinates of a point, as an emergency service takes them. */
const spokenOf = ({ place: { point } }: Poi): string => (point == null ? '' : `${point.lat.toFixed(5)}, ${point.lon.toFixed(5)}`)
