// What the service does by the clock and in the background, from the rooms: the page docs/schedules.md.
import { groups } from '../../server/groups.ts'

const EVERY: Readonly<Record<number, string>> = { 1: 'every minute', 60: 'every hour', [24 * 60]: 'every day' }
const often = (minutes: number): string => EVERY[minutes] ?? `every ${minutes} minutes`

/** Returns the page docs/schedules.md. */
export function schedulesPage(): string {
  const rooms = groups.flatMap(group => group.rooms)
  const schedules = rooms.flatMap(room => room.schedules ?? []).toSorted((a, b) => a.every_minutes - b.every_minutes)
  const jobs = rooms.flatMap(room => room.jobs ?? [])
  return `<!-- Generated from the schedules and the jobs of the rooms by npm run gen. -->

# What the service does by itself

Each schedule runs in one process at a time, the one that claims it first, and doesn't wait for other schedules. A run that was missed because no process was running is made up once.

${schedules.map(({ kind, says, every_minutes }) => `- \`${kind}\`, ${often(every_minutes)}: ${says}`).join('\n')}

Jobs are queued by a request or a schedule. \`GET /api/admin/job-runs\` lists them with their progress.

${jobs.map(({ kind, says }) => `- \`${kind}\`: ${says}`).join('\n')}
`
}
