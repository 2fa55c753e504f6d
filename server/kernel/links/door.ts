// Links for people without an account: a token replaces the sign-in. Each room defines what its tokens give access to.
import { DAY, instant, MINUTE, ms } from '../../../shared/time.ts'
import type { Ctx } from '../../base/ctx.ts'
import { rateLimited, refuse } from '../../base/errors.ts'
import { type Id, sha256 } from '../../base/ids.ts'
import { countCall } from '../identity/door.ts'

/** A kind of link, which recognises its own tokens. */
export type LinkKind = {
  kind: string
  /** Returns the site of a token, and whether its bearer can see the contractors there; null if it is another kind of token, or is no longer valid. */
  find(ctx: Pick<Ctx, 'db' | 'now'>, token: string): Promise<{ site_id: Id; sees_contractors: boolean } | null>
}

/** The header in which an app sends the token of a link, so that no URL that a server sees contains it (decision 846). */
export const LINK_TOKEN = 'X-Link-Token'

const kinds: LinkKind[] = []

/** Registers the kinds of link of all rooms, once, at startup. */
export function plugLinks(all: readonly LinkKind[]): void {
  kinds.splice(0, kinds.length, ...all)
}

/** Returns the site on which the bearer of this token can see the contractors; null if there is none. */
export async function siteWithContractors(ctx: Pick<Ctx, 'db' | 'now'>, token: string): Promise<Id | null> {
  for (const kind of kinds) {
    const found = await kind.find(ctx, token)
    if (found?.sees_contractors) return found.site_id
  }
  return null
}

const A_MINUTE = 10
const A_DAY = 100

/**
 * Limits public calls with a token: 10 a minute from one IP address and 100 a day for one token, then 429 (`site-and-people.md` §3). It is called before
 * the transaction, so that a refused call counts, too.
 */
export async function limitLinkCall(ctx: Pick<Ctx, 'db' | 'now'>, address: string, token: string): Promise<void> {
  await limit(ctx, `link from ${sha256(address)}`, A_MINUTE, MINUTE)
  await limit(ctx, `link ${sha256(token)}`, A_DAY, DAY)
}

async function limit(ctx: Pick<Ctx, 'db' | 'now'>, bucket: string, most: number, length: number): Promise<void> {
  const begin = Math.floor(ms(ctx.now) / length) * length
  if ((await countCall(ctx.db, bucket, instant(begin))) > most)
    refuse(rateLimited(Math.max(1, Math.ceil((begin + length - ms(ctx.now)) / 1000))))
}
