import type { Ctx } from '../../../../base/ctx.ts'
import { notFound, refuse, unauthenticated } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { siteWithContractors } from '../../../../kernel/links/door.ts'
import { type ContractorRow, contractorsOn, listedMain } from '../queries.ts'

export const publicly = (row: ContractorRow, token?: string) => ({
  id: row.id,
  name: row.name,
  short_name: row.short_name,
  colour: row.colour,
  logo_url:
    row.logo_sha256 === null
      ? null
      : `/api/contractors/${row.id}/logo/image?v=${row.logo_version}${token === undefined ? '' : `&token=${encodeURIComponent(token)}`}`,
})

/**
 * Lists contractors for anonymous callers: with the token of a link those to choose from, without one the main contractor of a listed site. `in_url`: the
 * caller sent the token in the URL, so the URLs of the logos can contain it, too.
 */
export async function publicContractors(ctx: Ctx, query: { site_id?: Id; token?: string }, in_url: boolean): Promise<unknown[]> {
  const { site_id, token } = query
  if (token !== undefined) {
    const opened = await siteWithContractors(ctx, token)
    return opened === null ? refuse(notFound()) : contractorsForLink(ctx, opened, in_url ? token : undefined)
  }
  const rows = site_id === undefined ? [] : await listedMain(ctx.db, site_id)
  return rows.length === 0 ? refuse(notFound()) : rows.map(row => publicly(row))
}

/** Lists a site's active contractors, for the bearer of a link that lets them choose one. */
export async function contractorsForLink(ctx: Pick<Ctx, 'db'>, site_id: Id, token?: string): Promise<unknown[]> {
  return (await contractorsOn(ctx.db, site_id, { status: ['active'], limit: 1000, after: null })).map(row => publicly(row, token))
}

/**
 * Refuses an anonymous caller the logo of a contractor that they can't see: it must be on the list of a link, or be the main contractor of a listed
 * site.
 */
export async function seenByStranger(ctx: Ctx, row: ContractorRow, token: string | undefined): Promise<void> {
  const opened = token === undefined ? null : await siteWithContractors(ctx, token)
  if (opened === row.site_id && row.status === 'active') return
  const listed = await listedMain(ctx.db, row.site_id)
  if (!listed.some(contractor => contractor.id === row.id))
    refuse(unauthenticated('missing', 'You aren’t signed in. Sign in and try again.'))
}
