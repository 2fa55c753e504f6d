// `permissions` of a permit: the evaluator that decides on the call, run without a body. Flag and call can't disagree.

import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { isOneOf } from '../../../../../shared/narrow.ts'
import { listed } from '../../../../../shared/text.ts'
import { type Because, conflict, explain, forbidden, guard, type Verdict, wrongStep } from '../../../../base/errors.ts'
import { allows, decide, stepsFrom } from '../../../../kernel/lifecycle/domain/decide.ts'
import { EDITABLE, ENDED, type Facts, nameOf, PASSES_LOCK, SPOKEN } from './facts.ts'
import { owns, ownWrite } from './requesting.ts'
import { words } from './words.ts'

const wrong = (f: Facts, graph: Graph, what: string): Verdict =>
  wrongStep(f.permit.status, stepsFrom(graph, words, f.permit.status, f), `This permit is ${SPOKEN[f.permit.status]}, so ${what}.`)

/** Decides on PATCH: only while editable, by the requestor (R4). */
export function editing(f: Facts, graph: Graph): Verdict[] {
  return [EDITABLE.includes(f.permit.status) ? null : wrong(f, graph, 'it can’t be edited'), ownWrite(f)]
}

/** Says which step ends the permit, if it has one now. */
function instead(f: Facts, graph: Graph): string {
  const steps = stepsFrom(graph, words, f.permit.status, f)
  return steps.includes('withdraw') ? ' Withdraw it instead.' : steps.includes('close_out') ? ' Close it out instead.' : ''
}

/** Decides on DELETE: only a draft that was never submitted, because a permit with a number is a record. */
export function deleting(f: Facts, graph: Graph): Verdict[] {
  const record = f.permit.permit_number !== null || f.permit.source === 'imported'
  const state = record
    ? conflict(
        'is_a_record',
        `${f.permit.permit_number ?? 'This permit'} is a permanent record, so it can’t be deleted.${instead(f, graph)}`,
      )
    : f.permit.status === 'draft'
      ? null
      : wrong(f, graph, 'it can’t be deleted')
  const under = f.named_by
  const parent =
    under.length === 0
      ? null
      : conflict(
          'in_use',
          `This draft can’t be deleted, because ${under.length === 1 ? 'it is the parent of a permit' : `it is the parent of ${under.length} permits`}: ${listed(under.map(permit_number => nameOf({ permit_number })))}. Choose another parent for ${under.length === 1 ? 'that permit' : 'those permits'} first.`,
          { in_use: { permits: under.length } },
        )
  return [ownWrite(f), state, parent]
}

/** Decides who can add files: the requestor while the permit is editable; bands, issuer and receiver until the end. */
export function attaching(f: Facts, graph: Graph): Verdict[] {
  if (ENDED.includes(f.permit.status)) return [wrong(f, graph, 'no files can be added')]
  const own = EDITABLE.includes(f.permit.status) && owns(f) ? ownWrite(f) : undefined
  if (own === null) return [null]
  const { me, permit } = f
  const party =
    me.stage1 ||
    me.stage2 ||
    (me.id !== null && (permit.receiver_id === me.id || permit.issuer_id === me.id)) ||
    (me.appointed && permit.approved_at !== null)
  if (party) return [null]
  if (own !== undefined) return [own]
  return [
    owns(f)
      ? wrong(f, graph, 'its requestor can no longer add files')
      : forbidden(
          'permit_approve_stage1',
          'The requestor can add files while they can edit the permit; after that, only reviewers, issuers and the receiver can.',
        ),
  ]
}

/** Decides who can revalidate a permit, and whether it needs it: those who could issue it or approve it. */
export function revalidating(f: Facts, graph: Graph): Verdict[] {
  const { me, permit } = f
  const issuer = me.id !== null && me.uncovered.length === 0 && permit.categories.length > 0
  const stopped = (f.stopped ?? []).length > 0
  const live = permit.status === 'issued'
  return [
    stopped
      ? null
      : live
        ? wrongStep(
            permit.status,
            stepsFrom(graph, words, permit.status, f),
            'This permit isn’t stopped, so it doesn’t need to be revalidated.',
          )
        : wrong(f, graph, 'it can’t be revalidated'),
    issuer || me.stage2
      ? null
      : forbidden(
          'permit_approve_stage2',
          'Only issuers appointed for all the permit’s types, H&S, site managers and administrators can revalidate this permit.',
        ),
  ]
}

