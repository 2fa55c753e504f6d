import { conflict, type Refusal, type Verdict } from '../../../base/errors.ts'
import { canonical } from '../../../kernel/audit/domain.ts'
import type { RevertClass } from '../../../kernel/records/domain.ts'

/** What an entry did to its record. */
export type Effect = 'create' | 'update' | 'delete'

const OPPOSITE: Record<Effect, Effect> = { create: 'delete', update: 'update', delete: 'create' }
const PLAIN: Record<string, Effect> = { create: 'create', update: 'update', delete: 'delete', restore: 'create' }

/** Returns what an entry did; a revert did the opposite of what it reverts. Null: the entry can't be reverted. */
export const effectOf = (action: string, reverted: Effect | null): Effect | null =>
  action === 'revert' ? (reverted === null ? null : OPPOSITE[reverted]) : (PLAIN[action] ?? null)

/** What decides whether an entry can be reverted, apart from the current values. */
export type RevertFacts = {
  action: string
  effect: Effect | null
  revert: RevertClass
  /** The permission that the revert needs; null if the record's room offers no revert. */
  needs: string | null
  reverted_by: string | null
  /** Whether the entry is older than 30 days. */
  old: boolean
  /** The changed fields with values that can still be restored; null if all the values of the entry were erased. */
  values: readonly string[] | null
  lacks(permission: string): Verdict
}

const LEDGER = 'This kind of record can’t be reverted. Change the record itself; if it is signed, make a new one instead.'

function never(facts: RevertFacts): Refusal | null {
  const { action, revert } = facts
  if (action === 'read') return conflict('ledger', 'This entry only records that someone read data, so there is nothing to revert.')
  if (action === 'import' || revert === 'import')
    return conflict('ledger', 'Imported records can’t be reverted one by one. To undo an import, delete it under Import.')
  if (revert === 'access' || action === 'link' || action === 'unlink')
    return conflict('access', 'Permissions, memberships and invitations can’t be reverted. Change them under People or Settings.')
  if (action === 'sign' || revert === 'ledger') return conflict('ledger', LEDGER)
  if (action === 'transition' || revert === 'transition')
    return conflict('transition', 'A status change can’t be reverted. Take a step that leads back to the earlier status, if there is one.')
  if (facts.effect === null || facts.needs === null)
    return conflict('ledger', 'Changes to this kind of record can’t be reverted. Change the record itself instead.')
  return null
}

/** A transaction with more entries can't be reverted as a whole. */
export const LARGEST_BATCH = 1000

/** Returns the reason against reverting a transaction of which the caller can't see some entries. */
export const unseenAmong = (entries: number, unseen: number): Verdict =>
  unseen === 0
    ? null
    : conflict(
        'access',
        `You can’t revert this batch: it includes changes to records that you don’t have access to (${unseen} of ${entries} changes). Ask a site manager or an administrator to revert it.`,
      )

/** Returns the reasons against reverting an entry (`site-and-people.md` §15, Revert), as far as they are known without its record. */
export function reverting(facts: RevertFacts): Verdict[] {
  return [
    never(facts),
    facts.reverted_by === null
      ? null
      : conflict(
          'already_reverted',
          'This change has already been reverted. To make the change again, revert the entry that reverted it.',
          {
            reverted_by_entry_id: facts.reverted_by,
          },
        ),
    facts.needs === null ? null : facts.lacks(facts.needs),
    facts.old ? facts.lacks('audit_revert_old') : null,
    withoutValues(facts),
  ]
}

function withoutValues({ effect, values }: RevertFacts): Verdict {
  if (values === null)
    return conflict('ledger', 'The values of this entry were erased, so it can’t be reverted. Change the record itself instead.')
  if (effect !== 'update' || values.length > 0) return null
  return conflict(
    'ledger',
    'The audit log doesn’t contain the earlier values, so this change can’t be reverted. Change the record itself instead.',
  )
}

/** A field that has been changed again since. */
export type Moved = { path: string; before: unknown; after: unknown; now: unknown }

const same = (a: unknown, b: unknown): boolean => canonical(a ?? null) === canonical(b ?? null)

