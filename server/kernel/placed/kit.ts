// The endpoints of an area on the map, for its `routes.ts`.
import { fieldsIn } from '../../../shared/narrow.ts'
import type { Ctx } from '../../base/ctx.ts'
import { answer, del, get, type Route, type SentHeader } from '../../base/http.ts'
import type { Row, TableName } from '../../base/rows.ts'
import { object, ref, type TSchema, Type } from '../../base/schema.ts'
import type { Needs } from '../lifecycle/door.ts'
import { routesOf } from '../resource/kit.ts'
import type { Placed } from './actions/placed.ts'

const least = (needs: Needs): string => (typeof needs === 'string' ? needs : needs.own)

/** What an area says about its endpoints. `removing`: what its deletion takes and does instead of the standard one; with `alone`, the standard text doesn't apply. */
export type Says<T extends TableName> = {
  order: string
  /** What its list at a point in time sends besides the records. */
  sums?: { sends: readonly SentHeader[]; of(rows: readonly Record<string, unknown>[]): Record<string, string> }
  removing?: {
    says: string
    alone?: true
    query: Record<string, TSchema>
    handle(ctx: Ctx, row: Row<T>, query: Record<string, unknown>): Promise<void>
  }
}

/** Makes the endpoints: list, create, change, delete, and the list at a point in time. */
export function placedRoutes<T extends TableName>(area: Placed<T>, says: Says<T>): Route[] {
  const { given, shapes, kind } = area
  const { noun } = given
  const root = given.path.replace(/\/$/, '')
  const one = `${root}/:${kind.param}`
  const plural = given.path.replaceAll('/', '').replaceAll('-', ' ')
  return [
    get(`${root}/at-time`, {
      name: `${given.kind}.list_at_time`,
      summary: `List ${plural} at a point in time`,
      says: `Returns everything that is there at a point in time, by start and id, without pagination; with \`permissions\` only if \`include\` asks for them. With more than 20,000 records, a bounding box is required.`,
      access: { needs: given.access.view },
      query: area.at_time,
      reply: Type.Array(ref(shapes.record)),
      ...(says.sums === undefined ? {} : { sends: says.sums.sends }),
      handle: async ({ ctx, site_id, query }) => {
        const rows = await area.atTime(ctx, site_id, fieldsIn(query))
        return says.sums === undefined ? rows : answer(rows, { headers: says.sums.of(rows) })
      },
    }),
    ...routesOf(area, says),
    del(one, {
      name: `${given.kind}.delete`,
      summary: `Remove a ${noun}`,
      says: says.removing?.alone
        ? says.removing.says
        : `Removes a ${noun} that is still ahead. One that is there now ends now, and stays on the map of the time before. One that has ended can only be deleted with map_entity_purge.${says.removing === undefined ? '' : ` ${says.removing.says}`}`,
      access: { needs: least(given.access.remove) },
      on: kind,
      query: object(says.removing?.query ?? {}),
      reply: null,
      refuses: ['conflict', 'forbidden'],
      handle: ({ ctx, thing, query }) =>
        says.removing === undefined ? area.remove(ctx, thing) : says.removing.handle(ctx, thing, fieldsIn(query)),
    }),
  ]
}
