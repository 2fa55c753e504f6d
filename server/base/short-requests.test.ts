// What every request pays for, however little it asks for.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { useHouse } from '../../tests/world.ts'
import { systemClock } from './clock.ts'

describe('short requests', () => {
  const house = useHouse()

  /** Returns how often language tags were read while `work` ran. */
  async function tagsRead(work: () => Promise<unknown>): Promise<number> {
    const { getCanonicalLocales } = Intl
    let calls = 0
    Intl.getCanonicalLocales = tags => {
      calls++
      return getCanonicalLocales(tags)
    }
    try {
      await work()
    } finally {
      Intl.getCanonicalLocales = getCanonicalLocales
    }
    return calls
  }

  test('P1 what a token says about its person is read once, and Accept-Language only where a response depends on it', async () => {
    const w = await house.world()
    const read = async () => {
      const reply = await w.as('viewer').get(`/contractors?site_id=${w.site_id}`, { 'accept-language': 'de-DE,de;q=0.9' })
      assert.equal(reply.status, 200)
    }
    await read()
    assert.equal(await tagsRead(read), 0)
  })

  test('P1 the machine’s clock is written once for each millisecond, and never lags', async () => {
    for (let n = 0; n < 3; n++) {
      const [before, said, again, after] = [Date.now(), systemClock.now(), systemClock.now(), Date.now()]
      for (const at of [said, again]) assert.ok(Date.parse(at) >= before && Date.parse(at) <= after)
      assert.ok(again >= said)
      await wait(3)
    }
  })
})
