import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayForPhoto, firstShown } from './day-photos.ts'

const LONDON = 'Europe/London'
const at = (text: string) => Date.parse(text)

test('§13 the app proposes today, the start day for a night shift, and the last day for what has ended', () => {
  const day = { start_at: '2026-03-16T07:30:00Z', end_at: '2026-03-16T17:30:00Z' }
  assert.equal(dayForPhoto(day, LONDON, at('2026-03-16T16:00:00Z')), '2026-03-16')
  assert.equal(dayForPhoto(day, LONDON, at('2026-03-18T09:00:00Z')), '2026-03-16')
  assert.equal(dayForPhoto(day, LONDON, at('2026-03-15T09:00:00Z')), null)
  const night = { start_at: '2026-03-16T22:00:00Z', end_at: '2026-03-17T06:00:00Z' }
  assert.equal(dayForPhoto(night, LONDON, at('2026-03-17T02:00:00Z')), '2026-03-16')
  const crane = { start_at: '2026-03-02T07:00:00Z', end_at: null }
  assert.equal(dayForPhoto(crane, LONDON, at('2026-03-29T23:30:00Z')), '2026-03-30', 'by the clock of the site, in summer time')
  const stay = { start_at: '2026-03-16T07:00:00Z', end_at: '2026-03-18T17:00:00Z' }
  assert.equal(dayForPhoto(stay, LONDON, at('2026-03-17T09:00:00Z')), '2026-03-17')
})

test('§13 two weeks of photos are loaded first, up to now or to the end', () => {
  assert.equal(firstShown({ end_at: null }, LONDON, at('2026-03-16T09:00:00Z')), '2026-03-03')
  assert.equal(firstShown({ end_at: '2026-02-20T17:00:00Z' }, LONDON, at('2026-03-16T09:00:00Z')), '2026-02-07')
})
