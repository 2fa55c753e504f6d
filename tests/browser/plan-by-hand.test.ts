// Floor plans that are placed by hand: dragged, turned and scaled over the outline of their building, with the mouse, fingers and the keyboard; or fitted onto it.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { lonLat, metresBetween, planeAt } from '../../shared/geometry/plane.ts'
import type { PermitWorld } from '../permits.ts'
import { CROSSES, drawingOf, pdfOf, rectangle, SHEET, sheet, upload, worked, workedAll } from '../plans.ts'
import { centre, drawnWorld, idle, metreOf, positionAt } from './ground.ts'
import { fitsPhone, middleOf, painted } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: floor plans placed by hand', () => {
  const stage = useStage()
  let w: PermitWorld
  let tower: string
  before(async () => {
    ;({ w, tower } = await drawnWorld(stage.house))
  })
  const work = () => workedAll(stage.house)
  const planOf = async (id: string) =>
    (await w.as('coordinator').get(`/floor-plans/by-site?site_id=${w.site_id}&id=${id}`)).body.find((one: { id: string }) => one.id === id)
  /** Uploads a plan of the tower. */
  const made = async (level_index: number, more: Record<string, string> = {}, file?: { path: string; bytes: Buffer; name: string }) => {
    const fields = { site_id: w.site_id, feature_id: tower, level_index: String(level_index), name: `Plan ${level_index}`, ...more }
    const { path, bytes, name } = file ?? { path: 'upload-image', bytes: await sheet(CROSSES, level_index + 30), name: 'plan.png' }
    const reply = await w.as('coordinator').send('POST', `/floor-plans/${path}`, upload(bytes, name, fields))
    assert.equal(reply.status, 201, reply.text)
    await work()
    return String(reply.body.id)
  }
  const open = async (page: Page, id: string) => {
    await page.goto(`${stage.url}/sites/${w.site_id}/map/floor-plans/${id}`)
    await page.getByRole('button', { name: 'Fit onto Tower' }).waitFor()
  }
  const byHand = async (page: Page) => {
    await page.getByRole('radio', { name: 'By hand' }).check()
    await page.getByRole('button', { name: /^Move the plan/ }).waitFor()
    await idle(page)
    await centre(page)
  }
  const numberIn = async (field: Locator) => Number(await field.inputValue())
  const turned = (page: Page) => page.getByLabel('Turned clockwise, degrees')
  const width = (page: Page) => page.getByLabel('Width on the ground, metres')
  /** Where the middle of a placed picture is. */
  const spotOf = ({ placement }: { placement: { matrix: number[][]; origin: { lon: number; lat: number } } }) => {
    const [[a = 0, b = 0, c = 0] = [], [d = 0, e = 0, f = 0] = []] = placement.matrix
    const [x, y] = [SHEET.width / 2, SHEET.height / 2]
    return lonLat(planeAt(placement.origin).degrees([a * x + b * y + c, d * x + e * y + f]))
  }

  test('§8 at 1440 px with the mouse: a plan starts on the outline, is dragged, turned and scaled, and is saved where it was put', async () => {
    const id = await made(0)
    const fitted = (await w.as('coordinator').patch(`/floor-plans/${id}/placement`, { mode: 'fit', dry_run: true })).body
    const { page } = await stage.sit(w.as('coordinator'))
    await open(page, id)
    await byHand(page)
    assert.equal(await numberIn(turned(page)), 0)
    assert.ok(Math.abs((await numberIn(width(page))) - fitted.placement.ground_resolution_m * SHEET.width) < 0.01)
    await page.getByText('The accuracy of a plan that is placed by hand isn’t checked').waitFor()
    await stage.axe(page)
    const [move, turn, scale] = ['Move', 'Turn', 'Scale'].map(name => page.getByRole('button', { name: new RegExp(`^${name} the plan`) }))
    if (move === undefined || turn === undefined || scale === undefined) assert.fail()
    const metre = await metreOf(page)
    // The plan itself is dragged, not only its handle.
    const from = await middleOf(move)
    await page.mouse.move(from.x + 60, from.y + 30)
    await page.mouse.down()
    await page.mouse.move(from.x + 80, from.y + 20, { steps: 4 })
    await page.mouse.move(from.x + 110, from.y + 10, { steps: 4 })
    await page.mouse.up()
    await painted(page)
    const to = await middleOf(move)
    assert.ok(Math.abs(to.x - from.x - 50) < 2 && Math.abs(to.y - from.y + 20) < 2, JSON.stringify([from, to]))
    // A quarter to the right: the handle goes from above to the right.
    const above = await middleOf(turn)
    await page.mouse.move(above.x, above.y)
    await page.mouse.down()
    await page.mouse.move(to.x + 60, to.y - 60, { steps: 4 })
    await page.mouse.move(to.x + (to.y - above.y), to.y, { steps: 4 })
    await page.mouse.up()
    await painted(page)
    const quarter = await numberIn(turned(page))
    assert.ok(Math.abs(quarter - 90) < 1.5, `${quarter}`)
    // The corner is pulled to half of its distance.
    const corner = await middleOf(scale)
    const wide = await numberIn(width(page))
    await page.mouse.move(corner.x, corner.y)
    await page.mouse.down()
    await page.mouse.move((corner.x + to.x) / 2, (corner.y + to.y) / 2, { steps: 6 })
    await page.mouse.up()
    await painted(page)
    const half = await numberIn(width(page))
    assert.ok(Math.abs(half / wide - 0.5) < 0.02, `${half} of ${wide}`)
    await page.getByRole('button', { name: 'Turn right 90°' }).click()
    await page.getByRole('slider', { name: 'Opacity of Plan 0' }).fill('30')
    await stage.axe(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Plan 0 is being drawn on the map.').waitFor()
    const { placement } = await planOf(id)
    assert.deepEqual([placement.mode, placement.approximate, placement.quality], ['affine', false, null])
    assert.ok(Math.abs(placement.rotation_deg - quarter - 90) < 0.02, `${placement.rotation_deg}`)
    assert.ok(Math.abs(placement.ground_resolution_m * SHEET.width - half) < 0.01)
    const distance = metresBetween(spotOf(fitted), spotOf({ placement }))
    assert.ok(Math.abs(distance - Math.hypot(50, 20) / metre) < 0.5, `${distance} m, ${metre} pixels a metre`)
    await work()
    await page.getByText('Ready, accuracy not checked').first().waitFor()
  })

  test('§8 at 390 px with fingers: one drags the plan, two turn and scale it; next to the plan they move the map; a look at the points keeps what was done', async () => {
    const id = await made(1)
    const { page, context } = await stage.sit(w.as('coordinator'), { width: 390, theme: 'dark' })
    await open(page, id)
    await byHand(page)
    const move = page.getByRole('button', { name: /^Move the plan/ })
    const touch = await context.newCDPSession(page)
    const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: at.map((one, id) => ({ ...one, id })) })
    const from = await middleOf(move)
    const wide = await numberIn(width(page))
    const at = (x: number, y: number) => ({ x: from.x + x, y: from.y + y })
    await fingers('touchStart', at(40, 30))
    await fingers('touchMove', at(50, 34))
    await fingers('touchMove', at(60, 40))
    await fingers('touchEnd')
    const moved = await middleOf(move)
    assert.ok(Math.abs(moved.x - from.x - 20) < 2 && Math.abs(moved.y - from.y - 10) < 2, JSON.stringify([from, moved]))
    assert.deepEqual([await numberIn(turned(page)), await numberIn(width(page))], [0, wide])
    // Two fingers turn it a quarter to the right, and make it half as large again.
    const next = (x: number, y: number) => ({ x: moved.x + x, y: moved.y + y })
    await fingers('touchStart', next(-40, 0))
    await fingers('touchStart', next(-40, 0), next(40, 0))
    await fingers('touchMove', next(-45, -45), next(45, 45))
    await fingers('touchMove', next(0, -60), next(0, 60))
    await fingers('touchEnd', next(0, -60))
    await fingers('touchMove', next(0, -62))
    await fingers('touchEnd')
    const [turn, larger] = [await numberIn(turned(page)), await numberIn(width(page))]
    assert.ok(Math.abs(turn - 90) < 1, `${turn}`)
    assert.ok(Math.abs(larger / wide - 1.5) < 0.03, `${larger} of ${wide}`)
    const before = await middleOf(move)
    const map = (await page.locator('[data-map]').boundingBox()) ?? assert.fail()
    const margin = { x: map.x + 12, y: map.y + map.height / 2 }
    await fingers('touchStart', margin)
    await fingers('touchMove', { ...margin, x: margin.x + 20 })
    await fingers('touchMove', { ...margin, x: margin.x + 45 })
    await fingers('touchEnd')
    await idle(page)
    const after = await middleOf(move)
    assert.ok(after.x - before.x > 20, 'the map has moved, and the plan with it')
    assert.deepEqual([await numberIn(turned(page)), await numberIn(width(page))], [turn, larger])
    await stage.axe(page)
    // A look at the points doesn't undo what was done by hand.
    await page.getByRole('radio', { name: 'By points' }).check()
    await page.getByRole('button', { name: 'Put point at the cross of the plan' }).click()
    await page.getByRole('radio', { name: 'By hand' }).check()
    await page.getByRole('button', { name: 'Start again' }).waitFor()
    assert.deepEqual([await numberIn(turned(page)), await numberIn(width(page))], [turn, larger])
    await page.getByRole('radio', { name: 'By points' }).check()
    await page.getByRole('button', { name: 'Move point 1' }).first().waitFor()
    await page.getByRole('radio', { name: 'By hand' }).check()
    await idle(page)
    assert.equal(await page.locator('[data-map]').getAttribute('data-named'), '0', 'no name covers the plan')
    await page.getByRole('button', { name: 'Start again' }).click()
    assert.equal(await numberIn(turned(page)), 0)
    await fitsPhone(page)
    await stage.axe(page)
  })

  test('§8 with the keyboard alone: a PDF is moved, turned and scaled to 1:200, and keeps that when it is placed again', async () => {
    const id = await made(2, {}, { path: 'upload', bytes: pdfOf(1), name: 'plan.pdf' })
    const { page } = await stage.sit(w.as('coordinator'))
    await open(page, id)
    await page.getByRole('radio', { name: 'By points' }).press('ArrowRight')
    const move = page.getByRole('button', { name: /^Move the plan/ })
    await move.waitFor()
    await idle(page)
    const scale = page.getByLabel('Scale of the drawing, 1 to')
    await scale.fill('200')
    await scale.press('Enter')
    await turned(page).fill('-15')
    await turned(page).press('Tab')
    assert.equal(await numberIn(turned(page)), 345)
    const fitted = (await w.as('coordinator').patch(`/floor-plans/${id}/placement`, { mode: 'fit', dry_run: true })).body
    for (let i = 0; i < 3; i++) await move.press('ArrowRight')
    await move.press('Shift+ArrowUp')
    await page.getByRole('button', { name: /^Turn the plan/ }).press('ArrowLeft')
    await page.getByRole('button', { name: /^Scale the plan/ }).press('ArrowUp')
    await page.getByRole('button', { name: 'Smaller by 1%' }).press('Enter')
    assert.equal(await numberIn(scale), 200)
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('Plan 2 is being drawn on the map.').waitFor()
    const { placement, pixel_m, width_px, height_px } = await planOf(id)
    assert.ok(Math.abs(placement.ground_resolution_m - 200 * pixel_m) < 1e-6, `${placement.ground_resolution_m}`)
    assert.ok(Math.abs(placement.rotation_deg - 344) < 1e-6, `${placement.rotation_deg}`)
    const [[a, b, c], [d, e, f]] = placement.matrix
    const middle = planeAt(placement.origin).degrees([
      (a * width_px) / 2 + (b * height_px) / 2 + c,
      (d * width_px) / 2 + (e * height_px) / 2 + f,
    ])
    const [east, north] = planeAt(fitted.placement.origin).metres(middle)
    const [fa, fb, fc] = fitted.placement.matrix[0]
    const [fd, fe, ff] = fitted.placement.matrix[1]
    const start = [(fa * width_px) / 2 + (fb * height_px) / 2 + fc, (fd * width_px) / 2 + (fe * height_px) / 2 + ff]
    assert.ok(Math.abs(east - (start[0] ?? 0) - 3) < 0.02 && Math.abs(north - (start[1] ?? 0) - 0.1) < 0.02, `${east}, ${north}`)
    await open(page, id)
    // A plan that was placed by hand is opened that way.
    await move.waitFor()
    assert.deepEqual([await numberIn(turned(page)), await numberIn(scale)], [344, 200])
    await page.getByLabel('Scale of the drawing, 1 to').fill('0')
    await page.keyboard.press('Enter')
    assert.equal(await numberIn(scale), 200, 'nothing has no size')
    await stage.axe(page)
  })

  test('§8 a plan is placed by its four corners, typed or tapped: the page names each corner, shows the plan and how far each is off', async () => {
    const id = await made(0, { name: 'Corners' })
    const { page } = await stage.sit(w.as('coordinator'))
    await open(page, id)
    await page.getByRole('radio', { name: 'By points' }).check()
    await page.getByRole('button', { name: 'Use the four corners' }).click()
    await page.getByText('Now tap the place of point 1 on the map, or type its coordinates.').waitFor()
    const points = page.getByRole('region', { name: 'Points' })
    const spots = [
      positionAt(22, 60),
      positionAt(62, 60),
      positionAt(62, 60 - (40 * SHEET.height) / SHEET.width),
      positionAt(22, 60 - (40 * SHEET.height) / SHEET.width),
    ]
    for (const [i, corner] of ['top left', 'top right', 'bottom right', 'bottom left'].entries()) {
      const row = points.getByRole('listitem').filter({ hasText: `Point ${i + 1}: ${corner} corner` })
      await row.getByLabel('Latitude').fill(String(spots[i]?.[1]))
      await row.getByLabel('Longitude').fill(String(spots[i]?.[0]))
      await row.getByLabel('Longitude').press('Tab')
    }
    await page.getByText('All points fit to 0.25 m or better.').waitFor()
    await points.getByText('0 m off', { exact: true }).first().waitFor()
    await idle(page)
    await stage.axe(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Corners is being drawn on the map.').waitFor()
    const { placement } = await planOf(id)
    assert.equal(placement.points.length, 4)
    assert.ok(placement.rmse_m < 0.05, String(placement.rmse_m))
  })

  test('§8 a drawing in a national grid is placed by the EPSG code of the grid: shown on the map first, then saved; a code that doesn’t fit says so', async () => {
    // Its corner in the British National Grid is on the tower.
    const drawing = upload(drawingOf(rectangle(20, 10, 'A-WALL', 537_571.33, 180_344.95), { units: 6 }), 'grid.dxf', { site_id: w.site_id })
    const { session_id } = (await w.as('coordinator').send('POST', '/floor-plans/import-dxf/inspect', drawing)).body
    const given = { site_id: w.site_id, session_id, feature_id: tower, level_index: 1, name: 'On the grid', inherit_placement: false }
    const { body } = await worked(stage.house, await w.as('coordinator').post('/floor-plans/import-dxf', given))
    const again = { ...given, level_index: 2, name: 'Next one' }
    const inspected = await w.as('coordinator').send('POST', '/floor-plans/import-dxf/inspect', drawing)
    const next = await worked(
      stage.house,
      await w.as('coordinator').post('/floor-plans/import-dxf', { ...again, session_id: inspected.body.session_id }),
    )
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await open(page, body.id)
    await page.getByRole('radio', { name: 'By its grid' }).check()
    const code = page.getByLabel('EPSG code')
    assert.equal(await code.inputValue(), '', 'no plan of this site is in a grid yet')
    await code.fill('999999')
    await page.keyboard.press('Enter')
    await page.getByText('“EPSG code” isn’t a reference system that can be used here.').waitFor()
    const save = page.getByRole('button', { name: 'Save' })
    assert.ok(await save.isDisabled(), 'nothing is saved that nobody has seen')
    await code.fill('27700')
    await page.keyboard.press('Enter')
    await page.getByText('nobody can tell how accurate this is', { exact: false }).waitFor()
    await idle(page)
    await fitsPhone(page)
    await stage.axe(page)
    await save.click()
    await page.getByText('On the grid is being drawn on the map.').waitFor()
    const { placement } = await planOf(body.id)
    assert.equal(placement.mode, 'grid')
    await open(page, next.body.id)
    await page.getByRole('radio', { name: 'By its grid' }).check()
    await page.getByText('This site used this grid last', { exact: false }).waitFor()
    assert.equal(await code.inputValue(), '27700', 'the next plan of the site offers it')
    assert.ok(metresBetween(placement.origin, lonLat([-0.0192, 51.5053])) < 15, JSON.stringify(placement.origin))
  })

  test('§8 a DXF drawing, in the dark theme, is made as large as it was drawn, and is seen on the dark map', async () => {
    const drawing = upload(drawingOf(rectangle(20_000, 10_000)), 'plan.dxf', { site_id: w.site_id })
    const { session_id } = (await w.as('coordinator').send('POST', '/floor-plans/import-dxf/inspect', drawing)).body
    const given = { site_id: w.site_id, session_id, feature_id: tower, level_index: 2, name: 'Drawn', inherit_placement: false }
    const { body } = await worked(stage.house, await w.as('coordinator').post('/floor-plans/import-dxf', given))
    const { page } = await stage.sit(w.as('coordinator'), { theme: 'dark' })
    await open(page, body.id)
    await byHand(page)
    await page.getByRole('button', { name: 'As large as in the drawing' }).click()
    await idle(page)
    // The picture of a drawing has a margin around its lines.
    const wide = await numberIn(width(page))
    assert.ok(wide >= 20 && wide < 21, `${wide} m`)
    const light = async () => {
      const shot = await page.locator('[data-map]').screenshot()
      const { data, info } = await sharp(shot).raw().toBuffer({ resolveWithObject: true })
      let n = 0
      for (let i = 0; i < data.length; i += info.channels) if (Math.min(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0) > 90) n++
      return n
    }
    await page.getByRole('slider', { name: 'Opacity of Drawn' }).fill('0')
    await page.waitForTimeout(300)
    const without = await light()
    await page.getByRole('slider', { name: 'Opacity of Drawn' }).fill('100')
    await page.waitForTimeout(300)
    const seen = await light()
    if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/dxf.png` })
    // Four lines of 60 to 120 pixels, as far as no handle covers them.
    assert.ok(seen - without > 150, `${without} light pixels without the drawing, and ${seen} with it`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Drawn is being drawn on the map.').waitFor()
    const { placement, pixel_m } = await planOf(body.id)
    assert.ok(Math.abs(placement.ground_resolution_m - pixel_m) < 1e-9, `${placement.ground_resolution_m}`)
  })

  for (const width of [390, 1440])
    test(`§8 at ${width} px a plan is fitted onto its building in one press, which is approximate; one that was placed exactly is asked about first`, async () => {
      const id = await made(width === 390 ? 0 : 1, { inherit_placement: 'false', name: `Fitted ${width}` })
      const { page } = await stage.sit(w.as('coordinator'), { width, theme: width === 390 ? 'outdoor' : 'light' })
      await open(page, id)
      await page.getByText('It’s only approximate: check it afterwards.').waitFor()
      await page.getByRole('button', { name: 'Fit onto Tower' }).click()
      await page.getByText(`Fitted ${width} is being drawn on the map. Its placement is only approximate.`).waitFor()
      const { placement } = await planOf(id)
      assert.deepEqual([placement.mode, placement.approximate, placement.quality], ['fit', true, null])
      await work()
      await page.getByText('Ready, placed roughly').first().waitFor()
      const points = CROSSES.slice(0, 4).map(([x, y]) => {
        const [lon, lat] = planeAt(placement.origin).degrees([x / 10, -y / 10])
        return { x, y, lon, lat }
      })
      const placed = await w.as('coordinator').patch(`/floor-plans/${id}/placement`, { mode: 'points', points })
      assert.equal(placed.status, 200, placed.text)
      await work()
      await open(page, id)
      await page.getByRole('button', { name: 'Fit onto Tower' }).click()
      await page.getByText(`Fitted ${width} is already placed.`).waitFor()
      assert.equal((await planOf(id)).placement.mode, 'points')
      await stage.axe(page)
      await page.getByRole('button', { name: 'Cancel' }).first().click()
      await page.getByText(`Fitted ${width} is already placed.`).waitFor({ state: 'detached' })
      await byHand(page)
      await page.getByText('If you save here, the points are replaced').waitFor()
      await page.getByRole('button', { name: 'Fit onto Tower' }).click()
      await page.getByRole('button', { name: 'Replace' }).click()
      await page.getByText(`Fitted ${width} is being drawn on the map. Its placement is only approximate.`).waitFor()
      assert.equal((await planOf(id)).placement.mode, 'fit')
    })

  test('§8 of two people who place a plan, the second is refused, and the plan stays where the first has put it', async () => {
    const id = await made(2, { inherit_placement: 'false', name: 'Of two' })
    const { page } = await stage.sit(w.as('coordinator'))
    await open(page, id)
    const first = await w.as('admin').patch(`/floor-plans/${id}/placement`, { mode: 'fit' })
    assert.equal(first.status, 200, first.text)
    // The page may have read the plan again by now.
    await page.getByRole('button', { name: 'Fit onto Tower' }).click()
    await page
      .getByText(/changed/)
      .first()
      .waitFor()
    assert.equal((await planOf(id)).version, first.body.version)
  })
})
