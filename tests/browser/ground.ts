// A site with a drawing, for the map's tests.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import type { TestHouse } from '../world.ts'

/** Waits until the map has stopped moving and has drawn its data. */
export const idle = (page: Page) => page.locator('[data-map=idle]').waitFor()

/** Returns a place in metres from the corner of the site. */
export const spotAt = (x: number, y: number) => ({ lon: -0.02 + x / 69_400, lat: 51.505 + y / 111_260 })
/** Returns the same as a position. */
export const positionAt = (x: number, y: number): [number, number] => [spotAt(x, y).lon, spotAt(x, y).lat]

/** Returns a rectangle in metres from a corner on the site. */
export const ground = (x: number, y: number, width: number, depth: number) => ({
  type: 'Polygon',
  coordinates: [[positionAt(x, y), positionAt(x + width, y), positionAt(x + width, y + depth), positionAt(x, y + depth), positionAt(x, y)]],
})

/** Draws a boundary, a tower with three levels, an exclusion zone, and a permit on two of the levels. */
export async function drawnWorld(house: TestHouse): Promise<{ w: PermitWorld; tower: string }> {
  const w = await permitWorld(house)
  const admin = w.as('admin')
  const put = await admin.put(`/sites/${w.site_id}/boundary`, { geometry: ground(0, 0, 200, 150) })
  assert.equal(put.status, 200, put.text)
  const draw = async (body: Record<string, unknown>) => {
    const made = await admin.post('/reference-features/zones', { site_id: w.site_id, ...body })
    assert.equal(made.status, 201, made.text)
    return made.body.id as string
  }
  const tower = await draw({
    kind: 'building',
    code: 'T',
    name: 'Tower',
    outline: ground(20, 20, 60, 50),
    levels: [0, 1, 2].map(index => ({ index, name: `Level ${index}` })),
  })
  await draw({ kind: 'zone', name: 'Keep out', zone_type: 'exclusion', outline: ground(120, 20, 30, 30) })
  await w.at('issued', { title: 'Weld handrails', place: { building_id: tower, level_index: 1 } })
  await w.at('requested', { title: 'Dig for the drain', place: { building_id: tower, level_index: 2 } })
  return { w, tower }
}

/** Scrolls the map to the middle, where no bar of the app covers its buttons. */
export const centre = (page: Page): Promise<void> => page.locator('[data-map]').evaluate(one => one.scrollIntoView({ block: 'center' }))

/** Pixels of the screen for a metre of the map, by its own scale bar. */
export async function metreOf(page: Page | Locator): Promise<number> {
  const bar = page.locator('.maplibregl-ctrl-scale').first()
  const [text, box] = [await bar.textContent(), await bar.boundingBox()]
  const metres = Number(/^([\d.]+)/.exec(text ?? '')?.[1]) * (/km/.test(text ?? '') ? 1000 : 1)
  return ((box?.width ?? 0) - 2) / metres
}
