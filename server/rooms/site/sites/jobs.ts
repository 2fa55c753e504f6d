import { jobActor } from '../../../base/actor.ts'
import { inRounds, type JobKind, type Schedule } from '../../../kernel/jobs/door.ts'
import { seedOldSite, sitesToSeed, writingOn } from '../../../kernel/site/door.ts'
import { eraseSite } from './actions/life.ts'

export const jobs: JobKind[] = [
  {
    kind: 'site_nuke',
    says: 'Erases a site table by table; a restarted run continues where it stopped.',
    run: job => eraseSite(job.house, String(job.input.site_id), String(job.input.reason), job.progress),
  },
]

export const schedules: Schedule[] = [
  {
    kind: 'site_seeds',
    says: 'Gives sites that are older than this version what a new site has and they never had.',
    every_minutes: 1,
    run: async house => ({
      added: await inRounds(house, {
        due: () => sitesToSeed(house.database.db),
        // A locked site gets it too: work continues by its rules as soon as it is unlocked.
        batch: site_id =>
          writingOn(
            house,
            { actor: jobActor('site_seeds'), cause: 'site.seeds' },
            site_id,
            async ctx => ({ done: await seedOldSite(ctx, site_id), more: false }),
            { passes_lock: true },
          ),
      }),
    }),
  },
]
