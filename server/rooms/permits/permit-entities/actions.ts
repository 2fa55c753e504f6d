// Links between permits and the work that they cover. They are made here, and by `permit_id` of what is put on the map: by the same function.
import type { Ctx } from '../../../base/ctx.ts'
import { sql } from '../../../base/db.ts'
import { enforce, invalidField, notFound, refuse } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { type CoverageKeeper, type Covered, type Token, tokenKind, tokenKinds } from '../../../kernel/covers/door.ts'
import { judgeOne, seesThis, siteFacts, viewerOn } from '../kit/actions/facts.ts'
import { type PermitRow, permitRow } from '../kit/queries/permits.ts'
import { visibleTo } from '../kit/queries/visible.ts'
import { showPermit } from '../permit-lists/door.ts'
import { tellPermit } from '../permit-messages/door.ts'
import { createDraft } from '../permits/door.ts'
import { cantLink, cantUnlink, isInside, isLive, isThere, seedFrom } from './domain.ts'
import { deleteLinks, insertLinks, linkedFacts, linkedTo, linksAmong, linksOf } from './queries.ts'
import type { InlinePermit } from './schema.ts'

/** Publishes a change of a permit's links; its receiver is notified of one after the issue. */
async function tell(
  ctx: Ctx,
  verb: 'linked' | 'unlinked',
  permit: PermitRow,
  entity_type: string,
  entity_ids: readonly Id[],
): Promise<void> {
  if (entity_ids.length === 0) return
  const { graph, policy, facts } = await judgeOne(ctx, permit, null)
  const after_issue = permit.issued_at !== null
  tellPermit(ctx, `permit.${verb}`, permit, permit.status, facts.set.single_stage, graph, policy, { entity_type, entity_ids, after_issue })
  ctx.redraw(permit.site_id, 'tokens')
}

/** Links things to a permit that is locked. */
async function linkTo(ctx: Ctx, permit: PermitRow, kind: string, things: readonly Covered[], only_inside: boolean) {
  enforce([cantLink(permit)])
  const outside = things.filter(thing => !isInside(thing, permit)).map(({ id }) => id)
  const wanted = only_inside ? things.filter(({ id }) => !outside.includes(id)) : things
  const changed = await insertLinks(
    ctx.db,
    permit.site_id,
    permit.id,
    kind,
    wanted.map(({ id }) => id),
  )
  await tell(ctx, 'linked', permit, kind, changed)
  return { changed, outside }
}

/** How links are kept for the rooms of the map. */
export const keeper: CoverageKeeper = {
  required: async (ctx, site_id) => (await siteFacts(ctx, site_id)).coverage_policy_enabled,
  async read(ctx, site_id, things, at) {
    const [{ coverage_policy_enabled }, viewer] = await Promise.all([siteFacts(ctx, site_id), viewerOn(ctx, site_id)])
    const links = await linksOf(
      ctx.db,
      site_id,
      things.map(({ id }) => id),
      visibleTo(viewer),
    )
    const by_thing = Map.groupBy(links, link => link.entity_id)
    return new Map(
      things.map(thing => {
        const permits = by_thing.get(thing.id) ?? []
        return [
          thing.id,
          {
            permits: permits.filter(({ seen }) => seen).map(({ entity_id: _id, entity_type: _type, seen: _seen, ...permit }) => permit),
            no_permit: coverage_policy_enabled && permits.length === 0 && isThere(thing, at),
            live_permit: permits.some(permit => isLive(permit, at)),
          },
        ]
      }),
    )
  },
  async link(ctx, site_id, permit_id, kind, things, only_inside) {
    const permit = await permitRow(ctx.db, site_id, permit_id, 'share')
    if (permit === null || !(await seesThis(ctx, permit))) return refuse(notFound())
    return (await linkTo(ctx, permit, kind, things, only_inside)).outside
  },
  async drop(ctx, site_id, why) {
    const links = await linksAmong(ctx.db, site_id, null, [...why.keys()])
    for (const { id, entity_id } of links) ctx.note(id, { action: 'unlink', reason: why.get(entity_id) ?? '' })
    await deleteLinks(
      ctx.db,
      site_id,
      links.map(({ id }) => id),
    )
  },
  permitsOf: (ctx, site_id, ids) => linksOf(ctx.db, site_id, ids, sql<boolean>`true`),
  facts: async (ctx, site_id, whole) => linkedFacts(whole ? sql<boolean>`true` : visibleTo(await viewerOn(ctx, site_id))),
  async sees(ctx, site_id, permit_id) {
    const permit = await permitRow(ctx.db, site_id, permit_id, 'none')
    return permit !== null && (await seesThis(ctx, permit))
  },
}

