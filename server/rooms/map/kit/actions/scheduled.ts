// An area on the map whose records can repeat: `placed` with schedules.

import { fieldsIn, textIn, textOrNull } from '../../../../../shared/narrow.ts'
import { canonicalJson } from '../../../../../shared/proof/canonical.ts'
import { deleteOccurrence, revertOccurrence, withDates } from '../../../../../shared/schedule-groups/occurrences.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalid, invalidField, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Row, TableName } from '../../../../base/rows.ts'
import type { TokenKind } from '../../../../kernel/covers/door.ts'
import { filters } from '../../../../kernel/listing/door.ts'
import { stateAt } from '../../../../kernel/placed/domain.ts'
import { isPlaceOf, placed } from '../../../../kernel/placed/door.ts'
import { type Kind, kind, rowUse, type Use } from '../../../../kernel/records/door.ts'
import type { Rederive } from '../../../../kernel/site/door.ts'
import { type GroupRow, groupRow, lockGroupsOf, occurrenceIds, saveGroup } from '../queries/schedules.ts'
import { editedField, occurrenceFields, scheduleShapes } from '../schema/schedules.ts'
import { type OfArea, seesTemplate, storedIn, templateFields, zoneOf } from './occurrences.ts'
import { rederivingOf } from './rederiving.ts'

type Area<T extends TableName> = ReturnType<typeof placed<T>>

