import { keysOf } from '../../../../../shared/narrow.ts'
import { groupsNamed, subjectFaults } from '../../../../../shared/predicates/nested.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, type FieldFault, invalid, notFound, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { eventKind } from '../../../../kernel/events/door.ts'
import { isTerm, plainTerms } from '../../../../kernel/notices/domain/audience.ts'
import { kindOfRule } from '../../../../kernel/notices/domain/kinds.ts'
import { isForSites, memberOn, nextVersion, ownRules, type RuleContent, ruleRow, saveRule } from '../../../../kernel/notices/door.ts'
import { checkPredicate, groupsOfRules, type Predicate, refsFor, subjectOf } from '../../../../kernel/predicates/door.ts'
import { hold } from '../../../../kernel/records/door.ts'
import {
  changesOf,
  changing,
  checksOf,
  contentFaults,
  copyName,
  deleting,
  type GivenContent,
  MOST_GROUPS,
  MOST_RULES,
  ruled,
} from '../domain.ts'
import { ruleOf, type SiteRule } from '../door.ts'
import type { NewRule, RuleChange } from '../schema.ts'
import { contentOf, rulesOf, showRule } from './show.ts'

/** Returns every fault of a rule on this site at once: event, condition, recipients, texts. */
export async function ruleFaults(ctx: Ctx, site_id: Id, content: GivenContent): Promise<FieldFault[]> {
  const kind = eventKind(content.event_kind)
  if (kind === undefined || !isForSites(kind))
    return [{ path: 'event_kind', message: 'isn’t an event that a rule can use. See GET /notification-rules/event-schemas for the list.' }]
  const subject = `event:${content.event_kind}`
  const { predicate, faults } = checkPredicate(
    subject,
    content.when,
    await refsFor(ctx, site_id, [{ subject, predicate: content.when }]),
    'when',
  )
  const found: FieldFault[] = [...faults.map(({ path, message }) => ({ path, message })), ...contentFaults(content, kind)]
  if (predicate !== null) found.push(...(await groupFaults(ctx, site_id, subject, predicate)))
  for (const [i, term] of content.audience.entries()) {
    if (!isTerm(term) || found.some(fault => fault.path === `audience[${i}]`)) continue
    for (const plain of plainTerms([term]))
      if ('user_id' in plain && (await memberOn(ctx.db, site_id, plain.user_id)) === null)
        found.push({ path: `audience[${i}].user_id`, message: 'isn’t an active member of this site.' })
  }
  return found
}

/** Returns what is wrong with the smart groups in a condition that is otherwise sound. */
async function groupFaults(ctx: Ctx, site_id: Id, name: string, predicate: Predicate): Promise<FieldFault[]> {
  const subject = subjectOf(name)
  const asked = groupsNamed(subject, predicate)
  if (asked.length === 0) return []
  const wrong = subjectFaults(subject, predicate, await groupsOfRules(ctx, site_id), subjectOf, 'when')
  return [
    ...wrong.map(({ path, message }) => ({ path, message })),
    ...(asked.length > MOST_GROUPS
      ? [{ path: 'when', message: `asks about ${asked.length} smart groups; a rule can ask about at most ${MOST_GROUPS}.` }]
      : []),
  ]
}

async function refuseTakenName(ctx: Ctx, site_id: Id, name: string, but: Id | null): Promise<void> {
  const key = name.normalize('NFC').toLowerCase()
  const taken = (await rulesOf(ctx, site_id)).find(
    rule => rule.id !== but && rule.source === 'site' && rule.name.normalize('NFC').toLowerCase() === key,
  )
  if (taken !== undefined)
    refuse(conflict('key_taken', `There is already a rule called “${taken.name}”. Choose another name.`, { existing_id: taken.id }))
}

/** Adds a rule of the site. */
export async function added(ctx: Ctx, site_id: Id, given: Omit<RuleContent, 'kind'>, based_on_id: Id | null): Promise<SiteRule> {
  await hold(ctx, 'rules', site_id)
  if ((await ownRules(ctx.db, site_id)) >= MOST_RULES)
    refuse(
      conflict('too_many', `A site can have at most ${MOST_RULES} rules of its own. Delete a rule that you don’t need.`, {
        limit: MOST_RULES,
      }),
    )
  await refuseTakenName(ctx, site_id, given.name, null)
  const id = ids.next()
  const content: RuleContent = { ...given, kind: kindOfRule(id) }
  await saveRule(ctx.db, { site_id, id, source: 'site', based_on_id, number: 1, deleted_at: null, ...content })
  const change = { at: ctx.now, by: ctx.actor.id, changes: [] }
  await nextVersion(ctx.db, { site_id, rule_id: id, number: 1, event_kind: content.event_kind }, content, change)
  return ruleOf(site_id, await ruleRow(ctx.db, site_id, id, false), undefined) ?? refuse(notFound())
}

