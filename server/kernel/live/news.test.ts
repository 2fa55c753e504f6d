import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ids as newIds } from '../../base/ids.ts'
import { newsOf } from './actions/news.ts'
import type { Heard } from './queries.ts'

const heard = (more: Partial<Heard>): Heard => ({
  ...{ id: newIds.next(), site_id: newIds.next(), event_no: 1, kind: 'map_entity.changed', at: '2026-03-16T09:00:00.000Z' },
  ...{ actor_id: null, subject_kind: 'worker', subject_id: newIds.next(), request_id: 'r1', ids: null, before: null },
  ...more,
})
const frameOf = (event: Heard) => newsOf([event], 7).frames[0]?.frame

describe('frames of events', () => {
  test('§12 a frame names all records of its event, or the first 100 and that there are more, so that no app misses one', () => {
    const alone = heard({})
    assert.deepEqual([frameOf(alone)?.ids, frameOf(alone)?.more], [[alone.subject_id], false])
    const many = Array.from({ length: 101 }, () => newIds.next())
    const some = frameOf(heard({ ids: many.slice(0, 100) }))
    assert.deepEqual([some?.ids, some?.more], [many.slice(0, 100), false])
    const all = frameOf(heard({ ids: many }))
    assert.deepEqual([all?.ids, all?.more], [many.slice(0, 100), true])
  })
  test('§12 a frame lists the layers of the map that its event changed, and no others', () => {
    const layersOf = (kind: string, subject_kind: string) => frameOf(heard({ kind, subject_kind }))?.layers
    const things = ['worker', 'plant', 'delivery', 'active_area', 'poi', 'text_label'] as const
    assert.deepEqual(
      things.map(one => layersOf('map_entity.changed', one)),
      [['tokens'], ['tokens'], ['tokens'], ['areas'], ['annotations'], ['annotations']],
    )
    assert.deepEqual(layersOf('map_entity.changed', 'schedule_group'), ['tokens', 'areas', 'annotations'])
    assert.deepEqual(layersOf('alert.raised', 'alert'), ['annotations'])
    assert.deepEqual(layersOf('floor_plan.ready', 'floor_plan'), ['plans'])
    assert.deepEqual(layersOf('main_contractor.changed', 'site'), ['tokens', 'areas'])
    assert.equal(layersOf('permit.issued', 'permit'), undefined)
  })
})
