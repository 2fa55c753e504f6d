import { operatorsOf } from '../../../../../shared/predicates/language.ts'
import { searching } from '../../../../../shared/text.ts'
import { DAY, HOUR, hourOf, instant, later, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { explain } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import { allEvents, eventKind, fieldsOf, sampleOf } from '../../../../kernel/events/door.ts'
import { ENVELOPE_WORDS } from '../../../../kernel/notices/domain/words.ts'
import {
  allShipped,
  idOfShipped,
  isForSites,
  type RuleContent,
  ruleCounts,
  ruleRows,
  versionRows,
} from '../../../../kernel/notices/door.ts'
import { explainPredicate, isPredicate, refsFor, subjectNamed } from '../../../../kernel/predicates/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { changing, deleting, fieldWords, ruleWords } from '../domain.ts'
import { ruleOf, type SiteRule } from '../door.ts'
import type { RuleFilter } from '../schema.ts'

const DAYS = 30

/** Returns only a rule's content, as its versions store it. */
export const contentOf = (rule: RuleContent): RuleContent => {
  const { name, event_kind, when, kind, audience, channels, title, body, urgency, include_actor, enabled } = rule
  return { name, event_kind, when, kind, audience, channels, title, body, urgency, include_actor, enabled }
}

async function inWords(ctx: Ctx, site_id: Id, rule: RuleContent): Promise<string> {
  const subject = `event:${rule.event_kind}`
  const kind = eventKind(rule.event_kind)
  if (kind === undefined || subjectNamed(subject) === undefined) return 'The event that triggered this rule no longer exists.'
  if (rule.when === true || !isPredicate(rule.when)) return ruleWords(rule, kind.says, null)
  const { timezone, locale } = await siteOf(ctx, site_id)
  const refs = await refsFor(ctx, site_id, [{ subject, predicate: rule.when }])
  const said = explainPredicate(subject, rule.when, { timezone, locale, refs }) // saved content has no faults
  const clause = `${said.charAt(0).toLowerCase()}${said.slice(1)}`
  return ruleWords(rule, kind.says, clause)
}

async function shown(ctx: Ctx, rule: SiteRule, counts: Map<Id, { fired: number; reached: number; paused: boolean }>) {
  const count = counts.get(rule.id)
  const manage = ctx.actor.lacks('notification_rule_manage')
  return {
    id: rule.id,
    site_id: rule.site_id,
    origin_id: rule.id,
    version: rule.version,
    based_on_id: rule.based_on_id,
    source: rule.source,
    locked: rule.locked,
    ...contentOf(rule),
    explanation: await inWords(ctx, rule.site_id, rule),
    paused_until: count?.paused ? instant(ms(hourOf(ctx.now)) + HOUR) : null,
    fired_30d: count?.fired ?? 0,
    reached_30d: count?.reached ?? 0,
    permissions: flagsFor(ctx.actor, {
      edit: explain([manage, changing(rule)]),
      switch: explain([manage, changing(rule)]),
      clone: explain([manage]),
      delete: explain([manage, deleting(rule)]),
    }),
    created_at: rule.created_at,
    updated_at: rule.updated_at,
  }
}

const countsFor = (ctx: Ctx, site_id: Id) => ruleCounts(ctx.db, site_id, later(ctx.now, -DAYS * DAY), hourOf(ctx.now))

/** Returns every rule of a site, standard ones too. */
export async function rulesOf(ctx: Ctx, site_id: Id): Promise<SiteRule[]> {
  const rows = await ruleRows(ctx.db, site_id)
  const byId = new Map(rows.map(row => [row.id, row]))
  const shipped = allShipped().map(one => ruleOf(site_id, byId.get(idOfShipped(site_id, one.key)) ?? null, one))
  const own = rows.filter(row => row.source === 'site').map(row => ruleOf(site_id, row, undefined))
  return [...shipped, ...own].filter(rule => rule !== null)
}

/** Lists rules: locked ones first, then by event kind and name. */
export async function listRules(ctx: Ctx, filter: RuleFilter): Promise<unknown[]> {
  const { site_id } = filter
  const isFound = searching(filter.q)
  const rules = (await rulesOf(ctx, site_id))
    .filter(rule => filter.id?.includes(rule.id) ?? true)
    .filter(rule => filter.event_kind?.includes(rule.event_kind) ?? true)
    .filter(rule => filter.kind?.includes(rule.kind) ?? true)
    .filter(rule => filter.source?.includes(rule.source) ?? true)
    .filter(rule => filter.enabled === undefined || rule.enabled === filter.enabled)
    .filter(rule => isFound(`${rule.name} ${rule.title}`))
    .sort(
      (a, b) =>
        Number(b.locked) - Number(a.locked) ||
        a.event_kind.localeCompare(b.event_kind) ||
        a.name.localeCompare(b.name) ||
        a.id.localeCompare(b.id),
    )
  const counts = await countsFor(ctx, site_id)
  const out = []
  for (const rule of rules) out.push(await shown(ctx, rule, counts))
  return out
}

/** Returns one rule, in words and with its counts. */
export const showRule = async (ctx: Ctx, rule: SiteRule) => shown(ctx, rule, await countsFor(ctx, rule.site_id))

/** Lists a rule's versions, newest first. */
export async function listVersions(ctx: Ctx, rule: SiteRule): Promise<unknown[]> {
  const rows = await versionRows(ctx.db, rule.site_id, rule.id)
  const kept = rows.map(({ number, content, changed_by, changed_by_name, valid_from, valid_to, changes }) => ({
    version: number,
    content: contentOf(content),
    valid_from,
    valid_to,
    changed_by: changed_by === null ? null : { user_id: changed_by, name: changed_by_name ?? '' },
    changes,
  }))
  if (rule.shipped === null) return kept
  const first = {
    version: 1,
    content: contentOf(rule.shipped),
    valid_from: null,
    valid_to: kept.at(-1)?.valid_from ?? null,
    changed_by: null,
    changes: [],
  }
  return [...kept, first]
}

/** Lists every event that a rule of a site can use. */
export function listEventSchemas(): unknown[] {
  return allEvents()
    .filter(isForSites)
    .sort((a, b) => (a.kind < b.kind ? -1 : 1))
    .map(kind => {
      const words = fieldsOf(kind)
      const conditions = subjectNamed(`event:${kind.kind}`)?.fields ?? []
      return {
        event_kind: kind.kind,
        area: kind.area ?? '',
        label: kind.says,
        schema: 1,
        fields: conditions.map(field => ({
          path: field.path,
          type: field.type,
          ...(field.values === undefined ? {} : { values: [...field.values] }),
          operators: [...operatorsOf(field)],
          ...(field.refers === undefined ? {} : { refers: field.refers }),
          ...(field.groups === undefined ? {} : { groups: field.groups }),
          label: fieldWords(words[field.path]?.says ?? (field.groups === undefined ? field.label : 'the smart groups')),
          in_words: field.path in words,
        })),
        words: Object.entries({ ...ENVELOPE_WORDS, ...words }).map(([path, { says }]) => ({ path, label: fieldWords(says) })),
        identities: Object.keys(kind.identities ?? {}),
        contractors: Object.keys(kind.contractors ?? {}),
        sample: sampleOf(kind),
      }
    })
}
