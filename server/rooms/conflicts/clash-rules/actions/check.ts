import { type CheckedRule, checkRule } from '../../../../../shared/conflicts/check.ts'
import { pairSubject } from '../../../../../shared/conflicts/pair.ts'
import type { RuleContent } from '../../../../../shared/conflicts/rules.ts'
import { subjectFaults } from '../../../../../shared/predicates/nested.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalid, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { groupsOfRules, type Refs, refsFor, subjectOf } from '../../../../kernel/predicates/door.ts'
import { typeCodes } from '../queries.ts'

/** Returns what a site knows about the ids and codes in rules. */
export async function refsOn(ctx: Ctx, site_id: Id, contents: readonly RuleContent[]): Promise<Refs> {
  const [refs, codes] = await Promise.all([
    refsFor(
      ctx,
      site_id,
      contents.map(({ when }) => ({ subject: pairSubject, predicate: when })),
    ),
    typeCodes(ctx.db, site_id, 'all'),
  ])
  return { ids: refs.ids, codes: new Map([...refs.codes, ['permit_type', codes]]) }
}

/** Checks rules on a site: every fault of each at once, and what people should know. `given`: what the site knows about their ids and codes, if it was read already. */
export async function checkedRules(ctx: Ctx, site_id: Id, contents: readonly RuleContent[], given?: Refs): Promise<CheckedRule[]> {
  const refs = given ?? (await refsOn(ctx, site_id, contents))
  const known = await groupsOfRules(ctx, site_id)
  return contents.map(content => {
    const found = checkRule(content, refs)
    // Both sides are things: a group of permits asks what only a permit has.
    const faults = found.content === null ? [] : subjectFaults(pairSubject, content.when, known, subjectOf, 'when')
    return faults.length === 0 ? found : { content: null, reach: null, faults, warnings: [] }
  })
}

/** A rule without faults, with both keys of each pair, and what people should know about it as it was given. */
export type Sound = { content: RuleContent; warnings: CheckedRule['warnings'] }

/** Checks a rule and refuses one with faults. */
export async function soundContent(ctx: Ctx, site_id: Id, given: RuleContent): Promise<Sound> {
  const [found] = await checkedRules(ctx, site_id, [given])
  const { content = null, warnings = [], faults = [] } = found ?? {}
  return content === null ? refuse(invalid(faults)) : { content, warnings }
}