/** Sorts the fields of a change into those to revert, and those whose value has changed since. */
export function against(
  changes: readonly { path: string; before: unknown; after: unknown }[],
  now: Record<string, unknown>,
  only: readonly string[] | null,
): { back: Record<string, unknown>; moved: Moved[]; unknown: string[] } {
  const wanted = only === null ? changes : changes.filter(change => only.includes(change.path))
  const moved = wanted.filter(change => !same(now[change.path], change.after)).map(change => ({ ...change, now: now[change.path] ?? null }))
  return {
    back: Object.fromEntries(wanted.map(change => [change.path, change.before])),
    moved,
    unknown: (only ?? []).filter(path => !changes.some(change => change.path === path)),
  }
}

/** Returns the fields in which two states of a row differ. */
export function differences(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
  leave: ReadonlySet<string>,
): { path: string; from: unknown; to: unknown }[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  return names
    .filter(name => !leave.has(name) && !same(before?.[name], after?.[name]))
    .map(path => ({ path, from: before?.[path] ?? null, to: after?.[path] ?? null }))
}

const DONE: Record<string, string> = {
  create: 'added',
  update: 'changed',
  delete: 'deleted',
  restore: 'restored',
  transition: 'took a step with',
  sign: 'signed',
  link: 'linked',
  unlink: 'unlinked',
  import: 'imported',
  revert: 'reverted',
  read: 'exported',
}

/** Steps whose past tense is not their name with -ed. */
const PAST: Record<string, string> = {
  submit: 'submitted',
  withdraw: 'withdrew',
  hand_back: 'handed back',
  close_out: 'closed out',
  close_out_bulk: 'closed out',
  request_corrections: 'returned for corrections',
  countersign: 'countersigned',
  handover: 'handed over',
  // What happens to a vehicle isn't what the person did who recorded it.
  arrive: 'recorded the arrival of',
  leave: 'recorded the departure of',
  turn_away: 'turned away',
  no_show: 'recorded a no-show for',
  mark_no_show: 'recorded a no-show for',
  late: 'recorded a delay of',
  clock: 'changed',
}

const words = (text: string) => text.replaceAll('_', ' ')

/** Returns a count with its noun: `1 contractor`, `14 workers`, `2 permit policies`. */
export function counted(kind: string, n: number): string {
  const word = words(kind)
  if (n === 1) return `1 ${word}`
  return `${n.toLocaleString('en')} ${word.endsWith('y') && !/[aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`}`
}

/** Returns one row of the feed as a sentence: "Ana Ruiz changed Steel fixers A", "Ana Ruiz imported 2,000 permits and 40 contractors". */
export function sentence(batch: {
  actor: string
  action: string
  cause: string
  counts: Record<string, number>
  label: string | null
}): string {
  const verb = batch.cause.split('.').at(-1) ?? ''
  const past = PAST[verb] ?? (batch.action === 'transition' ? (/e$/.test(verb) ? `${verb}d` : `${verb}ed`) : DONE[batch.action])
  const things = Object.entries(batch.counts).sort(([, a], [, b]) => b - a)
  const total = things.reduce((sum, [, n]) => sum + n, 0)
  const said =
    total === 1 && batch.label !== null
      ? batch.label
      : things
          .map(([kind, n]) => counted(kind, n))
          .join(', ')
          .replace(/, ([^,]*)$/, ' and $1')
  return `${batch.actor} ${words(past ?? 'changed')} ${said}`
}

/** The order in which a batch is named after one of its actions: the most significant comes first. */
const TELLING = ['import', 'revert', 'sign', 'transition', 'restore', 'delete', 'create', 'link', 'unlink', 'update', 'read']
export const tellingAction = (actions: readonly string[]): string =>
  TELLING.find(action => actions.includes(action)) ?? actions[0] ?? 'update'

/** Reads `seq;hash` as sent in `X-Chain-Head`; returns null when the text is malformed. */
export function readHead(text: string): { seq: number; hash: string } | null {
  const match = /^(\d{1,15});([0-9a-f]{64})$/.exec(text.trim())
  return match === null ? null : { seq: Number(match[1]), hash: match[2] ?? '' }
}
