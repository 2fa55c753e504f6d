// The map as a list: the same permits, the same frame, the same selection; for people who can't see it, and for people who prefer to read.
import { useMemo } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { paths } from '../../../../base/paths.ts'
import { type CardPermit, PermitCard } from '../../../permits/permits/door.tsx'
import { ownCode } from '../looks.ts'
import { buildingOf, type Feature, type Frame } from '../model.ts'
import { t, tOf } from '../says.ts'

/** Returns the name of a feature. */
const calledOf = (feature: Feature): string => [ownCode(feature), feature.name].filter(part => part !== null).join(' ')

/** The name of a feature, with its own direction: a number next to it stays there. */
export const Called = ({ feature }: { feature: Pick<Feature, 'code' | 'name'> }) => {
  const code = ownCode(feature)
  return (
    <>
      {code !== null && <bdi>{code}</bdi>} <bdi>{feature.name}</bdi>
    </>
  )
}

/** Returns the kind of a feature. */
export const whatOf = (feature: Feature): string =>
  feature.kind === 'zone' ? `${t('kind.zone')} · ${tOf('zone_type', feature.zone_type ?? 'other')}` : tOf('kind', feature.kind)

type PermitsGiven = {
  site_id: string
  zone: string
  now: number
  permits: readonly CardPermit[]
  frame: Frame
  chosen: string | null
  onChoose(id: string): void
}

/** Permits grouped by place. */
export function PermitList({ site_id, zone, now, permits, frame, chosen, onChoose }: PermitsGiven) {
  const groups = useMemo(() => {
    const by = Map.groupBy(permits, ({ place }) => {
      if (place === null) return 'nowhere'
      return buildingOf(place, frame) ?? place.zone_id ?? 'ground'
    })
    const name = (key: string, feature: Feature | undefined) =>
      key === 'nowhere' ? t('map.nowhere') : feature === undefined ? t('request.ground') : calledOf(feature)
    return [...by]
      .map(([key, rows]) => ({ key, rows, feature: frame.get(key), name: name(key, frame.get(key)) }))
      .sort((a, b) => Number(a.key === 'nowhere') - Number(b.key === 'nowhere') || a.name.localeCompare(b.name))
  }, [permits, frame])
  if (permits.length === 0) return <p className="soft">{t('map.no_permits')}</p>
  return (
    <div className="stack">
      {groups.map(group => (
        <section key={group.key} className="stack tight" aria-label={group.name}>
          <h3>
            {group.feature === undefined ? group.name : <Called feature={group.feature} />}{' '}
            <span className="soft small">{t('map.permits_count', { n: group.rows.length })}</span>
          </h3>
          <ul className="stack tight">
            {group.rows.map(permit => (
              <li key={permit.id} className={permit.id === chosen ? 'chosen' : undefined} aria-current={permit.id === chosen || undefined}>
                <PermitCard
                  permit={permit}
                  zone={zone}
                  now={now}
                  link={<Go to={paths.permit(site_id, permit.id)}>{permit.title ?? t('permit.untitled')}</Go>}
                >
                  {group.key !== 'nowhere' && (
                    <span className="acts">
                      <Button look="quiet" aria-pressed={permit.id === chosen} onClick={() => onChoose(permit.id)}>
                        <Glyph name="pin" size={16} />
                        {t('map.show')}
                        <span className="unseen"> {permit.permit_number ?? permit.title}</span>
                      </Button>
                    </span>
                  )}
                </PermitCard>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Areas, buildings and zones; a tap selects one. */
export function FrameList({ frame, chosen, onChoose }: { frame: Frame; chosen: string | null; onChoose(feature: Feature): void }) {
  const rows = useMemo(() => {
    const order = ['area', 'building', 'zone']
    return [...frame.values()].sort(
      (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.code ?? a.name).localeCompare(b.code ?? b.name),
    )
  }, [frame])
  return (
    <ul className="frame-list">
      {rows.map(feature => (
        <li key={feature.id}>
          <button type="button" className="frame-row" aria-pressed={feature.id === chosen} onClick={() => onChoose(feature)}>
            <span className={`swatch zone-${feature.kind === 'zone' ? (feature.zone_type ?? 'other') : feature.kind}`} aria-hidden />
            <span className="grow cut two-lines">
              <Called feature={feature} />
            </span>
            <span className="soft small">{whatOf(feature)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
