import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Schemas } from '../../../base/api.ts'
import { absentReceiver, handedBackFor } from './behalf.ts'
import { boardQuery } from './board-query.ts'
import { columnsOf, narrowedBy, ORDER, shownOf, unfiltered } from './model.ts'
import { awaitedOf, standingOf } from './standing.ts'
import { isShown, tilesOf } from './tiles.ts'

type Card = Schemas['PermitCard']
const no = { allowed: false, because: [] }
const card = (more: Partial<Card>): Card =>
  ({
    status: 'requested',
    awaiting_countersign: false,
    handed_back_at: null,
    end_at: null,
    permit_number: 'PTW-000123',
    title: 'Weld handrails, stair 3',
    contractor: { id: '', name: 'Acme Scaffolding Ltd' },
    location: 'Block A',
    categories: ['HW'],
    permissions: {
      endorse: no,
      approve: no,
      issue: no,
      countersign: no,
      close_out: no,
      edit: no,
      approve_extension: no,
      reject_extension: no,
    },
    ...more,
  }) as unknown as Card // only the fields that the model reads

describe('the board', () => {
  test('9.24 urgent statuses come first; awaiting countersignature and handed back have their own columns', () => {
    const rows = [
      card({ status: 'closed' }),
      card({ status: 'issued' }),
      card({ status: 'approved', awaiting_countersign: true }),
      card({ status: 'issued', handed_back_at: '2026-03-16T09:00:00.000Z' }),
      card({ status: 'draft' }),
    ]
    assert.deepEqual(
      columnsOf(rows, Date.parse('2026-03-16T09:00:00.000Z')).map(column => column.standing),
      ['issued', 'handed_back', 'awaiting_countersign', 'draft', 'closed'],
    )
  })

  test('9.24 a board shows permits that were requested here; a switch adds imported ones, which is no filter; the numbers of Today include them', () => {
    const sourceOf = (filters: Record<string, string>) => (boardQuery('', filters) as { source?: string }).source
    assert.deepEqual([sourceOf({}), sourceOf({ imported: '1' }), sourceOf({ imported: 'only' })], ['requested', undefined, 'imported'])
    assert.deepEqual([narrowedBy({}), narrowedBy({ imported: '1', view: 'table' }), narrowedBy({ imported: 'only', soon: '1' })], [0, 0, 2])
    const after = (filters: Record<string, string>) => {
      const all: Record<string, string | undefined> = { ...filters, ...unfiltered(filters) }
      return Object.keys(all).filter(name => all[name] !== undefined)
    }
    assert.deepEqual(after({ imported: '1', soon: '1', view: 'table' }), ['imported', 'view'])
    assert.deepEqual(after({ imported: 'only', q: 'weld' }), [])
    assert.deepEqual(
      [...new Set(tilesOf('2026-03-16T09:00:00.000Z').map(tile => sourceOf(tile.filters as Record<string, string>)))],
      [undefined],
    )
  })

  test('9.24 a board can show the permits of one register, whatever their status, and says that it is a filter', () => {
    const asked = boardQuery('', { imported: 'only', register: 'r1' }) as Record<string, unknown>
    assert.deepEqual([asked.set_id, asked.status, asked.source], [['r1'], undefined, 'imported'])
    assert.deepEqual([narrowedBy({ register: 'r1', view: 'table' }), 'register' in unfiltered({ register: 'r1' })], [1, true])
  })

  test('§4.7 the board is asked for stopped permits by a filter, and their number is shown only if there are some', () => {
    assert.deepEqual([(boardQuery('', { stopped: '1' }) as { stopped?: boolean }).stopped, narrowedBy({ stopped: '1' })], [true, 1])
    const names = (stopped: number | null | undefined) =>
      tilesOf(null).flatMap(tile => (isShown(tile, stopped === undefined ? {} : { stopped }) ? tile.name : []))
    assert.deepEqual(
      [0, undefined, 2, null].map(n => names(n).includes('stopped')),
      [false, false, true, true],
    )
    assert.equal(names(0).length, 6)
  })

  test('9.24 each column is sorted soonest first, live permits by their end and others by their start; columns can be by contractor, place and day', () => {
    const now = Date.parse('2026-03-16T09:00:00.000Z')
    const at = (id: string, hour: string, more: Partial<Card> = {}) =>
      card({ id, status: 'requested', start_at: `2026-03-16T${hour}:00:00.000Z`, end_at: '2026-03-16T20:00:00.000Z', ...more })
    const rows = [at('late', '15'), at('none', '10', { start_at: null, end_at: null }), at('soon', '10')]
    assert.deepEqual(
      columnsOf(rows, now)[0]?.rows.map(row => row.id),
      ['soon', 'late', 'none'],
    )
    const named = [at('a', '11', { location: 'Roof' }), at('b', '10', { location: 'Pit' }), at('c', '12', { location: null })]
    assert.deepEqual(
      columnsOf(named, now, 'place').map(column => column.name),
      ['Pit', 'Roof', null],
    )
    assert.deepEqual(
      columnsOf(named, now, 'day', row => row.start_at?.slice(0, 10) ?? null).map(column => [column.name, column.rows.length]),
      [['2026-03-16', 3]],
    )
  })

  test('9.10 no screen calls a permit live once its window is over', () => {
    const now = Date.parse('2026-03-16T18:00:00.000Z')
    const permit: Parameters<typeof standingOf>[0] = {
      status: 'issued',
      awaiting_countersign: false,
      handed_back_at: null,
      start_at: '2026-03-16T08:00:00.000Z',
      end_at: '2026-03-16T18:00:00.000Z',
    }
    assert.equal(standingOf(permit, now - 1), 'issued')
    assert.equal(standingOf(permit, now), 'window_ended')
    assert.equal(standingOf({ ...permit, handed_back_at: '2026-03-16T17:00:00.000Z' }, now), 'handed_back')
    assert.equal(standingOf({ ...permit, end_at: null }, now), 'issued')
    assert.deepEqual(
      columnsOf([card({ status: 'issued', end_at: '2020-01-01T00:00:00.000Z' })], Date.now()).map(column => column.standing),
      ['window_ended'],
    )
  })

  test('9.26 no screen calls a permit live before its window starts', () => {
    const start = Date.parse('2026-03-16T08:00:00.000Z')
    const permit: Parameters<typeof standingOf>[0] = {
      status: 'issued',
      awaiting_countersign: false,
      handed_back_at: null,
      start_at: '2026-03-16T08:00:00.000Z',
      end_at: '2026-03-16T18:00:00.000Z',
    }
    assert.equal(standingOf(permit, start - 1), 'not_started')
    assert.equal(standingOf(permit, start), 'issued')
    assert.equal(standingOf({ ...permit, awaiting_countersign: true }, start - 1), 'awaiting_countersign')
    assert.equal(standingOf({ ...permit, status: 'approved' }, start - 1), 'approved')
    assert.equal(standingOf({ ...permit, start_at: null }, start - 1), 'issued')
    const live = card({ status: 'issued', start_at: '2020-01-01T00:00:00.000Z', end_at: '2099-01-01T00:00:00.000Z' })
    const ahead = card({ status: 'issued', start_at: '2098-01-01T00:00:00.000Z', end_at: '2099-01-01T00:00:00.000Z' })
    assert.deepEqual(
      columnsOf([ahead, live], Date.now()).map(column => [column.standing, column.rows.length]),
      [
        ['issued', 1],
        ['not_started', 1],
      ],
    )
  })

  test('ISO 3864 a live permit that an area stop or an alert stops is shown as stopped, never as green; the first column of the board has it', () => {
    const live = { status: 'issued', awaiting_countersign: false, handed_back_at: null, start_at: '2026-03-16T09:00:00.000Z' } as const
    const permit = { ...live, end_at: '2026-03-16T18:00:00.000Z' }
    const noon = Date.parse('2026-03-16T12:00:00.000Z')
    const stop = { stop_id: 's', alert_id: 'a', reason: 'Gas', stopped_at: '2026-03-16T10:00:00.000Z', lifted: false }
    const alert = { id: 'a', title: 'Gusts', severity: 'danger' as const, activities: [], start_at: '2026-03-16T10:00:00.000Z' }
    const by = { stopped: [], stopped_by_alert: alert }
    assert.equal(standingOf({ ...permit, stopped: [stop], stopped_by_alert: null }, noon), 'stopped')
    assert.equal(standingOf({ ...permit, ...by }, noon), 'stopped')
    assert.equal(standingOf({ ...permit, stopped: [], stopped_by_alert: null }, noon), 'issued')
    assert.equal(standingOf({ ...permit, ...by, status: 'approved' }, noon), 'approved')
    assert.equal(standingOf({ ...permit, ...by, start_at: '2026-03-16T13:00:00.000Z' }, noon), 'not_started')
    assert.equal(standingOf({ ...permit, ...by, end_at: '2026-03-16T11:00:00.000Z' }, noon), 'window_ended')
    assert.equal(ORDER[0], 'stopped')
  })

  test('every typed word narrows the list, in number, title, contractor, place and type', () => {
    const permit = card({})
    const fits = (one: Card, typed: string) => shownOf([one], typed, false, undefined).length === 1
    for (const typed of ['', '000123', 'weld STAIR', 'acme a', 'hw']) assert.equal(fits(permit, typed), true, typed)
    assert.equal(fits(permit, 'weld roof'), false)
  })

  test('permits that the service finds by text that cards don’t have are shown too, in their place or after the loaded ones', () => {
    const [one, two, three] = ['1', '2', '3'].map(id => card({ id })) as [Card, Card, Card]
    assert.deepEqual(shownOf([one, two], 'asbestos', false, undefined, [two]), [two])
    assert.deepEqual(shownOf([one, two], 'asbestos', false, undefined, [two, three]), [two, three])
    assert.deepEqual(shownOf([one, two], 'weld', false, undefined, [two]), [one, two])
    assert.deepEqual(shownOf([one, two], 'asbestos', true, undefined, [two, three]), [], 'not what others can do')
  })

  test('“Waiting for you” shows what the caller can move on', () => {
    const mine = card({ permissions: { ...card({}).permissions, endorse: { allowed: true, because: [] } } as Card['permissions'] })
    assert.deepEqual(shownOf([card({}), mine], '', true, undefined), [mine])
    assert.equal(narrowedBy({ q: 'x', view: 'table', soon: '1' }), 2)
  })
})

