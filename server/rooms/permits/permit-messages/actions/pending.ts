// What is waiting for one person in addition to the tasks of the gates. It follows from the permit itself, so nothing has to be raised or resolved.
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Pending, PendingOn } from '../../../../kernel/tasks/door.ts'
import { type Judged, judge, standingAt } from '../../kit/actions/facts.ts'
import { permitFlags } from '../../kit/domain/flags.ts'
import { type PendingRow, pendingRows, peopleOf } from '../queries/pending.ts'

const KINDS = {
  countersign: { kind: 'countersign_permit', title: 'Countersign', flags: ['countersign'], always: true },
  corrections: { kind: 'correct_permit', title: 'Correct & resubmit', flags: ['edit'], always: true },
  // The request is listed for the people who can decide on it, by the permit's own workflow, and for no one else.
  extension: {
    kind: 'decide_extension',
    title: 'Decide on the extension request',
    flags: ['approve_extension', 'reject_extension'],
    always: false,
  },
} as const

const since = (row: PendingRow): string => row.asked_at ?? (row.waits_for === 'countersign' ? row.issue_signed_at : null) ?? row.updated_at

/** Returns when it is due: a permit needs its countersignature before its window ends, and its extension before its present window ends. */
const due = (row: PendingRow): string | null => (row.waits_for === 'corrections' ? row.start_at : row.end_at)

/** Lists the permits of a site that are waiting for the caller, each with whether they can act on it now. */
async function pendingPermits(ctx: Ctx, site_id: Id): Promise<Pending[]> {
  if (ctx.actor.id === null) return []
  const rows = await pendingRows(ctx.db, site_id, ctx.actor.id)
  if (rows.length === 0) return []
  const judged = await judge(await standingAt(ctx, site_id), site_id, [...new Map(rows.map(row => [row.id, row])).values()], null)
  return rows.flatMap((row): Pending[] => {
    const all = judged.get(row.id)
    if (all === undefined) return []
    const { kind, title, flags, always } = KINDS[row.waits_for]
    const own = permitFlags(all.facts, all.graph)
    const open = flags.find(flag => own[flag]?.allowed === true)
    if (open === undefined && !always) return []
    const act = own[open ?? flags[0]] ?? { allowed: false, because: [] }
    // R2: nobody countersigns for the receiver. R4: a superadmin can correct a permit for its requestor, unless the site is locked.
    const otherwise = row.waits_for === 'corrections' && superadminCan('edit', all) ? 'superadmin' : 'nobody'
    const label = row.permit_number ?? row.title ?? 'A draft'
    return [
      {
        kind,
        title,
        subject: { kind: 'permit', id: row.id, label },
        link: linkTo(site_id, row),
        since: since(row),
        due_at: due(row),
        act,
        otherwise,
      },
    ]
  })
}

/** Permits that are waiting for their receiver or requestor, and extension requests that are waiting for those who can decide. */
export const pending: PendingOn = {
  list: pendingPermits,
  // Who can decide on a request follows from the permit’s workflow, so each person’s count is made.
  concerns: async (ctx, site_id, events) =>
    events.some(event => event.kind.includes('extension'))
      ? null
      : peopleOf(
          ctx.db,
          site_id,
          events.flatMap(event => (event.subject_kind === 'permit' ? event.subject_id : [])),
        ),
}

/** Returns whether a superadmin could take this step now, by the same rules as the caller. */
const superadminCan = (flag: string, { facts, graph }: Judged): boolean =>
  permitFlags({ ...facts, me: { ...facts.me, is_superadmin: true } }, graph, false)[flag]?.allowed === true

const linkTo = (site_id: Id, row: PendingRow): string =>
  row.waits_for === 'corrections'
    ? `/sites/${site_id}/request?draft=${row.id}`
    : `/sites/${site_id}/permits/${row.id}?review=${row.waits_for === 'countersign' ? 'countersign' : 'extension'}`
