// The endpoints of a plain area, for its `routes.ts`.
import { fieldsIn } from '../../../shared/narrow.ts'
import { created, del, get, page, patch, post, type Route } from '../../base/http.ts'
import type { Row, TableName } from '../../base/rows.ts'
import { id, list, object, orNull, ref, shape, Type, text } from '../../base/schema.ts'
import { evidenceRoutes } from '../evidence/kit.ts'
import { bodyOf, type GivenStep, type Needs, verbOf, wordsIn } from '../lifecycle/door.ts'
import type { Resource } from './actions/given.ts'
import { nameOf } from './actions/resource.ts'

/** The permission that everyone who can do something has. */
const least = (needs: Needs): string => (typeof needs === 'string' ? needs : needs.own)

/** Makes the endpoints: list, create, show, change and delete, and restore if the area has a bin. `says` describes the order of the list. */
export function routesOf<T extends TableName>(area: Resource<T>, says: { order: string }): Route[] {
  const { given, shapes, kind, binned } = area
  const all = given.path
  const one = `${all.replace(/\/$/, '')}/:${kind.param}`
  const plural = nameOf(all).replaceAll('_', ' ')
  const { noun } = given
  const results = resultsOf(given.shape, plural)
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
      sends: ['X-Total-Count'],
      handle: async ({ ctx, site_id, query }) => {
        const { rows, next, total } = await area.page(ctx, site_id, query)
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
        const { site_id: _site, ...fields } = fieldsIn(body) // the edge has read the site
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
      handle: ({ ctx, thing, body }) => area.change(ctx, thing, body),
    }),
    ...(given.without_remove
      ? []
      : [
          del(one, {
            name: `${given.kind}.delete`,
            summary: `Delete a ${noun}`,
            says:
              given.bin === true
                ? `Deletes a ${noun}, which can be restored.`
                : `Deletes a ${noun} permanently. A ${noun} that is in use can’t be deleted.`,
            access: { needs: least(given.access.remove) },
            on: kind,
            reply: null,
            refuses: ['conflict'],
            handle: ({ ctx, thing }) => area.remove(ctx, thing),
          }),
        ]),
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
    ...(area.evidence === null || given.evidence === undefined
      ? []
      : evidenceRoutes({
          ...area.evidence,
          ...{ one, kind, noun, view: given.access.view, add: least(given.evidence.add) },
        })),
    ...Object.entries(given.lifecycle?.by_change ? {} : (given.lifecycle?.steps ?? {})).flatMap(([action, step]) =>
      step.by_clock ? [] : stepRoutes(area, action, step, { all, one, plural, results }),
    ),
  ]
}

/** Makes the endpoints of one step: for one record, and for several if it has `bulk`. */
function stepRoutes<T extends TableName>(
  area: Resource<T>,
  action: string,
  step: GivenStep<Row<T>>,
  at: { all: string; one: string; plural: string; results: ReturnType<typeof resultsOf> },
): Route[] {
  const { given, shapes, kind } = area
  const body = bodyOf(given.shape, action, step)
  // The permission that everyone who can take the step from any state has.
  const actors = (given.lifecycle?.graph.transitions ?? []).flatMap(t => (t.action === action ? [given.lifecycle?.actors[t.actor]] : []))
  const all_need = new Set(actors.map(who => (who === undefined || typeof who === 'function' ? given.access.view : least(who))))
  const needs = all_need.size === 1 ? [...all_need].join() : given.access.view
  const passes_lock = step.passes_lock === true
  const verb = verbOf(action, step)
  const one = post(`${at.one}/${verb}`, {
    name: `${given.kind}.${action}`,
    summary: step.summary,
    says: step.says,
    access: { needs },
    on: kind,
    body,
    of: shapes.record,
    reply: ref(shapes.record),
    refuses: ['invalid_transition', 'forbidden', 'conflict'],
    passes_lock,
    handle: ({ ctx, thing, body: fields }) => area.step(ctx, thing, action, fields),
  })
  if (step.bulk !== true) return [one]
  const below = at.all.includes(':site_id')
  const several = shape(`${given.shape}${wordsIn(action)}Bulk`, `${step.summary}: several at once`, {
    ...(below ? {} : { site_id: id('Site') }),
    ids: list(id('Id'), `The ${at.plural}`, { min: 1, max: 200, unique: true }),
    ...body.properties,
  })
  return [
    one,
    post(`${at.all.replace(/\/$/, '')}/${verb}-bulk`, {
      name: `${given.kind}.${action}_bulk`,
      summary: `${step.summary}: several at once`,
      says: `Takes this step for several ${at.plural}. Each record is checked as if it were alone, and has its own result.`,
      access: { needs },
      body: several,
      reply: ref(at.results),
      passes_lock,
      handle: ({ ctx, site_id, body: sent }) => {
        const { ids, site_id: _site, ...fields } = sent // the edge has read the site
        return area.stepAll(ctx, site_id, ids, action, fields)
      },
    }),
  ]
}

/** The shape of the results of steps for several records, the same for all steps of an area. */
const resultsOf = (name: string, plural: string) =>
  shape(`${name}Results`, `The result of a step for each of several ${plural}`, {
    done: list(object({ id: id('Id'), label: text('Name', { max: 500, example: 'SN-000123' }) }), 'Records that took the step', {
      max: 200,
    }),
    refused: list(
      object({
        id: id('Id'),
        label: orNull(text('Name; null if the caller can’t see the record', { max: 500, example: 'SN-000123' })),
        code: text('Code of the refusal', { max: 100, example: 'invalid_transition' }),
        detail: text('The reason in a sentence', { max: 2000, example: 'This snag is closed, so it can’t be closed out now.' }),
      }),
      'Records for which the step was refused',
      { max: 200 },
    ),
  })
