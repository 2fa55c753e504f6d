// What permits contribute to shared mechanisms: what a person is responsible for, which contractors and places are in use, and permits as conditions see them.
import type { Id } from '../../../../base/ids.ts'
import type { Members, Reference } from '../../../../kernel/predicates/door.ts'
import { rowUse, type Use } from '../../../../kernel/records/door.ts'
import type { Unplaced } from '../../../../kernel/site/door.ts'
import type { Duties } from '../../../../kernel/tasks/door.ts'
import { viewerOn } from '../../kit/actions/facts.ts'
import { OPEN } from '../../kit/domain/facts.ts'
import { placeOfRow } from '../../kit/domain/place.ts'
import { dutiesIn, liveOf } from '../queries/counts.ts'
import { countByPlace, unplacedPermits } from '../queries/places.ts'
import { permitLabels, permitSubjects, permitsAmong, permitsAsMembers } from '../queries/subject.ts'

/** Lists people's duties: as receiver of open permits, and as the only appointed issuer of a type. */
export const dutiesOf: Duties = async (ctx, people) =>
  (await dutiesIn(ctx.db, people)).map(({ received, only_issuer_of }) => [
    ...received.map(number => `receiver of ${number}`),
    ...only_issuer_of.map(code => `only issuer for ${code}`),
  ])

/** How permits use the site's frame: a building, a level or a zone of an open permit can't be ended (`map.md` §1). */
const placeUse: Use = {
  of: 'reference_feature',
  name: 'permits',
  when: 'ahead',
  count: (ctx, site_id, ids, { from, levels }) =>
    countByPlace(ctx.db, site_id, ids, { now: ctx.now, from: from ?? ctx.now, levels: levels ?? null }),
}

/** Lists imported permits whose place is only text, as far as the caller can see them. */
export const waitingForPlace: Unplaced = async (ctx, site_id) =>
  (await unplacedPermits(ctx.db, site_id, await viewerOn(ctx, site_id))).map(({ id, permit_number, location, zone_text, level_text }) => ({
    kind: 'permit',
    id,
    label: permit_number,
    location,
    zone: zone_text,
    level: level_text,
  }))

const contractors = (name: string, when: Use['when'], status: readonly string[] | null): Use =>
  rowUse({ of: 'contractor', name, when }, 'permit', 'contractor_id', status)

/** How permits use contractors, and the site's frame. */
export const permitUses: readonly Use[] = [
  contractors('permits', 'ever', null),
  contractors('open_permits', 'ahead', OPEN),
  { of: 'contractor', name: 'live_permits', when: 'now', count: (ctx, site_id, ids) => liveOf(ctx.db, site_id, ids) },
  placeUse,
]

/** Permits that conditions can select: those that the caller sees (R10), or all for rules. */
export const permitMembers: Members = {
  subject: 'permit',
  at: async (ctx, site_id, _at, whole) => permitsAsMembers(site_id, whole ? null : await viewerOn(ctx, site_id)),
  of: async (_ctx, site_id, _at, ids) => permitsAmong(site_id, ids),
  async places(ctx, site_id, _at, ids) {
    const found = new Map<Id, Record<string, unknown>>()
    for (const row of await permitSubjects(ctx.db, site_id, ids)) {
      const place = placeOfRow(row)
      if (place !== null) found.set(row.id, place)
    }
    return found
  },
}

/** Permits that conditions refer to. */
export const permitReference: Reference = {
  name: 'permit',
  ids: async (ctx, site_id, ids) => permitLabels(ctx.db, site_id, await viewerOn(ctx, site_id), ids),
}
