import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { PermitWorld } from '../permits.ts'
import { centre, drawnWorld, idle } from './ground.ts'
import { fitsPhone, painted } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: hundreds of workers on the map', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
    // Rows are inserted directly, because only showing them is tested. The first one is in the middle of the site, with nobody so near that a finger could mean them.
    const client = await stage.house.house.database.pool.connect()
    try {
      await client.query('set session_replication_role = replica')
      await client.query(
        `insert into worker (site_id, id, version, created_at, updated_at, name, trade, headcount, radius_m, start_at, end_at, place, place_source, lon, lat, bounds, colour)
         select $1, gen_random_uuid(), 1, '2026-03-16T07:00Z', '2026-03-16T07:00Z', 'Gang ' || lpad(n::text, 3, '0'), 'Fixer', 6, 2, '2026-03-16T07:00Z', '2026-03-16T17:00Z',
           jsonb_build_object('point', jsonb_build_object('lon', lon, 'lat', lat)), 'none', lon, lat, box(point(lon, lat), point(lon, lat)), '#c2410c'
         from (select n, case when n = 0 then -0.01856 else -0.02 + (n * 37 % 400) * 0.0000072 end as lon, case when n = 0 then 51.50568 else 51.505 + (n * 91 % 397) * 0.0000034 end as lat
           from generate_series(0, 400) n where n = 0 or n % 20 <> 0 or n > 200) r
         where n = 0 or abs(lon + 0.01856) > 0.0003 or abs(lat - 51.50568) > 0.0002`,
        [w.site_id],
      )
      await client.query('set session_replication_role = default')
    } finally {
      client.release()
    }
  })

  for (const [width, theme] of [
    [390, 'outdoor'],
    [1440, 'dark'],
  ] as const)
    test(`§0.9 each is a dot when people zoom out, says who it is when tapped, and is a sign then; the list adds 200 at a time, at ${width} px`, async () => {
      const { page } = await stage.sit(w.as('viewer'), { width, theme })
      await page.goto(`${stage.url}/sites/${w.site_id}/map?view=51.50568,-0.01856,16.2`)
      await page.getByText('There are so many that each is a dot when you zoom out.', { exact: false }).waitFor()
      await page.getByRole('button', { name: 'Show 200 more' }).click()
      assert.equal(await page.getByRole('button', { name: /^Gang \d/ }).count(), 212)
      await page.getByRole('button', { name: /^Show 1\d\d more$/ }).waitFor()
      await centre(page)
      await painted(page)
      await idle(page)
      const map = page.locator('[data-map]')
      const box = (await map.boundingBox()) ?? assert.fail('The map is on the screen.')
      await map.click({ position: { x: box.width / 2, y: box.height / 2 } })
      await page.locator('.map-floating').getByText('Gang 0', { exact: false }).first().waitFor()
      await idle(page)
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)
    })

  test('§0.9 selecting and dragging one of hundreds reads no list again, and sends the map only what has changed', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    // Counts the content of sources that the page sends to the workers of the map.
    await page.addInitScript(() => {
      const send = Worker.prototype.postMessage
      Object.assign(window, { sent: 0 })
      Worker.prototype.postMessage = function (this: Worker, ...given: unknown[]) {
        const said: unknown = given[0]
        // What a source contains; the other messages ask for tiles, and bring letters and signs.
        const loads = typeof said === 'object' && said !== null && Reflect.get(said, 'type') === 'LD'
        if (loads) Object.assign(window, { sent: Number(Reflect.get(window, 'sent')) + JSON.stringify(said).length })
        Reflect.apply(send, this, given)
      }
    })
    const sent = () => page.evaluate(() => Number(Reflect.get(window, 'sent')))
    const lists: string[] = []
    page.on('request', request => {
      if (request.url().includes('/at-time')) lists.push(request.url())
    })
    await page.goto(`${stage.url}/sites/${w.site_id}/map?view=51.50568,-0.01856,19`)
    await page.getByText('There are so many that each is a dot when you zoom out.', { exact: false }).waitFor()
    await idle(page)
    const whole = await sent()
    lists.length = 0
    await page.getByRole('button', { name: /^Gang 000/ }).click()
    await page.locator('.map-floating').getByText('Gang 000', { exact: false }).first().waitFor()
    await idle(page)
    const selecting = (await sent()) - whole
    const handle = page.locator('.move-handle').first()
    await handle.waitFor()
    await handle.focus()
    await page.keyboard.press('ArrowRight')
    await idle(page)
    const moving = (await sent()) - whole - selecting
    assert.deepEqual(lists, [])
    assert.ok(selecting < whole / 10, `${selecting} of ${whole} bytes were sent to select one`)
    assert.ok(moving < whole / 10, `${moving} of ${whole} bytes were sent to move one`)
  })

  test('§0.9 saving the move of one gang reads that gang again, and no list: for the person who moves it and for those who look on, who see it in its new place', async () => {
    const place = { point: { lon: -0.0192, lat: 51.5051 } }
    const gang = { site_id: w.site_id, name: 'Drivers', trade: 'Driver', place, end_at: '2026-03-16T17:00:00.000Z' }
    const { id } = (await w.as('coordinator').post('/workers/', gang)).body
    const [{ page }, { page: other }] = [await stage.sit(w.as('coordinator')), await stage.sit(w.as('hse'))]
    const lists: string[] = []
    for (const [name, one] of Object.entries({ mover: page, other })) {
      one.on('request', request => {
        const list = /\/(workers|plant|deliveries|active-areas)\/at-time/.exec(request.url())?.[1]
        if (list !== undefined) lists.push(`${name} ${list} ${new URL(request.url()).searchParams.getAll('id').join() || 'all'}`)
      })
      await one.goto(`${stage.url}/sites/${w.site_id}/map?chosen=${id}`)
      await idle(one)
    }
    await page.getByRole('button', { name: 'Move Drivers', exact: false }).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('Drivers would be moved by 10 m.', { exact: false }).waitFor()
    lists.length = 0
    const seen = other.waitForResponse(response => response.url().includes('/workers/at-time'))
    await page.getByRole('button', { name: 'Move here' }).click()
    await page.getByText('Drivers has been moved.', { exact: false }).waitFor()
    const [row] = await (await seen).json()
    assert.ok(row.id === id && row.place.point.lon > place.point.lon, 'ten metres further east')
    await idle(page)
    await idle(other)
    assert.deepEqual([...new Set(lists)].sort(), [`mover workers ${id}`, `other workers ${id}`])
    // Others no longer see a gang that was deleted.
    await other
      .getByRole('button', { name: /^Drivers/ })
      .first()
      .waitFor()
    lists.length = 0
    const removed = await w.as('coordinator').del(`/workers/${id}`)
    assert.equal(removed.status, 204, removed.text)
    await other
      .getByRole('button', { name: /^Drivers/ })
      .first()
      .waitFor({ state: 'detached' })
    assert.deepEqual([...new Set(lists.filter(one => one.startsWith('other')))], [`other workers ${id}`])
  })

  test('§0.9 a step of a delivery, and a change of an area, read only that one again for those who look on, who see it at once', async () => {
    const own = (await drawnWorld(stage.house)).w
    const coordinator = own.as('coordinator')
    const at = (x: number, y: number) => [-0.0192 + x / 69_000, 51.5051 + y / 111_000]
    const outline = [at(0, 0), at(20, 0), at(20, 20), at(0, 20), at(0, 0)]
    const day = { site_id: own.site_id, start_at: '2026-03-16T08:30:00.000Z', end_at: '2026-03-16T17:00:00.000Z' }
    const point = { lon: -0.0185, lat: 51.5053 }
    const lorry = await coordinator.post('/deliveries/', { ...day, name: 'Readymix', place: { point } })
    const polygon = { type: 'Polygon', coordinates: [outline] }
    const area = await coordinator.post('/active-areas', { ...day, name: 'Laydown', area_kind: 'reserved', place: { polygon } })
    assert.deepEqual([lorry.status, area.status], [201, 201], lorry.text + area.text)
    const { page } = await stage.sit(own.as('hse'))
    const lists: string[] = []
    page.on('request', request => {
      const list = /\/(workers|plant|deliveries|active-areas)\/at-time/.exec(request.url())?.[1]
      if (list !== undefined) lists.push(`${list} ${new URL(request.url()).searchParams.getAll('id').join() || 'all'}`)
    })
    await page.goto(`${stage.url}/sites/${own.site_id}/map`)
    const named = (name: RegExp) => page.getByRole('button', { name }).first()
    await named(/Readymix/).waitFor()
    await named(/Laydown/).waitFor()
    await page.locator('.line-dot.live').waitFor()
    await idle(page)
    for (const [change, shown, read] of [
      [() => coordinator.patch(`/deliveries/${lorry.body.id}`, { status: 'arrived' }), /Readymix\s*On site/, `deliveries ${lorry.body.id}`],
      [() => coordinator.patch(`/active-areas/${area.body.id}`, { name: 'Steel store' }), /Steel store/, `active-areas ${area.body.id}`],
      [() => coordinator.del(`/active-areas/${area.body.id}`), null, `active-areas ${area.body.id}`],
    ] as const) {
      lists.length = 0
      assert.ok((await change()).status < 300)
      await (shown === null ? named(/Steel store/).waitFor({ state: 'detached' }) : named(shown).waitFor())
      await idle(page)
      assert.deepEqual([...new Set(lists)], [read])
    }
  })

  test('§0.9 a few are signs, and nothing about dots is said', async () => {
    const other = await drawnWorld(stage.house)
    const { page } = await stage.sit(other.w.as('viewer'))
    await page.goto(`${stage.url}/sites/${other.w.site_id}/map`)
    await idle(page)
    assert.equal(await page.getByText('each is a dot', { exact: false }).count(), 0)
  })
})
