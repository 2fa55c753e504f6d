// What people can decide about an episode (`conflict-and-planning.md` §0.2, §4.5). Pure.
import { isSettling, type StanceKind } from '../../../../../shared/conflicts/stances.ts'
import { HOUR, type Instant, later } from '../../../../../shared/time.ts'
import { type FieldFault, forbidden, type Verdict, wrongStep } from '../../../../base/errors.ts'

/** What a decision is about. */
export type Decided = { status: 'open' | 'ended'; severity: 'amber' | 'red'; next_at: Instant | null; last_at: Instant | null }
/** What someone can do: decide about any clash, about those of their own contractor, and about red ones. */
export type Powers = { any: boolean; own: boolean; red: boolean }

/** Returns why nobody can decide about an episode; null if they can. */
export const cantChange = ({ status }: Pick<Decided, 'status'>): Verdict =>
  status === 'ended' ? wrongStep(status, ['open'], 'This clash has ended, so there is nothing left to decide.') : null

const cantTakePart = ({ any, own }: Powers): Verdict =>
  any || own ? null : forbidden('clash_stance', 'Your role can’t decide about clashes.')

/** Returns why someone can't settle an episode; null if they can. */
export const cantSettle = (episode: Decided, powers: Powers): Verdict =>
  cantChange(episode) ??
  cantTakePart(powers) ??
  (powers.any
    ? null
    : forbidden('clash_stance_any', 'Only a coordinator can settle a clash. You can say who resolves it, and until when.')) ??
  (episode.severity === 'red' && !powers.red
    ? forbidden('clash_accept_red', 'Only an H&S person, a site manager or an administrator can settle a red clash.')
    : null)

/** A decision as it is given. */
export type Given = {
  kind: StanceKind
  reason?: string
  controls?: string
  owner_user_id?: string | null
  owner_contractor_id?: string | null
  due_at?: Instant | null
  covers_until?: Instant | null
}

const WITHIN_HOURS = 24

/**
 * Returns why someone can't say who resolves an episode; null if they can. What a coordinator has settled is only opened again by one: people who can’t withdraw a decision can’t replace it by
 * one that settles nothing (§4.7). `before`: the decision that is active.
 */
export const cantResolve = (episode: Decided, before: StanceKind | null, powers: Powers): Verdict =>
  cantChange(episode) ??
  cantTakePart(powers) ??
  (before !== null && isSettling(before) && !powers.any
    ? forbidden('clash_stance_any', 'A coordinator has settled this clash, and only a coordinator can open it again. Ask one.')
    : null)

/** Returns why someone can't decide this; null if they can. `before`: the decision that is active. */
export const cantDecide = (episode: Decided, { kind }: Pick<Given, 'kind'>, before: StanceKind | null, powers: Powers): Verdict =>
  isSettling(kind) ? cantSettle(episode, powers) : cantResolve(episode, before, powers)

/** Returns what is missing or wrong in a decision. */
export function faultsOf(episode: Decided, given: Given, now: Instant): FieldFault[] {
  const { kind, reason = '', controls = '', owner_user_id = null, owner_contractor_id = null, due_at = null, covers_until = null } = given
  const faults: FieldFault[] = []
  if (covers_until !== null && covers_until <= now) faults.push({ path: 'covers_until', message: 'must be in the future.' })
  // A decision lapses as soon as a clash reaches past what it covers, so this one would settle nothing.
  else if (covers_until !== null && (episode.last_at === null || covers_until < episode.last_at))
    faults.push({ path: 'covers_until', message: 'ends before the clash does. Choose a later time, or leave it out.' })
  if (isSettling(kind)) {
    if (reason.trim() === '')
      faults.push({
        path: 'reason',
        message: `is required: say why ${kind === 'not_a_clash' ? 'this isn’t a clash' : 'the work can go on like this'}.`,
      })
    if (kind === 'accepted' && episode.severity === 'red' && controls.trim() === '')
      faults.push({ path: 'controls', message: 'is required for a red clash: say what keeps people safe.' })
    for (const [path, value] of Object.entries({ owner_user_id, owner_contractor_id, due_at }))
      if (value !== null) faults.push({ path, message: 'is only for `resolving`.' })
    return faults
  }
  if ((owner_user_id === null) === (owner_contractor_id === null))
    faults.push({ path: 'owner_user_id', message: 'or owner_contractor_id is required: name one who resolves it.' })
  const begun = episode.next_at !== null && episode.next_at <= now
  const last = begun || episode.next_at === null ? later(now, WITHIN_HOURS * HOUR) : episode.next_at
  if (due_at === null) faults.push({ path: 'due_at', message: 'is required: say until when it is resolved.' })
  else if (due_at <= now) faults.push({ path: 'due_at', message: 'must be in the future.' })
  else if (due_at > last)
    faults.push({
      path: 'due_at',
      message: begun ? 'is more than 24 hours ahead, but the clash is there now.' : 'is later than the start of the clash.',
    })
  return faults
}
