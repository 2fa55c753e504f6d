import { type CheckedRule, checkRule } from '../../../../../shared/conflicts/check.ts'
import { pairSubject } from '../../../../../shared/conflicts/pair.ts'
import type { RuleContent } from '../../../../../shared/conflicts/rules.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalid, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { type Refs, refsFor } from '../../../../kernel/predicates/door.ts'
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

/** Checks rules on a site: every fault of each at once, and what people should know. */
export async function checkedRules(ctx: Ctx, site_id: Id, contents: readonly RuleContent[]): Promise<CheckedRule[]> {
  const refs = await refsOn(ctx, site_id, contents)
  return contents.map(content => checkRule(content, refs))
}

/** A rule without faults, with both keys of each pair, and what people should know about it as it was given. */
export type Sound = { content: RuleContent; warnings: CheckedRule['warnings'] }

/** Checks a rule and refuses one with faults. */
export async function soundContent(ctx: Ctx, site_id: Id, given: RuleContent): Promise<Sound> {
  const { content, warnings, faults } = checkRule(given, await refsOn(ctx, site_id, [given]))
  return content === null ? refuse(invalid(faults)) : { content, warnings }
}
