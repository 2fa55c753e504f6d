import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lineOf, pathOf } from './day-line.ts'

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
})
