// The cuts of a feature as plain data.
import type { Schemas } from '../../../../base/api.ts'
import type { Feature, Frame } from '../model.ts'
import type { Token } from '../tokens.ts'
import type { Area } from './areas.ts'

/** What is cut: an active area, or a feature of the frame. */
export type CutTarget = { id: string; name: string; version: number; repeats: boolean }

/** Returns what a cut needs to know of a feature or an active area. */
export const targetOf = (of: Area | Feature): CutTarget => ({
  id: of.id,
  name: of.name,
  version: of.version,
  repeats: 'schedule_group_id' in of && of.schedule_group_id !== null,
})

/** A cut as the list shows it: its last step, and why a person should look at it. */
export type CutRow = {
  id: string
  applied: boolean
  at: string
  by: string | null
  taken_m2: number
  reason: Schemas['PendingGeometryCut']['reason'] | null
}

type Step = Pick<Schemas['GeometryCutStep'], 'step' | 'history_id' | 'at' | 'by_name' | 'area_before_m2' | 'area_after_m2'>
type Pending = Pick<Schemas['PendingGeometryCut'], 'history_id' | 'reason'>

/** Lists the cuts of a feature, the newest first, from their steps. */
export function cutsIn(steps: readonly Step[], pending: readonly Pending[]): CutRow[] {
  const rows = new Map<string, CutRow>()
  for (const step of steps) {
    if (step.history_id === null) continue
    const known = rows.get(step.history_id)
    // Steps come newest first: the first one of a cut says how it is now, and its cut how much it took out.
    if (known === undefined)
      rows.set(step.history_id, {
        ...{ id: step.history_id, applied: step.step !== 'undo', at: step.at, by: step.by_name, taken_m2: 0 },
        reason: pending.find(one => one.history_id === step.history_id)?.reason ?? null,
      })
    const row = rows.get(step.history_id)
    if (row !== undefined && (step.step === 'cut' || step.step === 'reapply') && row.taken_m2 === 0)
      row.taken_m2 = Math.max(0, step.area_before_m2 - step.area_after_m2)
  }
  return [...rows.values()]
}

/** Lists what can be cut out of something: what is on the map, by name. */
export const cuttersFor = (
  target: CutTarget,
  frame: Frame,
  areas: readonly Area[],
  tokens: readonly Token[],
): { id: string; name: string }[] =>
  [...frame.values(), ...areas, ...tokens.filter(({ token }) => token === 'plant')]
    .filter(({ id }) => id !== target.id)
    .map(({ id, name }) => ({ id, name }))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
