import { ask, client, freshKey } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'
import type { Episode } from './types.ts'

/** A blocker that was declared from a clash. */
export type Stop = Episode['blockers'][number]
/** One of the two sides of a clash. */
export type SideName = Episode['stoppable'][number]

/** What a person says of work that has stopped. */
export type Stopping = { affected: SideName; started_at: string | null; description: string }

/** Returns the sides whose work the reader can still say has stopped: those without a blocker. */
export const sidesToStop = (episode: Episode): SideName[] =>
  episode.stoppable.filter(side => {
    const { contractor_id } = episode[side]
    return !episode.blockers.some(blocker => contractor_id !== null && blocker.contractor_ids.includes(contractor_id))
  })

/** Says that work of a side has stopped. */
export async function declareStop(site_id: string, episode_id: string, { affected, started_at, description }: Stopping): Promise<void> {
  const more = { ...(started_at === null ? {} : { started_at }), ...(description === '' ? {} : { description }) }
  await ask(client.POST('/clashes/declare-blocker', { body: { site_id, episode_id, affected, ...more }, headers: freshKey() }))
  await queries.invalidateQueries({ queryKey: ['clashes'] })
}

/** Says that work goes on again. */
export async function endStop(site_id: string, blocker_id: string, given: { how: string; cleared_at: string | null }): Promise<void> {
  const { how, cleared_at } = given
  await ask(
    client.POST('/sites/{site_id}/blockers/{blocker_id}/resolve', {
      params: { path: { site_id, blocker_id } },
      body: { how, ...(cleared_at === null ? {} : { cleared_at }) },
      headers: freshKey(),
    }),
  )
  await queries.invalidateQueries({ queryKey: ['clashes'] })
}
