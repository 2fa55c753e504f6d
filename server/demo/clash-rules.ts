// The clash rules of the demo site: two rules that the site adapted, one of its own, what a clash means for the work, and a second profile for a weekend.
import type { Cell, Cells } from '../../shared/conflicts/rules.ts'
import { fieldsIn, itemsIn, textIn } from '../../shared/narrow.ts'
import type { Id } from '../base/ids.ts'
import type { Row } from './reply.ts'

type Call = (by: string, method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown) => Promise<Row>

/** The cells of the site's own permit type. */
export const TEMPORARY_WORKS: Cells = {
  ...{ 'TW|EXC': 'red', 'EXC|TW': 'red', 'TW|CRO': 'red', 'CRO|TW': 'red', 'TW|LIFT': 'red', 'LIFT|TW': 'red' },
  ...{ 'TW|*': 'amber', '*|TW': 'amber' },
}
const FAR: Cell = { outcome: 'red', distance_m: 15, levels: { mode: 'within', max_gap: 2 } }
/** The cells that were made stricter after a near miss. */
export const NEAR_MISS: Cells = { 'HW|WAH': FAR, 'WAH|HW': FAR }

const rulesOf = async (call: Call, query: string): Promise<(key: string) => string> => {
  const rows = itemsIn((await call('hal', 'GET', `/clash-rules?${query}`)).rows).map(fieldsIn)
  return key => textIn(rows.find(row => row.system_key === key)?.id)
}

/** Adapts the standard rules when the site is set up: the site’s own permit types get cells. */
export async function adaptRules(call: Call, site_id: Id): Promise<void> {
  const rule = await rulesOf(call, `site_id=${site_id}`)
  await call('hal', 'PATCH', `/clash-rules/${rule('permit_proximity')}`, {
    outcome: { cells: TEMPORARY_WORKS },
    change_note: 'Temporary works are our own permit type. Nothing is dug or lifted next to props while they are loaded or struck.',
  })
}

/** Changes the rules again after what happened since, sets a consequence, and prepares a profile for the shutdown. `erectors`: the smart group of Northgate’s gangs. */
export async function reviseRules(call: Call, site_id: Id, erectors: Id): Promise<void> {
  const rule = await rulesOf(call, `site_id=${site_id}`)
  await call('hal', 'PATCH', `/clash-rules/${rule('permit_proximity')}`, {
    outcome: { cells: NEAR_MISS },
    change_note: 'Near miss at stair 1: sparks fell two levels onto a scaffold.',
  })
  await call('max', 'PATCH', `/clash-rules/${rule('gate_congestion')}`, {
    description: 'Two deliveries within 25 m of each other, each with 20 minutes before and after it.',
    when: { within_m: 25 },
    time_buffer_minutes: 20,
    change_note: 'Gate 1 has no room for a second lorry to wait.',
  })
  await call('hal', 'POST', '/clash-rules', {
    site_id,
    name: 'Gangs near telehandlers',
    description: 'The haul road is narrow at Block C. Northgate’s gangs unload their steel with the telehandler.',
    ...{ a: { kinds: ['worker'] }, b: { kinds: ['plant'] }, outcome: { severity: 'amber' } },
    when: {
      all: [
        { field: 'b.plant_category', op: 'eq', value: 'telehandler' },
        { field: 'a.group_ids', op: 'disjoint', value: [erectors] },
        { within_m: 6 },
        { contractor_relation: 'different' },
      ],
    },
  })
  await call('hal', 'PUT', '/clash-consequences', {
    site_id,
    clash_rule_id: rule('gate_congestion'),
    ...{ effect: 'slows', affected: 'later', task_lead_hours: 24, blocker_category: 'materials', loss_share_percent: 30 },
    instruction: 'The second lorry waits at the lay-by on Wharf Road until the gate calls.',
  })
  const [active] = itemsIn((await call('hal', 'GET', `/rule-profiles?site_id=${site_id}`)).rows).map(fieldsIn)
  const copy = await call('hal', 'POST', `/rule-profiles/${textIn(active?.id)}/clone`, { name: 'Shutdown weekend' })
  await call('hal', 'PATCH', `/rule-profiles/${copy.id}`, {
    description: 'For the weekend when the energy centre is shut down and all trades work in it.',
  })
  const own = await rulesOf(call, `site_id=${site_id}&profile_id=${copy.id}`)
  for (const key of ['trade_stacking', 'one_above_other'])
    await call('hal', 'PATCH', `/clash-rules/${own(key)}`, { enabled: true, change_note: 'Many gangs are in the same rooms that weekend.' })
}
