// The panel over the map when something on it is selected.
import { type ReactNode, useEffect, useRef } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { type CardPermit, PermitCard } from '../../../permits/permits/door.tsx'
import { buildingOf, type Feature, type Frame } from '../model.ts'
import { t } from '../says.ts'
import { useEscape } from './escape.ts'
import { Called, whatOf } from './place-list.tsx'

/** Where the list next to the map is: what is selected there opens the panel. */
const LIST = '.map-list'

/**
 * A panel with a title; Escape closes it. It is far from the list for those who use a keyboard or a screen reader: what opens it in the list gives it the focus,
 * and gets the focus again.
 */
export function Around({ label, onClose, children }: { label: ReactNode; onClose(): void; children: ReactNode }) {
  const head = useRef<HTMLHeadingElement>(null)
  const opener = useRef<HTMLElement | null>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = () => {
      onClose()
      opener.current?.focus({ preventScroll: true })
    }
  })
  useEffect(() => {
    const active = document.activeElement
    if (!(active instanceof HTMLElement) || active.closest(LIST) === null) return
    opener.current = active
    head.current?.focus({ preventScroll: true })
  }, [])
  const panel = useRef<HTMLDivElement>(null)
  useEscape(panel, () => close.current())
  return (
    <div ref={panel} className="floating">
      <header className="row spread">
        <h2 ref={head} tabIndex={-1}>
          {label}
        </h2>
        <Button look="quiet" square aria-label={t('common.close')} onClick={() => close.current()}>
          <Glyph name="close" size={16} />
        </Button>
      </header>
      {children}
    </div>
  )
}

type MarkGiven = {
  permits: readonly CardPermit[]
  site_id: string
  zone: string
  now: number
  /** Puts a gang on the map for a permit; null for people who can't, and at another time than now. */
  onGang?: ((permit: CardPermit) => void) | null
  onClose(): void
}

/** The permits behind one marker, as cards. */
export function MarkNote({ permits, site_id, zone, now, onGang = null, onClose }: MarkGiven) {
  return (
    <Around label={t('map.permits_count', { n: permits.length })} onClose={onClose}>
      <div className="stack tight floating-cards">
        {permits.map(permit => (
          <PermitCard
            key={permit.id}
            permit={permit}
            zone={zone}
            now={now}
            link={<Go to={paths.permit(site_id, permit.id)}>{permit.title ?? t('permit.untitled')}</Go>}
          >
            {onGang !== null && permit.status === 'issued' && (
              <span className="acts">
                <Button look="quiet" onClick={() => onGang(permit)}>
                  <Glyph name="people" size={16} />
                  {t('seed.put')}
                </Button>
              </span>
            )}
          </PermitCard>
        ))}
      </div>
    </Around>
  )
}

type FeatureGiven = { feature: Feature; frame: Frame; permits: readonly CardPermit[]; onClose(): void; children?: ReactNode }

/** A summary of an area, a building or a zone. */
export function FeatureNote({ feature, frame, permits, onClose, children }: FeatureGiven) {
  const inside = permits.filter(
    ({ place }) => place !== null && (place.zone_id === feature.id || buildingOf(place, frame) === feature.id),
  ).length
  const { data: contractors } = useContractors(useHere().site_id, 'all')
  const holder = contractors?.find(contractor => contractor.id === feature.contractor_id)
  return (
    <Around label={<Called feature={feature} />} onClose={onClose}>
      <p className="small">
        {whatOf(feature)}
        <span className="soft"> · {t('map.area_size', { n: Math.round(feature.area_m2) })}</span>
      </p>
      {holder !== undefined && (
        <p className="small">
          <span className="swatch" style={{ background: holder.colour }} aria-hidden /> {t('map.held_by', { contractor: holder.name })}
        </p>
      )}
      {feature.aliases.length > 0 && <p className="small soft">{t('map.also_called', { names: feature.aliases.join(', ') })}</p>}
      {feature.kind !== 'area' && <p className="small">{t('map.permits_count', { n: inside })}</p>}
      {children}
    </Around>
  )
}