/** An area with schedules, as its room uses it. */
export type Scheduled<T extends TableName> = OfArea<T> & {
  /** A schedule as a record. */
  group: Kind<GroupRow>
  shapes: ReturnType<typeof scheduleShapes>
  uses: Use[]
  /** How permits cover its records. */
  tokens: TokenKind
  /** Removes several as if each were removed alone; who can was checked before. One event is about those that were deleted, and one about those that ended. */
  removeSeveral(ctx: Ctx, rows: readonly Row<T>[]): Promise<void>
  /**
   * Locks the schedules of records that will be locked next. A change of a schedule locks its occurrences after it; the other way round, two writes would wait for
   * each other.
   */
  lockFirst(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<void>
  /** Records in their schedules that occurrences were removed, so that they don't come back when the pattern changes. */
  forget(ctx: Ctx, rows: readonly Row<T>[]): Promise<void>
  /** Gives what is ahead its times again after the time zone of the site was corrected. */
  rederive: Rederive
}

/** Makes an area whose records can repeat. */
export function scheduled<T extends TableName>(
  given: Parameters<typeof placed<T>>[0] &
    Pick<OfArea<T>, 'schedule' | 'skips' | 'bars' | 'alone' | 'said' | 'warned'> & {
      /** Locks what else is locked before its records. */
      before_lock?(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<void>
    },
): Scheduled<T> {
  const { schedule, skips, bars, alone, said, warned, before_lock, ...rest } = given
  const base: Area<T> = placed<T>({
    ...rest,
    computed: { ...rest.computed, ...occurrenceFields },
    with_change: { ...rest.with_change, ...editedField },
    list: { ...rest.list, filters: { schedule_group_id: filters.among('Schedules'), ...rest.list.filters } },
  })
  const groupOf = async (ctx: Ctx, row: Row<T>): Promise<GroupRow | null> => {
    const { site_id, schedule_group_id } = fieldsIn(row)
    return typeof schedule_group_id === 'string' ? groupRow(ctx.db, schedule, textIn(site_id), schedule_group_id, true) : null
  }
  /** Returns what an occurrence is again if it follows its schedule. */
  const followed = async (ctx: Ctx, row: Row<T>): Promise<Record<string, unknown>> => {
    const group = (await groupOf(ctx, row)) ?? refuse(invalidField('edited', 'can only be sent for an occurrence of a schedule.'))
    const back = revertOccurrence(group, storedIn(row).occurrence_date, zoneOf(ctx))
    if (back.fault !== null) return refuse(invalid([back.fault]))
    const { start_at, end_at } = back.occurrence
    // What the template leaves out has its default, as when the occurrence was created.
    const first = fieldsIn(base.blank(group.site_id, group.template))
    return {
      ...Object.fromEntries(templateFields(of).map(field => [field, first[field]])),
      start_at,
      end_at,
      edited: false,
    }
  }
  /** Returns whether a body changes something. */
  const differs = (row: Row<T>, body: Record<string, unknown>): boolean => {
    const now = fieldsIn(row)
    return Object.entries(body).some(([field, value]) =>
      field === 'place' ? !isPlaceOf(row, value) : canonicalJson(now[field] ?? null) !== canonicalJson(value ?? null),
    )
  }
  const forget = async (ctx: Ctx, rows: readonly Row<T>[]): Promise<void> => {
    const groups = Map.groupBy(rows, row => textOrNull(fieldsIn(row).schedule_group_id))
    for (const [id, gone] of [...groups].sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))) {
      const group = id === null ? null : await groupRow(ctx.db, schedule, textIn(fieldsIn(gone[0]).site_id), id, true)
      if (group === null) continue
      const days = gone.flatMap(row => deleteOccurrence(group, storedIn(row), ctx.now).removed_dates)
      const removed_dates = withDates(group.removed_dates, days)
      if (removed_dates.length !== group.removed_dates.length) await saveGroup(ctx.db, schedule, { ...group, removed_dates })
    }
  }
  const lockFirst: Scheduled<T>['lockFirst'] = async (ctx, site_id, ids) => {
    await lockGroupsOf(ctx.db, schedule, given.kind, site_id, ids)
    await before_lock?.(ctx, site_id, ids)
  }
  const area: Area<T> = {
    ...base,
    kind: {
      ...base.kind,
      async find(ctx, site_id, id, lock) {
        if (lock) await lockFirst(ctx, site_id, [id])
        return base.kind.find(ctx, site_id, id, lock)
      },
    },
    async change(ctx, row, { edited: asked, ...body }) {
      const { schedule_group_id, edited: already } = fieldsIn(row)
      const repeats = typeof schedule_group_id === 'string'
      // A client can send what it has read: with other fields, an unchanged `edited` asks for nothing.
      const edited = asked === already && Object.keys(body).length > 0 ? undefined : asked
      if (edited !== undefined && !repeats) refuse(invalidField('edited', 'can only be sent for an occurrence of a schedule.'))
      if (edited === false) {
        if (Object.keys(body).length > 0) refuse(invalidField('edited', 'can’t be false together with other changes.'))
        await base.mayChange(ctx, row)
        const set = await followed(ctx, row)
        const [back = row] = await base.putAll(ctx, [row], () => set)
        return base.show(ctx, back)
      }
      return base.change(ctx, row, repeats && (edited === true || differs(row, body)) ? { ...body, edited: true } : body)
    },
    async remove(ctx, row) {
      await base.remove(ctx, row)
      await forget(ctx, [row])
    },
  }
  const of: OfArea<T> = {
    area,
    table: given.kind,
    schedule,
    covered: given.covered === true,
    ...(skips === undefined ? {} : { skips }),
    ...(bars === undefined ? {} : { bars }),
    ...(alone === undefined ? {} : { alone }),
    ...(said === undefined ? {} : { said }),
    ...(warned === undefined ? {} : { warned }),
  }
  const { shape, noun, fields, defaults = {} } = base.given
  return {
    ...of,
    group: kind<GroupRow>({
      name: schedule,
      param: 'group_id',
      label: ({ name }) => name,
      find: (ctx, site_id, id, lock) => groupRow(ctx.db, schedule, site_id, id, lock),
      revert: 'ledger',
      hides: async (ctx, row) => ((await seesTemplate(ctx, row)) ? [] : ['template']),
    }),
    shapes: scheduleShapes({ shape, noun, fields, defaults, record: base.shapes.record, covered: of.covered, gangs: warned !== undefined }),
    uses: [...base.uses, rowUse({ of: 'contractor', name: `${schedule}s`, when: 'ever' }, schedule, 'contractor_id')],
    lockFirst,
    forget,
    rederive: rederivingOf(of),
    async removeSeveral(ctx, rows) {
      const isRunning = (row: Row<T>) => stateAt(storedIn(row), ctx.now) === 'running'
      await base.removeAll(
        ctx,
        rows.filter(row => !isRunning(row)),
        null,
      )
      await base.putAll(ctx, rows.filter(isRunning), () => ({ end_at: ctx.now }))
      await forget(ctx, rows)
    },
    tokens: base.tokens((ctx, site_id, group_ids) => occurrenceIds(ctx.db, given.kind, site_id, group_ids)),
  }
}
