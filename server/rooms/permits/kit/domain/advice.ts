// What a permit shows before a step is signed (`permits-decisions.md` §1, Advice before the step): its warnings, and the declaration that will be signed.

import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { isOneOf } from '../../../../../shared/narrow.ts'
import { stepOf } from '../../../../kernel/lifecycle/domain/decide.ts'
import { type SignatureKind, statementOf } from './content.ts'
import type { Facts } from './facts.ts'
import { WITHOUT_SOURCE } from './opt-in.ts'
import { type Warning, warningsAt } from './warnings.ts'
import { words } from './words.ts'

/** The warnings of a step, and the declaration that it signs; null if it signs nothing. */
export type Advice = { warnings: Warning[]; statement: string | null }

const SIGNS: Readonly<Record<string, SignatureKind>> = {
  endorse: 'stage1_approve',
  approve: 'stage2_approve',
  issue: 'issue',
  countersign: 'countersign',
  close_out: 'close_out',
  revalidate: 'revalidate',
  approve_extension: 'extend_approve',
}

/** Returns the warnings of a step on this graph: about the permit, and about guards of the graph that nothing checks. The response to the step has the same. */
export function adviceOn(graph: Graph, action: string, f: Facts): Warning[] {
  const guards = stepOf(graph, words, f.permit.status, action, f)?.guards ?? []
  const unchecked = guards.filter(guard => isOneOf(WITHOUT_SOURCE, guard))
  return [
    ...warningsAt(action, f),
    ...unchecked.map(guard => ({
      code: 'guard_not_checked',
      detail: `This site’s workflow requires “${guard.replaceAll('_', ' ')}”, which Walkdown can’t check yet.`,
      ids: [],
    })),
  ]
}

function statementAt(action: string, f: Facts): string | null {
  if (action === 'hand_back') {
    if (f.permit.status === 'approved') return null
    const { receiver_id } = f.permit
    const absent = receiver_id !== null && receiver_id !== f.me.id
    return statementOf('hand_back', absent ? { id: receiver_id, name: f.receiver_name ?? 'the receiver' } : null)
  }
  const kind = SIGNS[action]
  return kind === undefined ? null : statementOf(kind)
}

/** Returns the advice on every step that the caller can take now. */
export function adviceFor(f: Facts, graph: Graph, flags: Readonly<Record<string, { allowed: boolean }>>): Record<string, Advice> {
  const out: Record<string, Advice> = {}
  for (const [action, { allowed }] of Object.entries(flags)) {
    if (!allowed || (action !== 'revalidate' && stepOf(graph, words, f.permit.status, action, f) === null)) continue
    out[action] = { warnings: adviceOn(graph, action, f), statement: statementAt(action, f) }
  }
  return out
}
