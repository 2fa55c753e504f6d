// Buried services near a permit, in words (`map.md` §9). Records alone don't prove where a service is (HSG47). Pure.
import { listed } from '../../../../../shared/text.ts'

/** The category of permits for excavation and breaking ground. */
export const GROUND_WORKS = 'EXC'
/** Services up to this distance from the work are shown. */
export const SERVICES_WITHIN_M = 5

/** A buried service near a permit. */
export type ServiceNear = {
  layer_id: string
  label: string
  utility: string | null
  quality_level: string | null
  /** Found only from records or a site visit. */
  unproven: boolean
  distance_m: number
  /** How far its position can be off because of its grid. */
  accuracy_m: number | null
}

const UTILITY: Record<string, string> = {
  water: 'water',
  gas: 'gas',
  electric_hv: 'high-voltage electricity',
  electric_lv: 'low-voltage electricity',
  telecoms: 'telecoms',
  foul: 'foul sewer',
  surface_water: 'surface water',
  heat: 'heat',
  fuel: 'fuel',
}

const metres = (distance_m: number) => (distance_m === 0 ? 'on the work area' : `${distance_m.toFixed(1)} m away`)

function spoken({ label, utility, quality_level, unproven, distance_m, accuracy_m }: ServiceNear): string {
  const what = `${UTILITY[utility ?? ''] ?? 'service of an unknown kind'} “${label.slice(0, 60)}”, ${metres(distance_m)}`
  const off = accuracy_m === null ? '' : `, position accurate to about ${accuracy_m} m`
  return `${what} (${quality_level ?? 'no quality level'}${off}${unproven ? '; records only: expose before digging' : ''})`
}

const LISTED = 6

/** Describes the services near a permit; null if there are none. */
export function servicesSaid(services: readonly ServiceNear[]): { detail: string; ids: string[] } | null {
  if (services.length === 0) return null
  const many = services.length === 1 ? 'A buried service is' : `${services.length} buried services are`
  return {
    detail: `${many} within ${SERVICES_WITHIN_M} m of the work: ${listed(services.map(spoken), LISTED)}.`,
    ids: [...new Set(services.map(service => service.layer_id))],
  }
}
