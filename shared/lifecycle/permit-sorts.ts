// Sorts of permits that the validator follows through any graph, and how the engine changes a graph. Pure: the service checks saved graphs with it,
// and the editor the one being drawn.
import type { Sort } from './flaws.ts'
import type { Graph, Requirement, Transition } from './graph.ts'

/** Statuses in which an issue signature can be valid: any other status voids it. */
export const SIGNED = ['approved', 'issued', 'expired', 'closed'] as const

/**
 * Returns the graph as the engine runs it: if it has no countersign step, `issue` leads to `issued`, whatever its `to` says (`permits-decisions.md`
 * §3).
 */
export function effective(graph: Graph): Graph {
  const countersigned = graph.transitions.some(t => t.action === 'countersign')
  if (countersigned) return graph
  return { states: graph.states, transitions: graph.transitions.map(t => (t.action === 'issue' ? { ...t, to: 'issued' } : t)) }
}

/** What the body of each step can contain. Anything else that a graph requires is not asked for. */
const SAYS: Record<string, readonly Requirement[]> = {
  withdraw: ['reason'],
  endorse: ['note'],
  approve: ['note'],
  reject: ['reason'],
  request_corrections: ['note'],
  hand_back: ['note'],
  issue: ['note'],
  countersign: ['note'],
  close_out: ['checklist', 'note'],
  request_extension: ['reason'],
  approve_extension: ['note'],
  reject_extension: ['reason'],
}

/** Lists what the body of an action can contain. */
export const readsOf = (action: string): readonly Requirement[] => SAYS[action] ?? []

/** Actors and guards that the scheduler can't satisfy. */
const NOT_THE_CLOCK = ['requestor', 'appointed_issuer', 'named_receiver']
const NOT_THE_CLOCKS = ['issuer_appointed', 'caller_is_receiver']

/** Returns whether the engine ever takes such a step for any caller, given its fixed rules and what the endpoints accept. */
function everTaken(t: Transition): boolean {
  // Every step that closes a permit needs the checklist, and no one confirms it when a permit expires.
  const unchecked = t.guards.includes('checklist_complete') || (t.to === 'closed' && t.from !== 'closed')
  if (unchecked && !readsOf(t.action).includes('checklist')) return false
  if (t.action === 'expire')
    return t.from === 'issued' && !NOT_THE_CLOCK.includes(t.actor) && !t.guards.some(g => NOT_THE_CLOCKS.includes(g))
  return (
    t.actor !== 'clock' &&
    (t.from !== 'draft' || t.action === 'submit' || (t.action === 'withdraw' && t.to === 'withdrawn')) &&
    !(['closed', 'rejected', 'withdrawn'].includes(t.from) && t.to !== t.from) &&
    !(t.action === 'reissue' && t.to !== t.from)
  )
}

/** Makes a sort of permits for any graph. They remember whether there is a valid issue signature and whether an extension request is open. */
function sortOf(of: { single_stage: boolean; extendable: boolean }): Sort {
  return {
    start: '',
    chosen: (memory, t) =>
      !t.guards.includes(of.single_stage ? 'two_stage' : 'single_stage') &&
      !t.guards.includes(memory.includes('signed') ? 'no_issue_signature' : 'issue_signature_stands'),
    after(memory, t) {
      const signed = memory.includes('signed')
      const asked = memory.includes('asked')
      const remembers = (s: boolean, a: boolean) => `${s ? 'signed ' : ''}${a ? 'asked' : ''}`
      if (!everTaken(t)) return null
      const by_receiver = t.action === 'countersign' || t.actor === 'named_receiver' || t.guards.includes('caller_is_receiver')
      if (by_receiver && t.guards.includes('issuer_is_not_receiver') && !(signed && t.action !== 'issue')) return null
      const extends_it = t.action === 'request_extension' || t.action === 'approve_extension'
      if (!of.extendable && (extends_it || t.guards.includes('categories_extendable'))) return null
      if ((t.action === 'approve_extension' || t.action === 'reject_extension') && !asked) return null
      if (t.action === 'issue') return signed || !['approved', 'issued'].includes(t.to) ? null : remembers(true, asked)
      const voids = t.action === 'submit' || (t.action === 'hand_back' && t.from === 'approved')
      if (['issued', 'expired'].includes(t.to) && t.to !== t.from && (voids || !signed)) return null
      const stands = signed && !voids && SIGNED.some(state => state === t.to)
      if (t.action === 'request_extension') return remembers(stands, true)
      return remembers(stands, asked && !extends_it && t.action !== 'reject_extension')
    },
  }
}

/** Returns the sorts of permits with one review, or with two; extendable or not. */
export const sortsOf = (single_stage: boolean): Sort[] => [false, true].map(extendable => sortOf({ single_stage, extendable }))

/** Every kind of permit: with one review or two, extendable or not. */
export const PERMIT_SORTS: readonly Sort[] = [false, true].flatMap(sortsOf)