const shown = (token: Token, permit: PermitRow): Record<string, unknown> => {
  const { kind: entity_type, id: entity_id, ...rest } = token
  return { entity_type, entity_id, ...rest, outside_permit_window: !isInside(token, permit) }
}

/** Returns everything that a permit covers, by kind, start and id. */
async function tokensOf(ctx: Ctx, permit: PermitRow): Promise<Token[]> {
  const links = Map.groupBy(await linkedTo(ctx.db, permit.site_id, permit.id), link => link.entity_type)
  const all: Token[] = []
  for (const { kind, load } of tokenKinds()) {
    const ids = (links.get(kind) ?? []).map(link => link.entity_id)
    if (ids.length > 0) all.push(...(await load(ctx, permit.site_id, ids, [])))
  }
  const order = (a: Token, b: Token) =>
    a.kind.localeCompare(b.kind) || (a.start_at < b.start_at ? -1 : a.start_at > b.start_at ? 1 : a.id < b.id ? -1 : 1)
  return all.sort(order)
}

/** Lists what a permit covers. */
export const listEntities = async (ctx: Ctx, permit: PermitRow): Promise<Record<string, unknown>[]> =>
  (await tokensOf(ctx, permit)).map(token => shown(token, permit))

/** Lists what a permit covers by kind and schedule. */
export async function groupEntities(ctx: Ctx, permit: PermitRow): Promise<Record<string, unknown>[]> {
  const groups = Map.groupBy(await tokensOf(ctx, permit), ({ kind, schedule_group_id }) => `${kind} ${schedule_group_id ?? ''}`)
  return [...groups.values()].flatMap(tokens => {
    const [first] = tokens
    if (first === undefined) return []
    const ends = tokens.map(({ end_at }) => end_at)
    return {
      entity_type: first.kind,
      schedule_group_id: first.schedule_group_id,
      label: first.label,
      count: tokens.length,
      first_at: first.start_at,
      last_at: ends.includes(null) ? null : ends.toSorted().at(-1),
      entities: tokens.map(token => shown(token, permit)),
    }
  })
}

type Body = { entity_type: string; entity_ids?: Id[]; schedule_group_ids?: Id[] }

/** Locks records of a kind, and the occurrences of its schedules, all in one order. Refuses a record that doesn’t exist, at its path in the body. */
async function locked(
  ctx: Ctx,
  site_id: Id,
  kind: string,
  ids: readonly Id[],
  group_ids: readonly Id[],
  pathOf: (id: Id) => string,
): Promise<Token[]> {
  const tokens = await tokenKind(kind).lock(ctx, site_id, ids, group_ids)
  const known = new Set(tokens.map(({ id }) => id))
  const missing = ids.find(id => !known.has(id))
  if (missing !== undefined) refuse(invalidField(pathOf(missing), `isn’t a ${kind} on this site.`))
  return tokens
}

