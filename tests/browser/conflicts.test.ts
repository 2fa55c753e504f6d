import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { spot } from '../sides.ts'
import { fitsPhone } from './hands.ts'
import { setLine, useStage } from './kit.ts'
import { picture } from './picture.ts'

const point = (east: number) => {
  const [lon, lat] = spot(east, 0)
  return { lon, lat }
}
const work = (code: string, east: number) => ({
  categories: [code],
  place: { point: point(east) },
  start_at: '2026-03-17T08:00:00.000Z',
  end_at: '2026-03-17T12:00:00.000Z',
})

describe('the app: conflicts between permits', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })

  test('§4.6 a request shows its conflicts while it is written, and the conflict goes when another window is taken', async () => {
    const other = await w.at('requested', { ...work('CSE', 5), title: 'Clean the tank' })
    const draft = await w.draft(work('HW', 0))
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(`${stage.url}/sites/${w.site_id}/request?draft=${draft.id}`)
    const note = page.getByRole('status').filter({ hasText: 'Conflicts with 1 other permit' })
    await note.getByText('Clean the tank').waitFor()
    await note.getByText('HW and CSE · 5 m apart').waitFor()
    await fitsPhone(page)
    await stage.axe(page)
    await page.getByText('Windows nearby without a red conflict:').waitFor()
    await note.getByRole('button').first().click()
    await page.getByText('No other permit conflicts with this place and window.').waitFor()
    await page.getByText(/^Saved \d\d:\d\d$/).waitFor()
    assert.notEqual((await w.read(draft, w.as('member'))).start_at, work('HW', 0).start_at)
    await w.step(other, 'withdraw', w.as('member'))
  })

  test('R5 a reviewer sees a red conflict before the decision, gives a reason, and the note has it; the board counts it', async () => {
    const own = await w.at('endorsed', { ...work('HW', 100), title: 'Weld the frame' })
    await w.at('requested', { ...work('CSE', 106), title: 'Enter the pit' })
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(`${stage.url}/sites/${w.site_id}/board`)
    await page.getByText('1 red conflict').first().waitFor()
    await page.goto(`${stage.url}/sites/${w.site_id}/permits/${own.id}?review=approve`)
    const panel = page.getByRole('region', { name: 'Conflicts' })
    await panel.getByText('Enter the pit').waitFor()
    await stage.axe(page)
    const approve = page.getByRole('button', { name: 'Approve' }).last()
    assert.equal(await approve.getAttribute('aria-disabled'), 'true')
    await page.getByLabel('Why the work can go ahead despite the red conflicts').fill('The pit is closed until noon')
    await approve.click()
    await page.getByText('Approved', { exact: true }).first().waitFor()
    const { approval_note } = await w.read(own, w.as('hse'))
    assert.equal(approval_note, 'Approved despite 1 red conflict: The pit is closed until noon')
  })

  test('R5 a red conflict that comes up while a reviewer reads is shown before they can approve', async () => {
    const own = await w.at('endorsed', { ...work('HW', 200), title: 'Cut the beam' })
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(`${stage.url}/sites/${w.site_id}/permits/${own.id}?review=approve`)
    const panel = page.getByRole('region', { name: 'Conflicts' })
    await panel.getByText('No other permit conflicts with this one.').waitFor()
    await w.at('requested', { ...work('CSE', 205), title: 'Enter the duct' })
    await panel.getByText('Enter the duct').waitFor()
    await page.getByLabel('Why the work can go ahead despite the red conflicts').waitFor()
  })

  for (const width of [1440, 390])
    test(`§4.6 a reviewer compares a permit with one that conflicts with it: both on one map, and side by side or one below the other, at ${width} px`, async () => {
      const at = 400 + width
      const own = await w.at('endorsed', { ...work('HW', at), title: 'Weld the frame' })
      const other = await w.at('requested', { ...work('CSE', at + 6), title: 'Enter the pit', description: 'Clean the pump in the pit' })
      const { page } = await stage.sit(w.as('hse'), { width })
      await page.goto(`${stage.url}/sites/${w.site_id}/permits/${own.id}?review=approve`)
      const panel = page.getByRole('region', { name: 'Conflicts' })
      const button = panel.getByRole('button', { name: `Compare with ${other.permit_number}` })
      await button.click()
      assert.equal(await button.getAttribute('aria-expanded'), 'true')
      const [mine, theirs] = [/^This permit/, /^The other permit/].map(name => panel.getByRole('region', { name }))
      if (mine === undefined || theirs === undefined) throw new Error('There are two permits.')
      await theirs.getByText('Clean the pump in the pit').waitFor()
      await theirs.getByText('Requested', { exact: true }).waitFor()
      await theirs.getByRole('link', { name: 'Enter the pit' }).waitFor()
      await theirs.getByText('Tue 17 Mar 08:00–12:00').waitFor()
      await mine.getByText('Endorsed', { exact: true }).waitFor()
      await panel.locator('[data-map=idle][data-clashes="1"]').waitFor()
      const [a, b] = [await mine.boundingBox(), await theirs.boundingBox()]
      if (a === null || b === null) throw new Error('Both permits are on the screen.')
      if (width === 1440) assert.ok(Math.abs(a.y - b.y) < 2 && b.x >= a.x + a.width, JSON.stringify([a, b]))
      else assert.ok(b.y >= a.y + a.height && Math.abs(a.x - b.x) < 2, JSON.stringify([a, b]))
      if (width === 390) await fitsPhone(page)
      await stage.axe(page)
      await page.reload()
      await theirs.getByText('Clean the pump in the pit').waitFor()
      await button.click()
      await theirs.waitFor({ state: 'detached' })
    })

  test('CL-8 about a conflict with a permit that is hidden a requestor sees its types and a rounded distance, and their own permit on the map without a line', async () => {
    const own = await w.at('requested', { ...work('HW', 700), title: 'Weld the frame' })
    const yonder = await w.join('member', await w.contractor('Yonder'), 'Yan Yonder')
    const hidden = await w.draft({ ...work('CSE', 706), title: 'Secret pit' }, yonder)
    await w.step(hidden, 'submit', yonder)
    const { permit_number } = await w.read(hidden)
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(`${stage.url}/sites/${w.site_id}/permits/${own.id}`)
    const panel = page.getByRole('region', { name: 'Conflicts' })
    await panel.getByRole('button', { name: 'Show what is known about it' }).click()
    const theirs = panel.getByRole('region', { name: 'The other permit' })
    await theirs.getByText('at most 10 m apart').waitFor()
    await theirs.getByText('CSE').waitFor()
    await panel.locator('[data-map=idle][data-clashes="0"]').waitFor()
    const said = await page.content()
    for (const secret of [permit_number, 'Secret pit', 'Yonder', hidden.id]) assert.equal(said.includes(secret), false, secret)
    await fitsPhone(page)
    await stage.axe(page)
  })

  test('§4.6 before an extension is requested, the conflicts that it would add are shown, with an end that adds no red one; a preview that fails keeps nobody from requesting', async () => {
    const live = await w.at('issued', {
      ...{ ...work('GEN', 400), title: 'Paint the ramp' },
      ...{ start_at: '2026-03-16T10:00:00.000Z', end_at: '2026-03-16T14:00:00.000Z' },
    })
    await w.at('requested', {
      ...{ ...work('RAD', 406), title: 'X-ray the pipe' },
      ...{ start_at: '2026-03-16T15:00:00.000Z', end_at: '2026-03-16T18:00:00.000Z' },
    })
    const { page, context } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(`${stage.url}/sites/${w.site_id}/permits/${live.id}`)
    await page.getByRole('button', { name: 'Request extension' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Until').fill('2026-03-16T16:00')
    await dialog.getByText('Until then, 1 conflict would be added').waitFor()
    await dialog.getByText('X-ray the pipe').waitFor()
    await fitsPhone(page)
    await stage.axe(page)
    await picture(page, 'extension-390')
    await dialog.getByRole('button', { name: 'Request until Mon 16 Mar 15:00' }).click()
    await dialog.getByText('The extension would add no conflict with another permit.').waitFor()
    assert.equal(await dialog.getByLabel('Until').inputValue(), '2026-03-16T15:00')
    await setLine(context, false)
    await dialog.getByText('There is no connection, so conflicts can’t be checked.', { exact: false }).waitFor()
    await setLine(context, true)
    await dialog.getByText('The extension would add no conflict with another permit.').waitFor()
    await page.route('**/conflicts/preview', route =>
      route.fulfill({ status: 409, json: { error: { code: 'conflict', detail: 'Not now.' } } }),
    )
    await dialog.getByLabel('Until').fill('2026-03-16T15:30')
    await dialog.getByText('Conflicts couldn’t be checked. You can still send the request', { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Request extension' }).click()
    await page.getByText('Extension requested').waitFor()
    const [asked] = (await w.read(live)).extensions
    assert.equal(asked.requested_end_at, '2026-03-16T15:30:00.000Z')
  })

  test('§4.2 a permit without a place says that its conflicts can’t be checked', async () => {
    const own = await w.at('endorsed', { ...work('HW', 0), place: null })
    const { page } = await stage.sit(w.as('hse'), { width: 390 })
    await page.goto(`${stage.url}/sites/${w.site_id}/permits/${own.id}`)
    await page.getByText('Conflicts can’t be checked: no place is set for this permit.').waitFor()
    await fitsPhone(page)
  })
})
