import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { again, begunIn, inOrder } from './lanes.ts'

const turn = () => new Promise(done => setImmediate(done))

describe('work in the order of the calls', () => {
  test('844 work begins when the transaction of the work before it has begun, and not before, however long that takes', async () => {
    const seen: string[] = []
    const [encrypted, completed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = inOrder('a', async begun => {
      seen.push('first')
      await encrypted.promise
      begun()
      seen.push('first begun')
      await completed.promise
      seen.push('first done')
    })
    const second = inOrder('a', async () => void seen.push('second'))
    await inOrder('b', async () => void seen.push('another lane'))
    await turn()
    assert.deepEqual(seen, ['first', 'another lane'])
    encrypted.resolve()
    await second
    completed.resolve()
    await first
    assert.deepEqual(seen, ['first', 'another lane', 'first begun', 'second', 'first done'])
  })

  test('844 work that fails holds up nothing', async () => {
    const failing = inOrder('c', async () => Promise.reject(new Error('full')))
    const next = inOrder('c', async () => 'stored')
    await assert.rejects(failing, /full/)
    assert.equal(await next, 'stored')
    await begunIn('c')
  })

  test('844 what has to be repeated is repeated in its order, before anything that has not begun', async () => {
    const seen: string[] = []
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const repeating = (name: string, refused: Promise<void>) =>
      inOrder('d', async begun => {
        begun()
        await refused
        await again('d', async () => {
          await turn()
          seen.push(name)
        })
      })
    const both = [repeating('one', one.promise), repeating('two', two.promise)]
    await turn()
    one.resolve()
    await turn()
    two.resolve()
    const third = inOrder('d', async () => void seen.push('three'))
    await Promise.all([...both, third])
    assert.deepEqual(seen, ['one', 'two', 'three'])
    await assert.rejects(
      again('d', async () => Promise.reject(new Error('dead'))),
      /dead/,
    )
    await inOrder('d', async () => void seen.push('four'))
    assert.equal(seen.at(-1), 'four')
  })
})