/** Returns what a body names: single records, and the occurrences of schedules. Refuses what doesn't exist, and what the caller can't change. */
async function named(ctx: Ctx, site_id: Id, { entity_type, entity_ids = [], schedule_group_ids = [] }: Body) {
  if (entity_ids.length + schedule_group_ids.length === 0) refuse(invalidField('entity_ids', 'or schedule_group_ids is required.'))
  const all = await locked(ctx, site_id, entity_type, entity_ids, schedule_group_ids, id => `entity_ids[${entity_ids.indexOf(id)}]`)
  const filled = new Set(all.map(token => token.schedule_group_id))
  const empty = schedule_group_ids.findIndex(id => !filled.has(id))
  if (empty >= 0)
    refuse(invalidField(`schedule_group_ids[${empty}]`, `isn’t a schedule of this kind on this site, or it has no occurrence.`))
  await tokenKind(entity_type).mayChange(
    ctx,
    site_id,
    all.map(({ id }) => id),
  )
  const [single = [], occurrences = []] = [true, false].map(one => all.filter(({ id }) => entity_ids.includes(id) === one))
  return { single, occurrences }
}

/** Links work to a permit. Of a schedule, it links the occurrences inside the permit's window. Repeating it changes nothing. */
export async function link(ctx: Ctx, permit: PermitRow, body: Body): Promise<Record<string, unknown>> {
  const { single, occurrences } = await named(ctx, permit.site_id, body)
  enforce([cantLink(permit)])
  const inside = occurrences.filter(one => isInside(one, permit))
  const { changed } = await linkTo(ctx, permit, body.entity_type, [...single, ...inside], false)
  const outside_permit_window = occurrences.filter(one => !inside.includes(one)).map(({ id }) => id)
  return { entities: await listEntities(ctx, permit), changed, outside_permit_window }
}

/** Unlinks work from a permit. Repeating it changes nothing. */
export async function unlink(ctx: Ctx, permit: PermitRow, body: Body): Promise<Record<string, unknown>> {
  const { single, occurrences } = await named(ctx, permit.site_id, body)
  enforce([cantUnlink(permit)])
  const links = await linksAmong(
    ctx.db,
    permit.site_id,
    permit.id,
    [...single, ...occurrences].map(({ id }) => id),
  )
  for (const { id } of links) ctx.note(id, { action: 'unlink' })
  await deleteLinks(
    ctx.db,
    permit.site_id,
    links.map(({ id }) => id),
  )
  const changed = links.map(({ entity_id }) => entity_id)
  await tell(ctx, 'unlinked', permit, body.entity_type, changed)
  return { entities: await listEntities(ctx, permit), changed, outside_permit_window: [] }
}

/** Creates a draft for work on the map and links it: in one transaction, so that there is never a permit for work without it. */
export async function requestFor(ctx: Ctx, { site_id, entities, ...body }: InlinePermit): Promise<Record<string, unknown>> {
  enforce([ctx.actor.lacks('map_entity_edit')])
  const all: Token[] = []
  // The kinds are locked in one order, whatever the order of the body.
  for (const [kind, ones] of [...Map.groupBy(entities, one => one.entity_type)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const ids = ones.map(one => one.entity_id)
    const pathOf = (id: Id) => `entities[${entities.findIndex(one => one.entity_type === kind && one.entity_id === id)}].entity_id`
    all.push(...(await locked(ctx, site_id, kind, ids, [], pathOf)))
    await tokenKind(kind).mayChange(ctx, site_id, ids)
  }
  const [first, ...others] = all
  if (first === undefined) return refuse(invalidField('entities', 'is empty.'))
  const { contractors, start_at, end_at, place } = seedFrom([first, ...others])
  const [contractor_id = null] = contractors
  if (contractors.length > 1 && body.contractor_id === undefined)
    refuse(invalidField('contractor_id', 'is required, because the work belongs to more than one contractor.'))
  const permit = await createDraft(ctx, site_id, {
    start_at,
    end_at: end_at ?? undefined,
    place: place ?? undefined,
    contractor_id: contractor_id ?? undefined,
    ...body,
  })
  for (const [kind, tokens] of Map.groupBy(all, one => one.kind)) await linkTo(ctx, permit, kind, tokens, false)
  return showPermit(ctx, site_id, permit.id)
}
