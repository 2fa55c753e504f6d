// Everything that happens to a permit before it is submitted: create, edit, delete, copy, and families.
import type { Ctx } from '../../../../base/ctx.ts'
import { enforce, type FieldFault, invalid, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { changesOf } from '../../../../kernel/records/domain.ts'
import { contractorsOfCaller, judgeOne, seesThis, siteFacts, typesOf } from '../../kit/actions/facts.ts'
import { pinFor } from '../../kit/actions/graphs.ts'
import { type CheckAnswer, isOpen, nameOf } from '../../kit/domain/facts.ts'
import { deleting, editing } from '../../kit/domain/flags.ts'
import type { PlaceColumns } from '../../kit/domain/place.ts'
import { type PermitRow, permitRow } from '../../kit/queries/permits.ts'
import { showPermit } from '../../permit-lists/door.ts'
import { tellPermit } from '../../permit-messages/door.ts'
import { derived, type PermitType } from '../../permit-types/domain/sets.ts'
import { contractorsNamed, membersNamed } from '../queries/drafts.ts'
import { coveredIds, dropPermit, insertPermit, type PermitSet, savePermit } from '../queries/permits.ts'
import type { FamilyMember, NewPermit, PermitChange } from '../schema.ts'
import { missingFields } from './act.ts'
import { defaultEnd } from './effects.ts'
import { NOWHERE, placeColumns } from './place.ts'

/** What a draft has before the change. */
type Before = Pick<PermitRow, 'id' | 'categories' | 'pre_checks' | 'start_at' | 'end_at' | 'contractor_id'> & PlaceColumns

const NEW: Omit<Before, 'id'> = { categories: [], pre_checks: [], start_at: null, end_at: null, contractor_id: null, ...NOWHERE }

/** Returns the columns of a draft from a body, or refuses with every fault at once. */
async function columnsFrom(ctx: Ctx, site_id: Id, body: FamilyMember, before: Before): Promise<PermitSet> {
  const faults: FieldFault[] = []
  const { types } = await siteFacts(ctx, site_id)
  const { categories, contractor_id, receiver_id, parent_id, place, start_at, end_at, pre_checks, rams_document_ids, ...plain } = body
  const set: PermitSet = { ...plain }
  const codes = categories === undefined ? before.categories : [...categories].sort()
  if (categories !== undefined) {
    set.categories = codes
    for (const code of codes) categoryFault(code, before.categories, types, faults)
  }
  const sets = derived(typesOf(codes, types))
  set.pre_checks = answered(ctx, sets.pre_checks, before.pre_checks, pre_checks ?? [], faults)
  if (start_at !== undefined) set.start_at = start_at
  const begins = start_at === undefined ? before.start_at : start_at
  if (end_at !== undefined) set.end_at = end_at
  else if (before.end_at === null && begins !== null) set.end_at = defaultEnd(begins, sets.default_duration_hours)
  const ends = set.end_at === undefined ? before.end_at : set.end_at
  if (begins !== null && ends !== null && ends <= begins)
    faults.push(
      end_at === undefined
        ? { path: 'start_at', message: 'must be earlier than the end of the window.' }
        : { path: 'end_at', message: 'must be later than the start of the window.' },
    )
  if (receiver_id !== undefined) {
    set.receiver_id = receiver_id
    if (receiver_id !== null && (await membersNamed(ctx.db, site_id, [receiver_id])).length === 0)
      faults.push({ path: 'receiver_id', message: 'isn’t an active member of this site.' })
  }
  if (parent_id !== undefined) set.parent_id = parent_id === null ? null : await parentOf(ctx, site_id, parent_id, before.id, faults)
  const contractor = await contractorFor(ctx, site_id, contractor_id, before, faults)
  if (contractor !== undefined) set.contractor_id = contractor
  for (const [i] of (rams_document_ids ?? []).entries())
    faults.push({ path: `rams_document_ids[${i}]`, message: 'isn’t a method statement on this site.' })
  if (place !== undefined) Object.assign(set, await placeColumns(ctx, site_id, place, before, begins, faults))
  if (faults.length > 0) refuse(invalid(faults))
  return set
}

function categoryFault(code: string, before: readonly string[], types: readonly PermitType[], faults: FieldFault[]): void {
  const type = types.find(t => t.code === code)
  if (type?.active || (type !== undefined && before.includes(code))) return
  const near = types.find(t => t.code.toLowerCase() === code.toLowerCase())
  const message =
    type !== undefined
      ? `${code} is retired, so new permits can’t use it. Choose another type.`
      : `“${code}” isn’t a permit type on this site. ${near === undefined ? 'Choose another type.' : `Did you mean ${near.code}?`}`
  faults.push({ path: 'categories', message })
}

/** Returns the pre-checks of the types, with the existing answers and those in the body. */
function answered(
  ctx: Ctx,
  checks: readonly { code: string; label: string; required: boolean }[],
  before: readonly CheckAnswer[],
  sent: readonly { code: string; answer?: CheckAnswer['answer']; comment?: string | null }[],
  faults: FieldFault[],
): CheckAnswer[] {
  sent.forEach(({ code }, i) => {
    if (!checks.some(check => check.code === code))
      faults.push({
        path: `pre_checks[${i}].code`,
        message: `“${code}” isn’t a pre-check of the permit’s types. Send a code from pre_checks.`,
      })
  })
  return checks.map(({ code, label, required }) => {
    const old = before.find(check => check.code === code)
    const said = sent.find(check => check.code === code)
    const fresh = { code, label, required }
    if (said === undefined)
      return {
        ...fresh,
        answer: old?.answer ?? null,
        answered_by: old?.answered_by ?? null,
        answered_at: old?.answered_at ?? null,
        comment: old?.comment ?? null,
        carried_forward: old?.carried_forward ?? false,
      }
    const answer = said.answer === undefined ? (old?.answer ?? null) : said.answer
    const comment = said.comment === undefined ? (old?.comment ?? null) : said.comment
    const same = old !== undefined && !old.carried_forward && old.answer === answer && old.comment === comment
    return same
      ? { ...old, ...fresh }
      : {
          ...fresh,
          answer,
          comment,
          carried_forward: false,
          answered_by: answer === null ? null : ctx.actor.id,
          answered_at: answer === null ? null : ctx.now,
        }
  })
}

/**
 * Returns the parent: any open permit of the site that the caller can see. It stays locked until the end of the transaction, so that it can't be closed
 * under its new child.
 */
export async function parentOf(ctx: Ctx, site_id: Id, parent_id: Id, own: Id, faults: FieldFault[]): Promise<Id | null> {
  const parent = parent_id === own ? null : await permitRow(ctx.db, site_id, parent_id, 'share')
  if (parent === null || !(await seesThis(ctx, parent))) {
    faults.push({
      path: 'parent_id',
      message: parent_id === own ? 'can’t be the permit itself.' : 'isn’t a permit on this site that you can see.',
    })
    return null
  }
  if (!isOpen(parent.status)) faults.push({ path: 'parent_id', message: `${nameOf(parent)} is ${parent.status}. Choose an open permit.` })
  if (await isUnder(ctx, site_id, parent, own))
    faults.push({ path: 'parent_id', message: `${nameOf(parent)} is already below this permit. Choose another parent.` })
  return parent_id
}

/** Returns whether a permit is below another one. All above it stay locked, too: two changes at once could otherwise make a ring, in which none can be closed. */
async function isUnder(ctx: Ctx, site_id: Id, parent: PermitRow, own: Id): Promise<boolean> {
  let at: PermitRow | null = parent
  for (let depth = 0; at?.parent_id != null && depth < 50; depth++) {
    if (at.parent_id === own) return true
    at = await permitRow(ctx.db, site_id, at.parent_id, 'share')
  }
  return false
}

/**
 * Returns a draft's contractor. If the member's membership has a contractor, it must be that one or one that it oversees; otherwise it can be any
 * (`permits-decisions.md` §1, Who may request). Undefined: it stays as it is.
 */
async function contractorFor(
  ctx: Ctx,
  site_id: Id,
  wanted: Id | null | undefined,
  before: Before,
  faults: FieldFault[],
): Promise<Id | null | undefined> {
  const own = ctx.actor.standing?.contractor_id ?? null
  const within = await contractorsOfCaller(ctx, site_id)
  if (own !== null && within !== null) {
    if (wanted === undefined && before.contractor_id !== null) return undefined
    const contractor = wanted ?? own
    if (!within.has(contractor))
      faults.push({ path: 'contractor_id', message: 'isn’t your contractor, or a contractor that yours oversees.' })
    else if (wanted === null)
      faults.push({
        path: 'contractor_id',
        message: 'can’t be empty, because your permits belong to your own contractor. Choose your contractor.',
      })
    else await stillHere(ctx, site_id, contractor, before, faults)
    return contractor
  }
  if (wanted != null) await stillHere(ctx, site_id, wanted, before, faults)
  return wanted
}

/** Adds a fault for a contractor that isn’t on the site. A draft that already names one that has left keeps it, and its submission warns. */
async function stillHere(ctx: Ctx, site_id: Id, wanted: Id, before: Before, faults: FieldFault[]): Promise<void> {
  const [contractor] = await contractorsNamed(ctx.db, site_id, [wanted])
  if (contractor === undefined) faults.push({ path: 'contractor_id', message: 'isn’t a contractor on this site.' })
  else if (contractor.status === 'left' && before.contractor_id !== wanted)
    faults.push({ path: 'contractor_id', message: `${contractor.name} has left the site. Choose another contractor.` })
}

/** Creates a draft. It can be incomplete; the submit flag says what is missing. */
export async function createDraft(ctx: Ctx, site_id: Id, body: FamilyMember): Promise<PermitRow> {
  const id = ids.next()
  const set = await columnsFrom(ctx, site_id, body, { id, ...NEW })
  return writeDraft(ctx, site_id, id, set)
}

export async function writeDraft(ctx: Ctx, site_id: Id, id: Id, set: PermitSet): Promise<PermitRow> {
  const { types } = await siteFacts(ctx, site_id)
  const pin = await pinFor(ctx, site_id, set.categories ?? [], derived(typesOf(set.categories ?? [], types)).single_stage)
  await insertPermit(ctx.db, { ...set, site_id, id, status: 'draft', source: 'requested', requestor_id: ctx.actor.id, ...pin })
  const row = await permitRow(ctx.db, site_id, id, 'none')
  if (row === null) throw new Error('The draft that was just saved is missing.')
  await tellDraft(ctx, 'permit.created', row, { fields: Object.keys(set) })
  return row
}

/** Emits an event of a draft. A draft is private to its requestor, so these events concern nobody else, and no rule can use them. */
async function tellDraft(ctx: Ctx, kind: string, row: PermitRow, more: { fields: readonly string[]; entity_ids?: Id[] }): Promise<void> {
  const { graph, policy, facts } = await judgeOne(ctx, row, null)
  tellPermit(ctx, kind, row, row.status, facts.set.single_stage, graph, policy, more)
}

/** Creates a permit as a draft: POST /permits/applications. */
export async function requestPermit(ctx: Ctx, body: NewPermit): Promise<Record<string, unknown>> {
  const { site_id, ...fields } = body
  const row = await createDraft(ctx, site_id, fields)
  return showPermit(ctx, site_id, row.id)
}

/** Changes a permit: PATCH, for the requestor, while it is a draft or returned for corrections (R4). */
export async function editPermit(ctx: Ctx, permit: PermitRow, body: PermitChange): Promise<Record<string, unknown>> {
  const { site_id: _site, ...fields } = body
  const { facts, graph } = await judgeOne(ctx, permit, null)
  enforce(editing(facts, graph))
  const set = await columnsFrom(ctx, permit.site_id, fields, permit)
  // A permit that was submitted is a record: its types and window can change, but not be removed.
  if (permit.status !== 'draft') enforce([missingFields({ ...permit, ...set })])
  const repinned = permit.status === 'draft' && set.categories !== undefined && set.categories.join() !== permit.categories.join()
  const { types } = await siteFacts(ctx, permit.site_id)
  const pin = repinned
    ? await pinFor(ctx, permit.site_id, set.categories ?? [], derived(typesOf(set.categories ?? [], types)).single_stage)
    : {}
  const changes = changesOf(permit, { ...set, ...pin })
  if (Object.keys(changes).length > 0) {
    await savePermit(ctx.db, permit, changes)
    await tellDraft(ctx, 'permit.edited', { ...permit, ...set }, { fields: Object.keys(fields) })
  }
  return showPermit(ctx, permit.site_id, permit.id)
}

/** Deletes a draft that was never submitted. */
export async function deleteDraft(ctx: Ctx, permit: PermitRow): Promise<void> {
  const { facts, graph } = await judgeOne(ctx, permit, null)
  enforce(deleting(facts, graph))
  // Its links go with it, so the event names what it covered.
  const entity_ids = await coveredIds(ctx.db, permit)
  await tellDraft(ctx, 'permit.deleted', permit, { fields: [], entity_ids })
  if (entity_ids.length > 0) ctx.redraw(permit.site_id, 'tokens')
  await dropPermit(ctx.db, permit)
}