describe('the next step of a permit', () => {
  const awaited = (more: Partial<Schemas['Permit']>) => {
    const permit: Parameters<typeof awaitedOf>[0] = { ...card({}), next_gate: 'endorse', ...more }
    return awaitedOf(permit)
  }

  test('5 the page says whose turn it is, unless it is the caller’s: “Withdraw” alone would look like the next step', () => {
    assert.equal(awaited({}), 'endorse')
    assert.equal(awaited({ status: 'endorsed', next_gate: 'approve' }), 'approve')
    assert.equal(awaited({ status: 'approved', next_gate: 'issue' }), 'issue')
    assert.equal(awaited({ status: 'approved', next_gate: 'issue', awaiting_countersign: true }), 'countersign')
    const may = { ...card({}).permissions, endorse: { allowed: true, because: [] } }
    assert.equal(awaited({ permissions: may }), null)
  })

  test('5 a live permit waits for nobody; an expired one, and one that was handed back, wait for the close-out', () => {
    const live: Partial<Schemas['Permit']> = { status: 'issued', next_gate: 'close_out' }
    assert.equal(awaited(live), null)
    assert.equal(awaited({ ...live, handed_back_at: '2026-03-16T17:00:00.000Z' }), 'close_out')
    assert.equal(awaited({ ...live, status: 'expired' }), 'close_out')
    assert.equal(awaited({ status: 'corrections_requested', next_gate: null }), null)
  })
})

describe('the history of a permit', () => {
  const at = '2026-03-16T09:00:00.000Z'
  const signed = (kind: 'hand_back' | 'close_out', name: string | null, signed_at = at) => ({
    kind,
    signed_at,
    on_behalf_of: name === null ? null : { id: '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e', name },
  })
  const entry = (cause: string) => ({ cause, at })

  test('9.2 a hand-back says for which absent receiver it was signed, and nothing else does', () => {
    const signatures = [signed('hand_back', 'Ann Earlier', '2026-03-15T09:00:00.000Z'), signed('hand_back', 'Rex Receiver')]
    assert.equal(handedBackFor(entry('permit.hand_back'), signatures), 'Rex Receiver')
    assert.equal(handedBackFor(entry('permit.close_out'), signatures), undefined)
    assert.equal(handedBackFor(entry('permit.hand_back'), [signed('hand_back', null)]), undefined, 'the receiver signed it')
    assert.equal(absentReceiver([signed('close_out', 'Rex Receiver')], at), undefined)
  })
})
