// The endpoints of a plain area, for its `routes.ts`.
import { created, del, get, page, patch, post, type Route } from '../../base/http.ts'
import type { TableName } from '../../base/rows.ts'
import { ref, Type } from '../../base/schema.ts'
import { type Needs, nameOf, type Resource } from './actions.ts'

/** The permission that everyone who can do something has at least. */
const least = (needs: Needs): string => (typeof needs === 'string' ? needs : needs.own)

/** Makes the endpoints: list, create, show, change and delete, and restore if the area has a bin. `says` describes the order of the list. */
export function routesOf<T extends TableName>(area: Resource<T>, says: { order: string }): Route[] {
  const { given, shapes, kind, binned } = area
  const all = given.path
  const one = `${all.replace(/\/$/, '')}/:${kind.param}`
  const plural = nameOf(all).replaceAll('_', ' ')
  const { noun } = given
  const below = all.includes(':site_id')
  const addressOf = (site_id: string, id: unknown) =>
    given.without_show
      ? `${all.replace(':site_id', site_id)}?${below ? '' : `site_id=${site_id}&`}id=${id}`
      : one.replace(':site_id', site_id).replace(`:${kind.param}`, String(id))
  return [
    get(all, {
      name: `${given.kind}.list`,
      summary: `List ${plural}`,
      says: `Returns the ${plural} of a site, ${says.order}.`,
      access: { needs: given.access.view },
      query: area.list.query,
      reply: Type.Array(ref(shapes.record)),
      handle: async ({ ctx, site_id, query }) => {
        const { rows, next, total } = await area.page(ctx, site_id, query as Record<string, unknown>) // an object of these parameters
        return page(rows, { next, total })
      },
    }),
    post(all, {
      name: `${given.kind}.create`,
      summary: `Create a ${noun}`,
      says: `Creates a ${noun} on a site.`,
      access: { needs: least(given.access.create) },
      body: shapes.create,
      of: shapes.record,
      reply: ref(shapes.record),
      status: 201,
      refuses: ['conflict'],
      handle: async ({ ctx, site_id, body }) => {
        const { site_id: _site, ...fields } = body as Record<string, unknown> // an object of these fields; the edge has read the site
        const made = await area.create(ctx, site_id, fields)
        return created(made, addressOf(site_id, made.id))
      },
    }),
    ...(given.without_show
      ? []
      : [
          get(one, {
            name: `${given.kind}.show`,
            summary: `Show a ${noun}`,
            says: `Returns one ${noun}.`,
            access: { needs: given.access.view },
            on: kind,
            reply: ref(shapes.record),
            handle: ({ ctx, thing }) => area.show(ctx, thing),
          }),
        ]),
    patch(one, {
      name: `${given.kind}.change`,
      summary: `Change a ${noun}`,
      says: `Changes the fields of a ${noun} that are sent; null clears a field.`,
      access: { needs: least(given.access.change) },
      on: kind,
      body: shapes.change,
      of: shapes.record,
      reply: ref(shapes.record),
      refuses: ['conflict'],
      handle: ({ ctx, thing, body }) => area.change(ctx, thing, body as Record<string, unknown>), // an object of these fields
    }),
    del(one, {
      name: `${given.kind}.delete`,
      summary: `Delete a ${noun}`,
      says: given.bin
        ? `Deletes a ${noun}. It can be restored.`
        : `Deletes a ${noun} permanently. A ${noun} that is in use can’t be deleted.`,
      access: { needs: least(given.access.remove) },
      on: kind,
      reply: null,
      refuses: ['conflict'],
      handle: ({ ctx, thing }) => area.remove(ctx, thing),
    }),
    ...(given.access.restore === undefined
      ? []
      : [
          post(`${one}/restore`, {
            name: `${given.kind}.restore`,
            summary: `Restore a ${noun}`,
            says: `Restores a deleted ${noun}.`,
            access: { needs: given.access.restore },
            on: binned,
            reply: ref(shapes.record),
            refuses: ['conflict'],
            handle: ({ ctx, thing }) => area.restore(ctx, thing),
          }),
        ]),
  ]
}
