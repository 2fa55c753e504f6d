// What the author of a permit workflow should know about it, although it doesn't stop it from being published (`permits-decisions.md` §3). The service and the editor use the same.
import { capitalized } from '../text.ts'
import { neverTaken, standsFrom } from './flaws.ts'
import type { Graph, Transition } from './graph.ts'
import { effective, PERMIT_SORTS, readsOf, sortsOf } from './permit-sorts.ts'

/** The actor that the engine requires for each action, whatever a graph says (`permits-decisions.md` §3). */
const KEPT_ACTORS: Readonly<Record<string, string>> = {
  submit: 'requestor',
  withdraw: 'requestor',
  endorse: 'stage1_band',
  approve: 'stage2_band',
  reject: 'acting_gate',
  request_corrections: 'acting_gate',
  issue: 'appointed_issuer',
  countersign: 'named_receiver',
  hand_back: 'receiver_or_stage2',
  close_out: 'closer',
  reissue: 'reissuer',
  request_extension: 'extension_asker',
  approve_extension: 'stage2_band',
  reject_extension: 'stage2_band',
  expire: 'clock',
}

/** Returns the actor that the engine requires for a step: before the work has begun, a hand-back means that the walk-down failed. */
const keptActor = ({ action, from }: Transition): string | undefined =>
  action === 'hand_back' && from === 'approved' ? 'walk_down_party' : KEPT_ACTORS[action]

/** Returns the key of an actor, a check or an action as words: `No open children`. */
export const labelled = (key: string): string => capitalized(key.replaceAll('_', ' '))

/** Something that doesn't stop a graph from being saved, but that its author should know. */
export type GraphWarning = { code: string; detail: string; transition?: string }

/** Returns whether a permit with one or two reviews can go live on a graph. */
function goesLive(graph: Graph, single_stage: boolean): boolean {
  const start = graph.states.find(state => state.kind === 'initial')
  return (
    start !== undefined &&
    sortsOf(single_stage).some(sort => standsFrom(sort, graph.transitions, start.key).some(at => at.state === 'issued'))
  )
}

/** Returns what the engine enforces even if the graph leaves it out, and what can never happen on the graph. `says`: what an actor is, in words. */
export function permitWarnings(given: Graph, says: (actor: string) => string): GraphWarning[] {
  const graph = effective(given)
  const found: GraphWarning[] = graph.transitions.flatMap(step => stepWarnings(step, says))
  if (!graph.transitions.some(t => t.action === 'issue'))
    found.push({ code: 'no_issue', detail: 'No step issues a permit, so no permit can go live.' })
  if (!graph.transitions.some(t => t.action === 'expire'))
    found.push({ code: 'no_expiry', detail: 'No step expires a permit, so no one is notified when a window ends.' })
  for (const key of neverTaken(graph, PERMIT_SORTS))
    found.push({
      code: 'never_taken',
      transition: key,
      detail: 'No permit can ever take this step: a fixed rule or another step prevents it.',
    })
  for (const single of [false, true]) {
    if (!goesLive(graph, single))
      found.push({
        code: single ? 'single_stage_never_live' : 'two_stage_never_live',
        detail: `A permit with ${single ? 'one review' : 'two reviews'} can’t go live on this workflow.`,
      })
  }
  return found
}

/** Returns what the engine requires of a single step, whatever its own settings. */
function stepWarnings(t: Transition, says: (actor: string) => string): GraphWarning[] {
  const found: GraphWarning[] = []
  const warn = (code: string, detail: string) => found.push({ code, transition: t.key, detail })
  if (t.action === 'issue' && t.actor !== 'appointed_issuer' && !t.guards.includes('issuer_appointed'))
    warn('issuer_appointed_kept', 'Only an appointed issuer can issue a permit, even if the workflow leaves out this rule.')
  if (t.action === 'countersign' && !t.guards.includes('issue_signature_stands'))
    warn(
      'issue_signature_kept',
      'A permit can be countersigned only after the issuer has signed, even if the workflow leaves out this rule.',
    )
  if (t.to === 'closed' && t.from !== 'closed')
    for (const guard of ['no_open_children', 'checklist_complete'])
      if (!t.guards.includes(guard))
        warn(`${guard}_kept`, `“${labelled(guard)}” is always checked, even if the workflow leaves out this check.`)
  const kept = keptActor(t)
  if (kept !== undefined && kept !== t.actor)
    warn(
      'actor_kept',
      `Whatever the workflow says, this step is for “${says(kept)}”. The workflow also requires “${says(t.actor)}”, so the person must be both.`,
    )
  for (const need of t.requires)
    if (!readsOf(t.action).includes(need)) warn('requires_unread', `This step can’t take a ${need}, so the app doesn’t ask for one.`)
  return found
}
