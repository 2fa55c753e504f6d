// U7: every page of the app, in every theme, on the narrowest phone and on a desktop. A page that is not in the list is found by the last test.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { pages } from '../../web/shell/rooms.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { dataShown, fitsPhone, hintsFit, mapsDrawn } from './hands.ts'
import { useStage } from './kit.ts'

/** Each page by its pattern, with its URLs. `{live}` and `{asked}` are permits. */
const PAGES: Record<string, readonly string[]> = {
  '/today': ['/today', '/today?kiosk'],
  '/board': ['/board', '/board?view=table', '/board?view=map', '/board?q=nothing+is+called+so'],
  '/permits/$permitId': ['/permits/{live}', '/permits/{asked}?review=endorse', '/permits/00000000-0000-7000-8000-000000000000'],
  '/request': ['/request', '/request?draft={draft}'],
  '/wallet': ['/wallet'],
  '/scan': ['/scan'],
  '/close-out': ['/close-out'],
  '/outbox': ['/outbox'],
  '/tasks': ['/tasks'],
  '/alerts': ['/alerts'],
  '/map': ['/map'],
  '/map/emergency-plan': ['/map/emergency-plan'],
  '/map/floor-plans/$planId': ['/map/floor-plans/00000000-0000-7000-8000-000000000000'],
  '/map/site-maps/$mapId': ['/map/site-maps/00000000-0000-7000-8000-000000000000'],
  '/clashes': ['/clashes'],
  '/stops': ['/stops'],
  '/notifications': ['/notifications'],
  '/notifications/preferences': ['/notifications/preferences'],
  '/import': ['/import'],
  '/members': ['/members'],
  '/contractors': ['/contractors'],
  '/settings': ['/settings'],
  '/settings/$part': [
    '/settings/site',
    '/settings/hours',
    '/settings/labels',
    '/settings/types',
    '/settings/appointments',
    '/settings/policy',
    '/settings/regime',
  ],
  '/settings/workflow': ['/settings/workflow?view=table', '/settings/workflow?view=graph'],
  '/settings/rules': ['/settings/rules'],
  '/settings/rules/$rule': ['/settings/rules/new', '/settings/rules/{rule}', '/settings/rules/00000000-0000-7000-8000-000000000000'],
  '/settings/clash-rules': ['/settings/clash-rules'],
  '/settings/clash-rules/$rule': [
    '/settings/clash-rules/new',
    '/settings/clash-rules/{matrix}',
    '/settings/clash-rules/{gate}',
    '/settings/clash-rules/00000000-0000-7000-8000-000000000000',
  ],
  '/settings/smart-groups': ['/settings/smart-groups'],
  '/settings/smart-groups/$group': ['/settings/smart-groups/new', '/settings/smart-groups/00000000-0000-7000-8000-000000000000'],
  '/audit': ['/audit'],
}

/** Waits until nothing on the page is loading. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1, main [role=alert]').first().waitFor()
  await dataShown(page)
  await mapsDrawn(page)
}

describe('U7 every page, in every theme', () => {
  const stage = useStage()
  let w: PermitWorld
  let addresses: string[]
  before(async () => {
    w = await permitWorld(stage.house)
    const live = await w.at('issued', { title: 'Weld handrails, stair 3' })
    const asked = await w.at('requested', { title: 'Dig for the drain' })
    const draft = await w.at('draft', { title: 'Paint the door' })
    const [rule] = (await w.as('admin').get(`/notification-rules/?site_id=${w.site_id}&kind=permit_live`)).body
    const clashRules: { id: string; system_key: string }[] = (await w.as('admin').get(`/clash-rules/?site_id=${w.site_id}`)).body
    const clashRule = (key: string) => clashRules.find(one => one.system_key === key)?.id ?? assert.fail('A standard rule.')
    const [matrix, gate] = [clashRule('permit_proximity'), clashRule('gate_congestion')]
    const ids: Record<string, string> = { live: live.id, asked: asked.id, draft: draft.id, rule: rule.id, matrix, gate }
    addresses = Object.values(PAGES)
      .flat()
      .map(path => `${stage.url}/sites/${w.site_id}${path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? '')}`)
  })

  for (const { theme, width } of [
    { theme: 'outdoor', width: 320 },
    { theme: 'dark', width: 1440 },
    { theme: 'light', width: 1440 },
  ])
    test(`in the ${theme} theme at ${width} px axe finds nothing, and nothing is wider than the screen`, async () => {
      const { page } = await stage.sit(w.as('admin'), { theme, width })
      const faults: string[] = []
      for (const address of addresses)
        try {
          await page.setViewportSize({ width, height: 900 })
          await page.goto(address)
          await settled(page)
          if (width < 600) await fitsPhone(page)
          await hintsFit(page)
          await stage.axe(page)
        } catch (error) {
          faults.push(`${address}: ${String(error)}`)
        }
      assert.deepEqual(faults, [])
    })

  test('no page is missing from the list', () => {
    assert.deepEqual(pages.map(page => page.path).sort(), Object.keys(PAGES).sort())
  })
})
