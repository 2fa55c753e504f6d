// Where people see that an area stop stops a permit, or has: the board, the alert, and the document.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { readPdf } from '../../../../tests/pdf.ts'
import { type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { MONDAY, useHouse } from '../../../../tests/world.ts'

const HERE = { point: { lon: -0.0877, lat: 51.5079 } }

describe('stopped permits', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))

  const live = (w: PermitWorld, title: string) => w.at('issued', { categories: ['GEN'], title, place: HERE })
  const stop = async (w: PermitWorld, reason: string) => {
    const made = await w.as('coordinator').post('/permits/stops', { site_id: w.site_id, place: HERE, radius_m: 20, reason })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const revalidate = async (w: PermitWorld, permit: Permit) => {
    const done = await w.step(permit, 'revalidate', w.issuer)
    assert.equal(done.status, 200, done.text)
  }
  const titles = async (w: PermitWorld, query: string) =>
    (await w.as('coordinator').get(`/permits?site_id=${w.site_id}&${query}`)).body.map((one: { title: string }) => one.title).sort()
  const counted = async (w: PermitWorld) => (await w.as('coordinator').get(`/permits/counts?site_id=${w.site_id}`)).body.stopped
  const documentOf = async (w: PermitWorld, permit: Permit) => {
    const answer = await house.edge.app.inject({
      method: 'GET',
      url: `/api/permits/applications/${permit.id}/document`,
      headers: { authorization: `Bearer ${w.as('admin').token}` },
    })
    assert.equal(answer.statusCode, 200)
    return readPdf(answer.rawPayload).text.replace(/\s+/g, ' ')
  }

  test('§4.7 the board lists and counts the live permits that are stopped, until each is revalidated or handed back, also after the stop was lifted', async () => {
    const w = await permitWorld(house)
    const [first, second] = [await live(w, 'First'), await live(w, 'Second')]
    assert.deepEqual([await titles(w, 'stopped=true'), await counted(w)], [[], 0])
    const { id } = await stop(w, 'Smell of gas')
    await w.at('requested', { title: 'In review', place: HERE })
    assert.deepEqual([await titles(w, 'stopped=true'), await counted(w)], [['First', 'Second'], 2])
    assert.deepEqual(await titles(w, 'stopped=false'), ['In review'])
    assert.equal((await w.as('coordinator').post(`/permits/stops/${id}/lift`, { note: 'Repaired' })).status, 200)
    assert.equal(await counted(w), 2, 'lifting the stop lets no work go on')
    await revalidate(w, first)
    assert.deepEqual([await titles(w, 'stopped=true'), await counted(w)], [['Second'], 1])
    assert.equal((await w.step(second, 'hand-back', w.receiver)).status, 200)
    assert.deepEqual([await titles(w, 'stopped=true'), await counted(w)], [[], 0])
    assert.equal((await w.as('coordinator').get(`/permits?site_id=${w.site_id}&stopped=true&at=${MONDAY}`)).status, 422)
  })

  test('§4.7 the alert of a stop says the reason once; a reason that is too long for the title is in the message, too', async () => {
    const w = await permitWorld(house)
    const alertOf = async (reason: string) => {
      const { alert_id } = await stop(w, reason)
      const { title, message } = (await w.as('coordinator').get(`/alerts/${alert_id}`)).body
      return `${title}\n${message}`
    }
    const short = await alertOf('Smell of gas')
    assert.equal(short.split('Smell of gas').length, 2, short)
    const long = 'The crane’s load swings over the slab, and nobody knows yet why. '.repeat(3).trim()
    const [stops] = (await w.as('coordinator').get(`/permits/stops?site_id=${w.site_id}`)).body
    assert.equal((await w.as('coordinator').post(`/permits/stops/${stops.id}/lift`, { note: 'Repaired' })).status, 200)
    assert.ok((await alertOf(long)).includes(long))
  })

  test('§4.7 the document of a permit says since when it is stopped, and afterwards from when until when it was', async () => {
    const w = await permitWorld(house)
    const permit = await live(w, 'First')
    house.clock('2026-03-16T09:10:00.000Z')
    await stop(w, 'Smell of gas')
    const now = await documentOf(w, permit)
    assert.match(now, /Stopped: don’t work under this permit until it has been revalidated/)
    assert.match(now, /Since .*09:10.*: Smell of gas/)
    assert.doesNotMatch(now, /Area stops/)
    house.clock('2026-03-16T09:40:00.000Z')
    await revalidate(w, permit)
    const later = await documentOf(w, permit)
    assert.doesNotMatch(later, /don’t work under this permit/)
    assert.match(later, /Area stops .*09:10.*Smell of gas.*Revalidated .*09:40.*Ivy Issuer/)
  })
})
