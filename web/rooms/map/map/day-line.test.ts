import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lineOf, pathOf, sameTimeOn } from './day-line.ts'

const at = (time: string) => `2026-03-16T${time}:00.000Z`
const [from, to] = [Date.parse(at('00:00')), Date.parse('2026-03-17T00:00:00.000Z')]
const point = (time: string, headcount: number, started: object, ended = {}) => ({
  at: at(time),
  started,
  ended,
  changed: {},
  alive: { headcount },
})

describe('the map: the day on the time slider', () => {
  test('marks are wider where more changes, and the start of the day is one only if something begins there', () => {
    const { changes } = lineOf(
      {
        points: [
          point('00:00', 0, {}),
          point('06:00', 4, { worker: 1 }),
          point('12:00', 9, { worker: 2, plant: 1 }),
          point('18:00', 0, {}, { worker: 12 }),
        ],
      },
      from,
      to,
    )
    assert.deepEqual(changes, [
      { part: 0.25, size: 1 },
      { part: 0.5, size: 2 },
      { part: 0.75, size: 3 },
    ])
  })

  test('the number of people is a line in steps, as high as the box at its peak', () => {
    const line = lineOf({ points: [point('00:00', 0, {}), point('06:00', 5, { worker: 1 }), point('12:00', 10, { worker: 1 })] }, from, to)
    assert.equal(line.most, 10)
    assert.equal(pathOf(line, 20), 'M0 20V20H250V10H500V0H1000V20')
    assert.equal(pathOf(lineOf({ points: [point('00:00', 0, {})] }, from, to), 20), '')
  })

  test('conventions §1 another day is shown at the same time of day, whether the days are 23, 23.5, 24, 24.5 or 25 hours long', () => {
    const on = (zone: string, date: string, time: string) => new Date(sameTimeOn(zone, date, time)).toISOString().slice(0, 16)
    // From the days before to the days on which the clocks change, and from those to the days after.
    assert.deepEqual(
      [
        on('Europe/London', '2026-03-29', '2026-03-28T12:00:00.000Z'),
        on('Europe/London', '2026-10-26', '2026-10-25T23:30:00.000Z'),
        on('America/St_Johns', '2026-03-09', '2026-03-09T02:00:00.000Z'),
        on('Australia/Lord_Howe', '2026-10-04', '2026-10-03T01:30:00.000Z'),
        on('Australia/Lord_Howe', '2026-04-06', '2026-04-05T13:15:00.000Z'),
        on('Asia/Kathmandu', '2026-05-13', '2026-05-12T01:45:00.000Z'),
      ],
      ['2026-03-29T11:00', '2026-10-26T23:30', '2026-03-10T02:00', '2026-10-04T01:00', '2026-04-06T13:15', '2026-05-13T01:45'],
    )
    assert.equal(on('Australia/Lord_Howe', '2026-10-04', '2026-10-02T15:45:00.000Z'), '2026-10-03T15:45', '02:15 is skipped: 02:45')
  })
})
