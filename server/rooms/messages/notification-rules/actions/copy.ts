// A new site that takes over the configuration of another one (`site-and-people.md` §1).
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { attentionOf } from '../../../../kernel/site/door.ts'
import { added, ruleFaults, saved } from './change.ts'
import { contentOf, rulesOf } from './show.ts'

/**
 * Gives a new site the notification rules of another one, and the same choices for the standard rules. A rule that refers to what only the other site has,
 * such as a member, arrives switched off; returns why.
 */
export async function copyNotificationRules(ctx: Ctx, site_id: Id, from_site_id: Id): Promise<string[]> {
  const attention: string[] = []
  const standard = new Map((await rulesOf(ctx, site_id)).map(rule => [rule.shipped?.key, rule]))
  for (const rule of await rulesOf(ctx, from_site_id)) {
    const content = contentOf(rule)
    const own = rule.shipped === null ? undefined : standard.get(rule.shipped.key)
    if (own !== undefined) {
      if (!own.locked) await saved(ctx, own, { ...contentOf(own), enabled: content.enabled, channels: content.channels })
      continue
    }
    const faults = await ruleFaults(ctx, site_id, content)
    attention.push(...attentionOf(rule.name, faults))
    await added(ctx, site_id, { ...content, enabled: content.enabled && faults.length === 0 }, null)
  }
  return attention
}
