import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isShown, placeOfView, type View, viewCalled, withoutView, withView } from './views.ts'

const soon: View = { page: '/board', name: 'Ends soon', place: { soon: '1' } }
const hot: View = { page: '/board', name: 'Hot work', place: { type: 'HOT', q: 'roof' } }
const ended: View = { page: '/members', name: 'Hot work', place: { ended: '1' } }

describe('saved views', () => {
  test('a view with the name of another one replaces it, whatever the capitals, but not one of another page', () => {
    const again = { ...hot, name: ' hot WORK ', place: { type: 'HOT' } }
    assert.deepEqual(withView([soon, hot, ended], again), [soon, ended, { ...again, name: 'hot WORK' }])
    assert.equal(viewCalled([soon, hot, ended], '/members', 'HOT WORK'), ended)
    assert.equal(viewCalled([soon, hot, ended], '/audit', 'Hot work'), undefined)
  })

  test('deleting a view leaves those of other pages with the same name', () => {
    assert.deepEqual(withoutView([soon, hot, ended], '/board', 'Hot work'), [soon, ended])
  })

  test('a view has only the parameters of its list, and no empty ones', () => {
    assert.deepEqual(placeOfView({ q: 'roof', type: 'HOT', permit: '7', soon: '' }, ['q', 'type', 'soon']), { q: 'roof', type: 'HOT' })
  })

  test('a view is shown if its list has exactly its filters; parameters of something else don’t count', () => {
    const names = ['q', 'type', 'soon']
    assert.equal(isShown(hot, { q: 'roof', type: 'HOT', permit: '7' }, names), true)
    assert.equal(isShown(hot, { q: 'roof', type: 'HOT', soon: '1' }, names), false)
    assert.equal(isShown(hot, { q: 'roof' }, names), false)
    assert.equal(isShown(hot, {}, names), false)
  })
})
