import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Type } from './schema.ts'
import { makeChecker } from './validate.ts'

const Item = Type.Object({ n: Type.Number(), text: Type.Union([Type.String(), Type.Null()]) }, { additionalProperties: false })
const Whole = Type.Object(
  {
    id: Type.String(),
    items: Type.Array(Item),
    few: Type.Array(Type.String()),
    maybe: Type.Optional(Type.Number()),
    inner: Type.Object({ items: Type.Array(Item) }),
  },
  { additionalProperties: false },
)
const List = Type.Array(Item)
const Either = Type.Union([Type.Object({ job_id: Type.String() }, { additionalProperties: false }), Whole])
const items = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ n, text: n % 3 === 0 ? null : `"items":[] ${n}`, hidden: true }))
const whole = (count: number) => ({ id: 'a', items: items(count), few: ['b'], inner: { items: [] }, hidden: 1 })

describe('11.4 long responses', () => {
  const checker = makeChecker([Whole, List, Either])

  test('11.4 a response with a long list is the same text as if it were written at once, without fields that the schema doesn’t list', async () => {
    for (const count of [0, 1, 499, 500, 501, 1000, 1001, 2345]) {
      assert.equal(await checker.writeLong(Whole, whole(count)), checker.write(Whole, whole(count)), `${count} in an object`)
      assert.equal(await checker.writeLong(List, items(count)), checker.write(List, items(count)), `${count} in a list`)
      assert.equal(await checker.writeLong(Either, whole(count)), checker.write(Whole, whole(count)), `${count} in one of two objects`)
    }
    assert.equal((await checker.writeLong(Whole, whole(700))).includes('hidden'), false)
  })

  test('11.4 other work has its turn while a long list is written, also in one of several possible responses', async () => {
    const turnsDuring = async (write: () => Promise<string>): Promise<number> => {
      let turns = 0
      let writing = true
      const others = (async () => {
        while (writing) {
          await turn()
          turns++
        }
      })()
      await write()
      writing = false
      await others
      return turns
    }
    for (const turns of [
      await turnsDuring(() => checker.writeLong(List, items(5000))),
      await turnsDuring(() => checker.writeLong(Either, whole(5000))),
    ])
      assert.ok(turns >= 8, `${turns} turns`)
  })
})
