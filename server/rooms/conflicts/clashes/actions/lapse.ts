import type { Episode } from '../../../../../shared/conflicts/episodes.ts'
import { type AcceptedFacts, type LapseReason, lapseOf, type WITHDRAWN } from '../../../../../shared/conflicts/stances.ts'
import { ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { ruleNames } from '../queries/rules.ts'
import { lapseRows, lockInForce, type StanceRow } from '../queries/stances.ts'

/** Returns the facts that people agreed to. */
export const acceptedOf = ({
  accepted_severity,
  accepted_distance_m,
  covers_until,
  contractor_a,
  contractor_b,
}: StanceRow): AcceptedFacts => ({
  ...{ accepted_severity, accepted_distance_m },
  covers_until: covers_until === null ? Number.POSITIVE_INFINITY : ms(covers_until),
  contractors: [contractor_a, contractor_b],
})

/** Ends the decisions about open episodes whose facts are no longer those that people agreed to (§4.5). */
export async function lapse(ctx: Ctx, site_id: Id, episode_ids: readonly Id[], episodes: ReadonlyMap<Id, Episode>): Promise<void> {
  const lapsed = (await lockInForce(ctx.db, site_id, episode_ids)).flatMap(stance => {
    const episode = episodes.get(stance.episode_id)
    const reason = episode === undefined ? null : lapseOf(acceptedOf(stance), episode)
    return episode === undefined || reason === null ? [] : [{ stance, episode, reason }]
  })
  if (lapsed.length === 0) return
  await lapseRows(
    ctx.db,
    site_id,
    lapsed.map(({ stance, reason }) => ({ id: stance.id, reason })),
    ctx.now,
  )
  const names = await ruleNames(
    ctx.db,
    site_id,
    lapsed.map(({ episode }) => episode.origin_id),
  )
  for (const { stance, episode, reason } of lapsed)
    tellLapsed(ctx, site_id, { stance, episode, label: names.get(episode.origin_id)?.name ?? 'Clash', reason })
}

/** A decision that no longer counts, its episode with a label, and why. */
type Lapsed = { stance: StanceRow; episode: Episode; label: string; reason: LapseReason | typeof WITHDRAWN }

/** Publishes that a decision no longer counts. */
export function tellLapsed(ctx: Ctx, site_id: Id, { stance, episode, label, reason }: Lapsed): void {
  ctx.emit({
    kind: 'clash.stance_lapsed',
    site_id,
    subject: { kind: 'clash_episode', id: episode.id, label },
    payload: { episode_id: episode.id, stance_id: stance.id, stance: stance.kind, severity: episode.severity, lapse_reason: reason },
    contractor_ids: episode.contractors.flatMap(id => id ?? []),
  })
}
