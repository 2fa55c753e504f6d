// Limits that apply only to workflows of permits, in addition to what the validator checks in any graph (`permits-decisions.md` §3). Pure: the service refuses
// a graph that breaks them, and the editor shows the problem while the graph is drawn.
import { at } from '../narrow.ts'
import { flaws, type Problem, type Registry } from './flaws.ts'
import type { Graph, State, Transition } from './graph.ts'
import { effective, SIGNED } from './permit-sorts.ts'

const EXTENSION_STEPS = ['request_extension', 'approve_extension', 'reject_extension']
/** The state in the registry during which work takes place. */
const LIVE = 'issued'
/** Final states of permits that were never live. */
const NEVER_LIVE = ['rejected', 'withdrawn']

/** Lists every problem of a permit workflow: those of any graph first, then those of permits alone. */
export function permitProblems(graph: Graph, registry: Registry): Problem[] {
  const live = effective(graph)
  return [...flaws(live, registry), ...unnamedLive(live), ...extensionsElsewhere(live), ...refusedWhileLive(live), ...liveUnsigned(live)]
}

const isLive = (state: State): boolean => state.kind === 'live' || state.key === LIVE
const liveStates = (graph: Graph): State[] => graph.states.filter(isLive)
const labelOf = (graph: Graph, key: string): string => graph.states.find(state => state.key === key)?.label ?? key

/** The board, the map and the rules treat `issued` as the live state, so a graph can't mark another one as live. */
const unnamedLive = (graph: Graph): Problem[] =>
  graph.states
    .filter(state => (state.key === LIVE) !== (state.kind === 'live'))
    .map(state => ({
      kind: 'live_state' as const,
      state: state.key,
      detail: state.key === LIVE ? `${state.label} must be marked as live.` : `${state.label} can’t be marked as live: only Issued can.`,
    }))

/** Only a live permit can be extended (`permits.md` R9). */
function extensionsElsewhere(graph: Graph): Problem[] {
  const live = new Set(liveStates(graph).map(state => state.key))
  return graph.transitions
    .filter(step => EXTENSION_STEPS.includes(step.action) && !live.has(step.from))
    .map(step => ({
      kind: 'extension_not_live' as const,
      transition: step.key,
      state: step.from,
      detail: `${labelOf(graph, step.from)} isn’t a live state, so a permit can’t be extended from it. Remove this step, or start it from a live state.`,
    }))
}

/** A position in the search: a state, what is remembered there, and the steps that led to it. */
type At = { state: string; signed: boolean; path: string[] }

/** Lists every position that can be reached from these, nearest first. `onward` returns what is remembered after a step; null when the step is not possible. */
function reachedFrom(graph: Graph, start: readonly At[], onward: (at: At, step: Transition) => boolean | null): At[] {
  const found = [...start]
  const seen = new Set(start.map(at => `${at.state} ${at.signed}`))
  for (const at of found) {
    for (const step of graph.transitions) {
      if (step.from !== at.state) continue
      const signed = onward(at, step)
      if (signed === null || seen.has(`${step.to} ${signed}`)) continue
      seen.add(`${step.to} ${signed}`)
      found.push({ state: step.to, signed, path: [...at.path, step.key] })
    }
  }
  return found
}

/** A permit that was live ends with its close-out, where the work area is checked; it never ends as rejected or withdrawn. */
function refusedWhileLive(graph: Graph): Problem[] {
  const start = liveStates(graph).map(({ key }) => ({ state: key, signed: true, path: [] }))
  return reachedFrom(graph, start, () => true)
    .filter(at => NEVER_LIVE.includes(at.state))
    .map(({ state, path }) => ({
      kind: 'live_refused' as const,
      state,
      path,
      detail: `A live permit could become ${labelOf(graph, state).toLowerCase()}, but a permit that was live must be closed out. Remove the steps that allow this.`,
    }))
}

/**
 * A permit goes live only with the signature of an appointed issuer. The engine requires this of every graph. A graph with another path to live is refused, so
 * that people don't rely on that path. A countersignature needs the issue signature whether or not the graph has that guard.
 */
function liveUnsigned(graph: Graph): Problem[] {
  const initial = graph.states.filter(state => state.kind === 'initial').map(({ key }) => ({ state: key, signed: false, path: [] }))
  const live = new Set(liveStates(graph).map(state => state.key))
  const onward = (at: At, step: Transition): boolean | null => {
    const needsSignature = step.action === 'countersign' || step.guards.includes('issue_signature_stands')
    if (needsSignature && !at.signed) return null
    if (step.guards.includes('no_issue_signature') && at.signed) return null
    if (step.action === 'issue') return true
    const voids = step.action === 'submit' || (step.action === 'hand_back' && step.from === 'approved')
    return at.signed && !voids && SIGNED.some(state => state === step.to)
  }
  return reachedFrom(graph, initial, onward)
    .filter(at => live.has(at.state) && !at.signed)
    .map(({ state, path }) => ({
      kind: 'live_unsigned' as const,
      state,
      path,
      ...(path.length === 0 ? {} : { transition: at(path, path.length - 1) }), // the path contains at least one step
      detail: `A permit could reach ${labelOf(graph, state)} without the issuer’s signature. Make every path to this state go through the step that issues the permit.`,
    }))
}
