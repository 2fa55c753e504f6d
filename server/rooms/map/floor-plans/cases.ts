// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { COORDINATE, coordinator, file, hse, needs, ok, roomCases, square, type Tour, writes } from '../../../../tests/calls.ts'
import { drawingOf, pdfOf, rectangle, sheet, stopped, upload, worked } from '../../../../tests/plans.ts'

const view = needs('map_view')
const edit = needs('floor_plan_edit')

const building = async (t: Tour): Promise<string> =>
  (
    await ok(
      hse(t).post('/reference-features/zones', {
        site_id: t.site_id,
        kind: 'building',
        name: `Block ${t.fresh()}`,
        levels: [{ index: 0 }],
        effective_at: '2026-03-01T00:00:00.000Z',
        outline: square(t.fresh()),
      }),
    )
  ).id

const PLACED = { mode: 'affine', anchor: { lon: -0.0877, lat: 51.5079 }, anchor_sheet: { x: 0, y: 0 }, scale: 0.1 }

const picture = async (t: Tour, feature_id: string) =>
  upload(await sheet([], t.fresh()), `plan-${t.fresh()}.png`, {
    site_id: t.site_id,
    feature_id,
    placement: JSON.stringify({ mode: 'fit' }),
  })
const ready = async (t: Tour): Promise<string> =>
  (await worked(t.house, await coordinator(t).send('POST', '/floor-plans/upload-image', await picture(t, await building(t))))).body.id
const drawing = (t: Tour) => file(drawingOf(rectangle(10_000 + t.fresh(), 5000)), `plan-${t.fresh()}.dxf`)
const inspected = async (t: Tour): Promise<string> =>
  (await ok(coordinator(t).send('POST', '/floor-plans/import-dxf/inspect', [{ name: 'site_id', value: t.site_id }, drawing(t)]))).session_id

export const cases = roomCases({
  held: { floor_plan_edit: COORDINATE },
  records: async t => {
    const feature_id = await building(t)
    const made = await coordinator(t).send('POST', '/floor-plans/upload-image', await picture(t, feature_id))
    await worked(t.house, made)
    return { floor_plan_id: made.body.id, session_id: await inspected(t), level_index: '0' }
  },
  routes: {
    'floor_plan.upload': writes(edit, async t => {
      const [one, other] = [await building(t), await building(t)]
      const parts = (feature_id: string) => upload(pdfOf(1, { width: 400 + t.fresh() }), 'plan.pdf', { site_id: t.site_id, feature_id })
      return { by: coordinator(t), parts: parts(one), others: parts(other) }
    }),
    'floor_plan.upload_image': writes(edit, async t => ({
      by: coordinator(t),
      parts: await picture(t, await building(t)),
      others: await picture(t, await building(t)),
    })),
    'dxf_import.inspect': writes(edit, t => ({
      by: coordinator(t),
      parts: [{ name: 'site_id', value: t.site_id }, drawing(t)],
      others: [{ name: 'site_id', value: t.site_id }, drawing(t)],
    })),
    'dxf_import.import': writes(edit, async t => ({
      by: coordinator(t),
      body: { site_id: t.site_id, session_id: await inspected(t), feature_id: await building(t) },
      other: { site_id: t.site_id, session_id: await inspected(t), feature_id: await building(t) },
    })),
    'dxf_import.show': edit,
    'dxf_import.list_active': edit,
    'floor_plan.list_at_time': view,
    'floor_plan.list': view,
    'floor_plan.list_of_feature': view,
    'floor_plan.show_level': needs('map_view', { absent: true }),
    'floor_plan.image': view,
    'floor_plan.vector': view,
    'floor_plan.place': writes(edit, async t => ({
      by: coordinator(t),
      params: { floor_plan_id: await ready(t) },
      body: PLACED,
    })),
    'floor_plan.redraw': writes(edit, async t => {
      const placed = await coordinator(t).patch(`/floor-plans/${await ready(t)}/placement`, PLACED)
      return { by: coordinator(t), params: { floor_plan_id: await stopped(t.house, placed, 'lost_floor_plans') } }
    }),
    'floor_plan.change_visibility': writes(edit, async t => ({
      by: coordinator(t),
      params: { floor_plan_id: await ready(t) },
      body: { opacity: 0.5 },
    })),
    'floor_plan.reprocess': writes({ ...edit, no_trace: 'it queues a job, and the change of that job is an entry' }, async t => ({
      by: coordinator(t),
      params: { floor_plan_id: await ready(t) },
      body: { min_length_m: 1 },
      other: { min_length_m: 2 },
    })),
    'floor_plan.delete': writes(edit, async t => ({ by: coordinator(t), params: { floor_plan_id: await ready(t) } })),
  },
})
