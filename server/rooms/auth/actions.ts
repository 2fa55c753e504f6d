import { NOBODY } from '../../base/actor.ts'
import type { Ctx } from '../../base/ctx.ts'
import { notFound, refuse } from '../../base/errors.ts'
import { initialsOf, RANK } from '../../kernel/access/domain.ts'
import { actorFor, permissionsOf } from '../../kernel/access/door.ts'
import { flagsOf } from '../../kernel/site/door.ts'
import { meRow, myMemberships } from './queries.ts'

/** The first call of the app each morning: who is calling, and what may he do on which site. */
export async function showMe(ctx: Ctx): Promise<Record<string, unknown>> {
  const { settings } = ctx.house
  const me = ctx.actor.id === null ? null : await meRow(ctx.db, ctx.actor.id)
  if (me === null) return refuse(notFound())
  const rows = await myMemberships(ctx.db, me.id)
  const flags = await flagsOf(
    ctx,
    rows.map(row => row.site_id),
  )
  const memberships = rows.map(({ locked, ...row }) => {
    const standing = {
      site_id: row.site_id,
      membership_id: row.id,
      role: row.role,
      contractor_id: row.contractor_id,
      timezone: row.timezone,
    }
    const actor = row.status === 'active' ? actorFor(me, standing, settings) : NOBODY
    return {
      ...row,
      rank: RANK[row.role],
      permissions: row.status === 'active' ? permissionsOf(actor) : [],
      flags: { locked, coverage_policy_enabled: false, close_out_gate_enabled: false, regime: null, ...flags.get(row.site_id) },
    }
  })
  const { subject: _subject, email_suppressed, ...user } = me
  const external = settings.oidc_issuer !== null
  return {
    user: { ...user, initials: initialsOf(me.name) },
    memberships,
    flags: { email_suppressed, can_create_site: ctx.actor.can('site_create'), must_change_password: false },
    provider: {
      kind: external ? 'external' : 'built_in',
      can_change_password: !external,
      account_url: external ? settings.oidc_issuer : null,
    },
    server_time: ctx.now,
  }
}
