// The endpoints of an area whose records can repeat, for its `routes.ts`.
import { fieldsIn } from '../../../../../shared/narrow.ts'
import { startOfDay } from '../../../../../shared/time.ts'
import { answer, created, del, get, patch, post, put, type Route, rehearsal } from '../../../../base/http.ts'
import type { TableName } from '../../../../base/rows.ts'
import { ref, Type } from '../../../../base/schema.ts'
import { copyRange } from '../actions/copies.ts'
import { convert, createSchedule } from '../actions/creating.ts'
import { changeGroup, finishGroup, futureOf, reconcileGroup, removeGroup } from '../actions/groups.ts'
import { showGroup, zoneOf } from '../actions/occurrences.ts'
import type { Scheduled } from '../actions/scheduled.ts'
import { Copied, CopyRange, Finish, Future, Reconcile, Removal } from '../schema/schedules.ts'

/** Makes the endpoints of schedules: create, convert, copy, show, change, reconcile, finish early, future occurrences, delete. `verb`: path of the first. */
export function scheduleRoutes<T extends TableName>(of: Scheduled<T>, { verb }: { verb: 'create-schedule' | 'schedule' }): Route[] {
  const { area, group, shapes } = of
  const { given, kind } = area
  const { noun } = given
  const root = given.path.replace(/\/$/, '')
  const one = `${root}/schedule-group/:group_id`
  const refuses = ['conflict', 'forbidden'] as const
  const writes = { access: { needs: 'map_entity_edit' }, on: group, refuses } as const
  const addressOf = (made: { group: Record<string, unknown> }) => `${root}/schedule-group/${made.group.id}`
  return [
    post(`${root}/${verb}`, {
      name: `${given.kind}_schedule.create`,
      summary: `Create a schedule of a ${noun}`,
      says: `Creates a schedule with all its occurrences, in site time. Contractors can begin today, coordinators up to 31 days ago.`,
      access: { needs: 'map_entity_edit' },
      body: shapes.Create,
      of: shapes.Group,
      reply: ref(shapes.Created),
      status: 201,
      refuses,
      handle: async ({ ctx, site_id, body }) => {
        const { template, pattern } = body
        const { permit_id } = fieldsIn(body)
        const made = await createSchedule(ctx, of, site_id, {
          template: fieldsIn(template),
          pattern,
          ...(typeof permit_id === 'string' ? { permit_id } : {}),
        })
        return created(made, addressOf(made))
      },
    }),
    post(`${root}/:${kind.param}/convert-to-schedule`, {
      name: `${given.kind}.convert`,
      summary: `Make a schedule of a ${noun}`,
      says: `Makes a schedule of a single ${noun}, which keeps its id and becomes the occurrence of its site day.`,
      access: { needs: 'map_entity_edit' },
      on: kind,
      body: shapes.Convert,
      reply: ref(shapes.Created),
      status: 201,
      refuses,
      handle: async ({ ctx, thing, body }) => {
        const made = await convert(ctx, of, thing, body)
        return created(made, addressOf(made))
      },
    }),
    post(`${root}/copy-from-range`, {
      name: `${given.kind}.copy`,
      summary: `Copy what starts on some days`,
      says: `Copies what starts on some site days so that the first day lands on another one: 07:30 stays 07:30. Copies don’t repeat. All are made, or none.`,
      access: { needs: 'map_entity_edit' },
      body: CopyRange,
      reply: ref(Copied),
      status: 201,
      also: { 200: 'A dry run: nothing was copied' },
      refuses,
      handle: async ({ ctx, site_id, body }) => {
        const { site_id: _site, dry_run, ...range } = body // the edge has read the site
        const done = await copyRange(ctx, of, site_id, range)
        return dry_run
          ? rehearsal(done)
          : created(done, `${given.path}?site_id=${site_id}&from=${startOfDay(zoneOf(ctx), range.target_date)}`)
      },
    }),
    get(one, {
      name: `${given.kind}_schedule.show`,
      summary: `Show a schedule of a ${noun}`,
      says: `Returns a schedule with its pattern and how many of its occurrences have ended, are there now, and are still ahead.`,
      access: { needs: 'map_view' },
      on: group,
      reply: ref(shapes.Group),
      handle: ({ ctx, thing }) => showGroup(ctx, of, thing),
    }),
    patch(one, {
      name: `${given.kind}_schedule.change`,
      summary: `Change a schedule of a ${noun}`,
      says: `Changes fields of the future occurrences that follow the schedule. Their times are changed with reconcile.`,
      ...writes,
      body: shapes.Change,
      of: shapes.Group,
      reply: ref(shapes.Group),
      handle: ({ ctx, thing, body }) => changeGroup(ctx, of, thing, fieldsIn(body)),
    }),
    del(one, {
      name: `${given.kind}_schedule.delete`,
      summary: `Delete a schedule of a ${noun}`,
      says: `Removes the future occurrences. The one that is there now continues to its end, unless finish_running is sent. What has ended stays, unless scope=all is sent, which requires map_entity_purge. If another record uses one that would be removed, such as the bay of a delivery, nothing is changed: 409 \`in_use\`.`,
      ...writes,
      query: Removal,
      reply: null,
      handle: ({ ctx, thing, query }) => removeGroup(ctx, of, thing, query),
    }),
    post(`${one}/finish-early`, {
      name: `${given.kind}_schedule.finish_early`,
      summary: `Finish a schedule of a ${noun} early`,
      says: `Ends the occurrence that is there at that time, and removes all that start later. Contractors can do this up to 24 hours afterwards. Repeating it changes nothing. If another record uses one that would be removed, such as the bay of a delivery, nothing is changed: 409 \`in_use\`.`,
      ...writes,
      body: Finish,
      reply: ref(shapes.Finished),
      handle: ({ ctx, thing, body }) => finishGroup(ctx, of, thing, body),
    }),
    get(`${one}/future-occurrences`, {
      name: `${given.kind}_schedule.list_future`,
      summary: `List the future occurrences of a schedule`,
      says: `Returns the occurrences that start after now, or after \`from\`, by start.`,
      access: { needs: 'map_view' },
      on: group,
      query: Future,
      reply: Type.Array(ref(area.shapes.record)),
      handle: ({ ctx, thing, query }) => futureOf(ctx, of, thing, query.from),
    }),
    put(`${one}/reconcile`, {
      name: `${given.kind}_schedule.reconcile`,
      summary: `Give a schedule of a ${noun} another pattern`,
      says: `Makes the future occurrences match a pattern. What has started, and what a person has changed, stays as it is; what a person has removed stays removed unless it is in restore_dates. Repeating it changes nothing. If another record uses one that would be removed, such as the bay of a delivery, nothing is changed: 409 \`in_use\`.`,
      ...writes,
      body: Reconcile,
      reply: ref(shapes.Reconciled),
      handle: async ({ ctx, thing, body: { dry_run, ...body } }) => {
        const done = await reconcileGroup(ctx, of, thing, body)
        return dry_run ? rehearsal(done) : answer(done)
      },
    }),
  ]
}
