import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { runJob } from '../../server/kernel/jobs/door.ts'
import { bookOf } from '../books.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone, hold } from './hands.ts'
import { useStage } from './kit.ts'

const FORTY = fileURLToPath(new URL('../data/permits/register-40.xlsx', import.meta.url))
const EXPECTED = JSON.parse(readFileSync(fileURLToPath(new URL('../data/permits/register-40.expected.json', import.meta.url)), 'utf8'))

describe('the app: importing a register', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = () => `${stage.url}/sites/${w.site_id}/import`
  /** Runs the job whose progress is shown: the test installation runs none by itself. */
  const work = async (page: Page) => {
    await page.locator('progress').waitFor()
    const jobs = await stage.house.rows(`select id from job_run where site_id = $1 and state = 'queued' and kind = 'permit_import'`, [
      w.site_id,
    ])
    assert.equal(jobs.length, 1)
    await runJob(stage.house.house, jobs[0].id)
  }
  const choose = async (page: Page, name: string, file: Buffer | string) => {
    const field = page.locator('input[type=file]')
    if (typeof file === 'string') await field.setInputFiles(file)
    else await field.setInputFiles({ name, mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', buffer: file })
  }
  const permits = async () => (await w.as('admin').get(`/permits?site_id=${w.site_id}&source=imported`)).body.length
  before(async () => {
    w = await permitWorld(stage.house)
  })

  test('a register is only read at first; its preview is shown; then it is imported, and importing it again changes nothing', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at())
    await page.getByText('No registers have been imported yet.').waitFor()
    await choose(page, '', FORTY)
    await work(page)
    const would = page.getByRole('region', { name: 'Preview' })
    await would.waitFor()
    assert.equal(await page.getByRole('button', { name: 'Choose a register' }).count(), 0, 'while a file is open, no other can be chosen')
    const accepted = EXPECTED.summary.must_be_accepted_distinct_permit_numbers
    assert.equal(await permits(), 0)
    await stage.axe(page)
    await page.getByRole('button', { name: /^Import \d+ permits$/ }).click()
    await work(page)
    await page.getByText('register-40.xlsx has been imported.').waitFor()
    assert.equal(await permits(), accepted)
    const link = page.getByRole('link', { name: 'View on the board' })
    const [made] = (await w.as('admin').get(`/permits/sets?site_id=${w.site_id}`)).body
    assert.match((await link.getAttribute('href')) ?? '', new RegExp(`register=${made.id}`), 'the board shows this register')
    // Every row of the register is counted.
    const counts = (await page.getByText(/^\d+: \d+ new\b/).textContent()) ?? ''
    const [all = 0, ...parts] = (counts.match(/\d+/g) ?? []).map(Number)
    assert.match(counts, /\d+ not used$/)
    assert.equal(
      parts.reduce((sum, n) => sum + n, 0),
      all,
    )
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await choose(page, '', FORTY)
    await work(page)
    await page.getByText('There is nothing to import in this file.').waitFor()
  })

  test('a refused row is reported with row, column and value, and is in the file of errors; new contractors are listed', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at())
    const header = ['Permit No', 'Permit Type', 'Contractor', 'Location', 'Start', 'End']
    const book = bookOf([
      header,
      ['X-1', 'HW', 'Brand New Welding', 'Nowhere House', '2026-03-16 08:00', '2026-03-16 18:00'],
      ['X-2', 'HW', 'Brand New Welding', '', 'TBC', '2026-03-16 18:00'],
    ])
    await choose(page, 'mine.xlsx', book)
    await work(page)
    const row = page.getByRole('row').filter({ hasText: 'TBC' })
    await row.waitFor()
    assert.match((await row.textContent()) ?? '', /^3Start/)
    await page.getByText('1 new contractor will be created').click()
    await page.getByText('Brand New Welding').waitFor()
    await page.getByText('1 row has an unknown place').click()
    const place = page.getByRole('listitem').filter({ hasText: 'Nowhere House' })
    await place.waitFor()
    assert.match((await place.textContent()) ?? '', /row 2$/)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download findings' }).click()
    const file = await saving
    assert.equal(file.suggestedFilename(), 'mine-findings.csv')
    assert.match(readFileSync(await file.path(), 'utf8'), /3,Start,TBC,/)
    await page.getByRole('button', { name: 'Import 1 permit' }).click()
    await work(page)
    await page.getByText('mine.xlsx has been imported.').waitFor()
    assert.equal((await w.as('admin').get(`/contractors/?site_id=${w.site_id}&q=Brand New`)).body.length, 1)
  })

  test('the places of an import can be matched again; it can be archived, and deleting it needs a long press', async () => {
    const { page } = await stage.sit(w.as('admin'), { theme: 'dark' })
    await page.goto(at())
    await page.getByRole('button', { name: 'Match places again: mine.xlsx' }).click()
    await page.getByText('Permits without a place: 1. Places found: 0.').waitFor()
    await page.getByRole('button', { name: 'Archive mine.xlsx' }).click()
    await page.getByText('mine.xlsx has been archived. Its permits are kept.').waitFor()
    await page.getByLabel('Show archived registers').check()
    await page.getByText('Archived', { exact: true }).waitFor()
    await stage.axe(page)
    const before = await permits()
    await hold(
      page,
      page.getByRole('button', { name: 'Delete mine.xlsx' }),
      page.getByText(
        'mine.xlsx has been deleted. Permits that someone has acted on, or that another permit refers to, are kept, and so are contractors that it created.',
      ),
    )
    assert.equal(await permits(), before - 1)
  })

  test('a file that isn’t a spreadsheet is refused before it is sent; one that only looks like one, when it is read', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at())
    await choose(page, 'plan.pdf', Buffer.from('%PDF-1.7'))
    await page.getByText(/“plan.pdf” can’t be imported/).waitFor()
    await choose(page, 'lies.xlsx', Buffer.from('these are no cells'))
    await work(page)
    await page.getByText(/The file couldn’t be read or imported: (?!file:)/).waitFor()
  })

  test('1128 a person who can’t import has no link to the page, and opened by its URL it says so', async () => {
    const { page } = await stage.sit(w.as('member'))
    await page.goto(at())
    await page.getByRole('heading', { name: 'You can’t open this page' }).waitFor()
    assert.equal(await page.locator('input[type=file]').count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Import', exact: true }).count(), 0)
  })

  test('on a phone in the outdoor theme nothing is wider than the screen, axe finds nothing, and the file field has a focus ring', async () => {
    const { page } = await stage.sit(w.as('admin'), { theme: 'outdoor', width: 390 })
    await page.goto(at())
    await page
      .getByText(/^\d+: \d+ new\b/)
      .first()
      .waitFor()
    await page.locator('input[type=file]').focus()
    await fitsPhone(page)
    await stage.axe(page)
  })
})
