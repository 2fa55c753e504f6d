import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../permits.ts'
import { useStage } from './kit.ts'

describe('the app: a locked site', () => {
  const stage = useStage()

  test('9.3, §1 on a locked site nothing that writes is offered, everything can be read, and a bar says since when it is locked, who did it and why', async () => {
    const own = await permitWorld(stage.house)
    await own.at('requested', { title: 'Weld the frame' })
    const { page } = await stage.sit(own.as('admin'))
    /** Lists the pages on which a change is offered. */
    const offered = async () => {
      const found: string[] = []
      for (const [path, heading, what] of [
        ['board', 'Board', 'Request a permit'],
        ['map', 'Map', /^(Draw|Start with the boundary)/],
        ['contractors', 'Contractors', 'New contractor'],
        ['settings/types', 'Settings', 'New type'],
        ['settings/appointments', 'Settings', /^Appoint$/],
        ['members', 'People', /^Invite/],
        ['import', 'Import a register', 'Choose a register'],
      ] as const) {
        await page.goto(`${stage.url}/sites/${own.site_id}/${path}`)
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        const main = page.getByRole('main')
        if (
          (await main
            .getByRole('button', { name: what })
            .or(main.getByRole('link', { name: what }))
            .count()) > 0
        )
          found.push(path)
      }
      await page.keyboard.press('c')
      const start = page.getByRole('dialog')
      await start.getByRole('link', { name: 'Scan a permit' }).waitFor()
      if ((await start.getByRole('link', { name: 'Request a permit' }).count()) > 0) found.push('new')
      return found
    }
    assert.deepEqual(await offered(), [
      'board',
      'map',
      'contractors',
      'settings/types',
      'settings/appointments',
      'members',
      'import',
      'new',
    ])
    const locked = await own.as('admin').post(`/sites/${own.site_id}/lock`, { locked: true, reason: 'Handover' })
    assert.equal(locked.status, 200, locked.text)
    assert.deepEqual(await offered(), [])
    await page.goto(`${stage.url}/sites/${own.site_id}/board`)
    await page.getByRole('link', { name: 'Weld the frame' }).waitFor()
    await page.getByText('This site is locked.', { exact: false }).waitFor()
    // site-and-people.md §1: the bar says since when, who and why.
    await page.getByText(/^Locked by .+ since .+\. Handover$/).waitFor()
    await stage.axe(page)
  })
})