/** Creates a rule; it is off unless the body says that it is on. */
export async function createRule(ctx: Ctx, body: NewRule): Promise<Record<string, unknown>> {
  const { site_id, ...given } = body
  const content = {
    when: true,
    channels: ['in_app'] as const,
    body: '',
    urgency: 'info' as const,
    include_actor: false,
    enabled: false,
    ...given,
  }
  const faults = await ruleFaults(ctx, site_id, { ...content, kind: '' })
  if (faults.length > 0) refuse(invalid(faults))
  return showRule(ctx, await added(ctx, site_id, ruled(content), null))
}

/** Saves content that differs as the next version; identical content changes nothing. */
export async function saved(ctx: Ctx, rule: SiteRule, content: RuleContent): Promise<SiteRule> {
  const changes = changesOf(contentOf(rule), content)
  if (changes.length === 0) return rule
  const { site_id, id } = rule
  const number = rule.version + 1
  await saveRule(ctx.db, { site_id, id, source: rule.source, based_on_id: rule.based_on_id, number, deleted_at: null, ...content })
  await nextVersion(ctx.db, { site_id, rule_id: id, number, event_kind: content.event_kind }, content, {
    at: ctx.now,
    by: ctx.actor.id,
    changes,
  })
  return ruleOf(site_id, await ruleRow(ctx.db, site_id, id, false), rule.shipped ?? undefined) ?? refuse(notFound())
}

/** Returns the rule as it is now, because another change may have come first: a standard rule has no row that can be locked. */
async function held(ctx: Ctx, rule: SiteRule): Promise<SiteRule> {
  if (rule.shipped === null) return rule
  await hold(ctx, 'rules', rule.site_id)
  return ruleOf(rule.site_id, await ruleRow(ctx.db, rule.site_id, rule.id, true), rule.shipped) ?? rule
}

/** Changes a rule. For a standard rule the site can only choose whether it is on, and the channels. */
export async function changeRule(ctx: Ctx, given: SiteRule, body: RuleChange): Promise<Record<string, unknown>> {
  enforce([changing(given)])
  const rule = await held(ctx, given)
  if (rule.source === 'shipped') {
    const others = keysOf(body).filter(
      key => key !== 'enabled' && key !== 'channels' && JSON.stringify(body[key]) !== JSON.stringify(rule[key]),
    )
    if (others.length > 0)
      refuse(
        conflict(
          'shipped',
          `“${rule.name}” is a standard rule: you can only switch it on or off, or choose its channels. To change anything else, copy the rule and change the copy.`,
          {
            fields: others,
          },
        ),
      )
  }
  const content = { ...contentOf(rule), ...body }
  if (rule.source === 'site') {
    const asked = checksOf(contentOf(rule), content)
    const faults = asked === 'nothing' ? [] : await ruleFaults(ctx, rule.site_id, content)
    const counted = asked === 'all' ? faults : faults.filter(({ path }) => !path.startsWith('audience'))
    if (counted.length > 0) refuse(invalid(counted))
    if (content.name !== rule.name) {
      await hold(ctx, 'rules', rule.site_id)
      await refuseTakenName(ctx, rule.site_id, content.name, rule.id)
    }
  }
  return showRule(ctx, await saved(ctx, rule, ruled(content)))
}

/** Switches a rule on or off. A rule whose fields or people no longer exist can't be switched on. */
export async function switchRule(ctx: Ctx, given: SiteRule, enabled: boolean): Promise<Record<string, unknown>> {
  enforce([changing(given)])
  const rule = await held(ctx, given)
  if (enabled && !rule.enabled && rule.source === 'site') {
    const fields = await ruleFaults(ctx, rule.site_id, contentOf(rule))
    if (fields.length > 0)
      refuse(
        conflict(
          'invalid',
          `“${rule.name}” can’t be switched on, because it refers to an event, a field or a record that no longer exists, or to a person who is no longer a member. Correct the rule first.`,
          { fields },
        ),
      )
  }
  return showRule(ctx, await saved(ctx, rule, { ...contentOf(rule), enabled }))
}

/** Copies any rule into a rule of the site, switched off. */
export async function cloneRule(ctx: Ctx, rule: SiteRule, name: string | undefined): Promise<Record<string, unknown>> {
  const taken = new Set((await rulesOf(ctx, rule.site_id)).map(one => one.name.normalize('NFC').toLowerCase()))
  const { kind: _, ...content } = contentOf(rule)
  const urgency = content.urgency === 'critical' ? 'attention' : content.urgency
  return showRule(
    ctx,
    await added(ctx, rule.site_id, { ...content, urgency, name: name ?? copyName(rule.name, taken), enabled: false }, rule.id),
  )
}

/** Deletes a site's rule; the notifications that it sent stay. */
export async function deleteRule(ctx: Ctx, rule: SiteRule): Promise<void> {
  enforce([deleting(rule)])
  const { site_id, id, version } = rule
  await saveRule(ctx.db, {
    site_id,
    id,
    source: 'site',
    based_on_id: rule.based_on_id,
    number: version,
    ...contentOf(rule),
    enabled: false,
    deleted_at: ctx.now,
  })
  ctx.note(id, { action: 'delete' })
  await nextVersion(ctx.db, { site_id, rule_id: id, number: version, event_kind: rule.event_kind }, null, {
    at: ctx.now,
    by: ctx.actor.id,
    changes: [],
  })
}
