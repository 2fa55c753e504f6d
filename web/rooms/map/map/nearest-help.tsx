import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { Schemas } from '../../../base/api.ts'
import { FaultNote } from '../../../base/kit/note.tsx'
import { useHere } from '../../../base/site.tsx'
import { pointsQuery, useFrameAt } from './data.ts'
import { buildingOf, levelsOf, spotOf } from './model.ts'
import { HELP, nearestOf } from './nearest.ts'
import { t, tOf } from './says.ts'

/** Says where the nearest first aid, fire point and assembly point are from a place, at an instant; null: now. Nothing for a place that isn't on the map. */
export default function NearestHelp({ place, at }: { place: Schemas['Place']; at: string | null }) {
  const { site_id } = useHere()
  const { frame } = useFrameAt(site_id, at)
  const points = useQuery(pointsQuery(site_id, at))
  const spot = spotOf(place, frame)
  if (points.error !== null && points.data === undefined) return <FaultNote error={points.error} />
  if (spot === null || points.data === undefined) return null
  const work = { spot, building: buildingOf(place, frame), levels: levelsOf(place, frame) }
  return (
    <>
      <h3>{t('help.title')}</h3>
      <dl className="facts">
        {HELP.map(kind => {
          const found = nearestOf(kind, points.data, work)
          return (
            <Fragment key={kind}>
              <dt>{tOf('poi_kind', kind)}</dt>
              <dd>
                {found === null ? (
                  <span className="soft">{t('help.none')}</span>
                ) : (
                  <>
                    <bdi>{found.point.name}</bdi> <span className="soft small">{t('help.metres', { n: Math.round(found.metres) })}</span>
                  </>
                )}
              </dd>
            </Fragment>
          )
        })}
      </dl>
    </>
  )
}