/** Steps that a person takes on a permit; each has a flag with its name. */
export const STEPS = [
  'submit',
  'withdraw',
  'endorse',
  'approve',
  'reject',
  'request_corrections',
  'hand_back',
  'issue',
  'countersign',
  'close_out',
  'request_extension',
  'reissue',
] as const

/** Actions whose names don't say enough, in words. */
export const ACTION_WORDS: Readonly<Record<string, string>> = {
  attach: 'attach files',
  request_corrections: 'return the permit for corrections',
  hand_back: 'hand the permit back',
  revalidate: 'revalidate the permit after an area stop',
  close_out: 'close out the permit',
  request_extension: 'request an extension',
  approve_extension: 'approve the extension request',
  reject_extension: 'reject the extension request',
}

/** What the caller can do with a permit, by action. */
export type PermitFlags = Record<string, { allowed: boolean; because: Because[] }>

const NO_REASON: Because[] = []
/** The flags of a list without reasons: there are thousands, so they share these two objects. */
const ALLOWED = Object.freeze({ allowed: true, because: NO_REASON })
const REFUSED = Object.freeze({ allowed: false, because: NO_REASON })

/**
 * Returns what the caller can do with a permit now, and the reasons why not. Without `reasons`, each check ends with its first refusal, and nothing
 * is explained.
 */
export function permitFlags(facts: Facts, graph: Graph, reasons = true): PermitFlags {
  const f: Facts = { ...facts, input: null }
  // The site's lock comes before every rule, as it does in the call.
  const lockOn = (action: string): Verdict => (isOneOf(PASSES_LOCK, action) ? null : f.site_lock)
  const said = (allowed: boolean) => (allowed ? ALLOWED : REFUSED)
  const own = (action: string, verdicts: Verdict[]) => {
    const lock = lockOn(action)
    return reasons ? explain([lock, ...verdicts]) : said(lock === null && verdicts.every(verdict => verdict === null))
  }
  const step = (action: string, asked: Facts, more: Verdict[] = []) =>
    reasons
      ? explain([lockOn(action), ...decide(graph, words, f.permit.status, action, asked, null).refusals, ...more])
      : said(lockOn(action) === null && more.length === 0 && allows(graph, words, f.permit.status, action, asked))
  const out: PermitFlags = {
    edit: own('edit', editing(f, graph)),
    delete: own('delete', deleting(f, graph)),
    attach: own('attach', attaching(f, graph)),
    revalidate: own('revalidate', revalidating(f, graph)),
  }
  for (const action of STEPS) out[action] = step(action, f)
  const unasked =
    f.open_extension !== null
      ? []
      : [guard('extension_requested', 'There is no open extension request to decide on. Request an extension first.')]
  // The decision is about the requested end, so it can be checked without a body.
  const asked: Facts = f.open_extension === null ? f : { ...f, input: { requested_end_at: f.open_extension } }
  for (const action of ['approve_extension', 'reject_extension']) out[action] = step(action, asked, unasked)
  // Submission also needs the fields without which the call would be refused.
  const missing = missingFor(f.permit)
  if (missing !== null && out.submit?.allowed)
    out.submit = reasons ? { allowed: false, because: [{ code: 'validation_failed', detail: missing }] } : REFUSED
  return out
}

/** Returns what a draft needs before it can be submitted; null if it has everything. What it has already isn't asked for again. */
function missingFor({ categories, start_at, end_at }: Facts['permit']): string | null {
  const types = categories.length === 0
  const window = start_at === null || end_at === null
  if (types && window) return 'Choose at least one permit type and set the permit window first.'
  if (types) return 'Choose at least one permit type first.'
  return window ? 'Set the permit window first: when the work starts and ends.' : null
}

/** What decides about an extension request, besides its permit. */
type Request = { status: string; decision_reason: string | null }

/** Returns why a request can no longer be decided on; null while it is open. */
export function decidedAlready({ status, decision_reason }: Request): Verdict {
  if (status === 'requested') return null
  return wrongStep(
    status,
    [],
    status === 'lapsed'
      ? `This request has lapsed, so you can’t decide on it. ${decision_reason ?? ''}`.trim()
      : status === 'superseded'
        ? 'A newer request has replaced this one. Decide on the newer request instead.'
        : `This request has already been ${status}, so you can’t decide on it again.`,
  )
}

/** Returns what the caller can do with a request, from what they can do with its permit. */
export function extensionFlags(request: Request, flags: PermitFlags): PermitFlags {
  const decided = decidedAlready(request)
  const of = (action: string) => (decided === null ? flags[action] : undefined) ?? explain([decided])
  return { approve: of('approve_extension'), reject: of('reject_extension') }
}
