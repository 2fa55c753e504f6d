import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { worldOf } from '../../../../shared/geometry/mercator.ts'
import { CROSSES, controlPoints, HERE, laid, readSheet, readySheet, worked } from '../../../../tests/plans.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

const square = (size: number) => {
  const { lon, lat } = { lon: HERE.lon - size / 4, lat: HERE.lat - size }
  return {
    type: 'Polygon',
    coordinates: [
      [
        [lon, lat],
        [lon + size, lat],
        [lon + size, lat + size],
        [lon, lat + size],
        [lon, lat],
      ],
    ],
  }
}

describe('tiles of pictures', () => {
  const house = useHouse()
  const raw = (w: World, path: string, headers: Record<string, string> = {}) =>
    house.edge.app.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${w.as('viewer').token}`, ...headers } })
  const info = async (w: World, id: string) => (await w.as('viewer').get(`/tiles/info/${id}`)).body
  /** Returns the tile and the pixel in it that shows a place. */
  const spot = ({ lon, lat }: { lon: number; lat: number }, z: number) => {
    const [x, y] = worldOf({ lon, lat }).map(part => part * 2 ** z)
    const [column, row] = [Math.floor(x ?? 0), Math.floor(y ?? 0)]
    return { z, x: column, y: row, px: ((x ?? 0) - column) * 256, py: ((y ?? 0) - row) * 256 }
  }
  const pixels = async (bytes: Buffer) => sharp(bytes).ensureAlpha().raw().toBuffer()

  test('§11 a control point is drawn within 1 px of its place in the tile at max_zoom, in every format', async () => {
    const w = await house.world()
    let seen = 0
    for (const matrix of [laid(0.1, 33), laid(0.07, 200)]) {
      const id = await readySheet(house, w, { matrix })
      const { max_zoom } = await info(w, id)
      for (const point of controlPoints(matrix)) {
        const { z, x, y, px, py } = spot(point, max_zoom)
        for (const ext of ['webp', 'png', 'jpg']) {
          const reply = await raw(w, `/tiles/raster/${id}/${z}/${x}/${y}.${ext}`)
          assert.equal(reply.statusCode, 200)
          const data = await pixels(reply.rawPayload)
          let [sx, sy, n] = [0, 0, 0]
          for (let row = 0; row < 256; row++)
            for (let column = 0; column < 256; column++) {
              const i = (row * 256 + column) * 4
              // The cross is red; all of it that lies within 15 px counts.
              if (Math.hypot(column - px, row - py) > 15 || (data[i + 3] ?? 0) < 128) continue
              const red = (data[i] ?? 0) - (data[i + 1] ?? 0)
              if (red < 60) continue
              sx += (column + 0.5) * red
              sy += (row + 0.5) * red
              n += red
            }
          // A cross at the edge of a tile is cut, so its middle can't be measured there.
          if (px < 16 || py < 16 || px > 240 || py > 240) continue
          seen++
          assert.ok(n > 0, `${ext}: there is no cross at ${px}, ${py}`)
          assert.ok(Math.hypot(sx / n - px, sy / n - py) < 1, `${ext}: ${sx / n - px}, ${sy / n - py}`)
        }
      }
    }
    assert.ok(seen >= 18, `${seen} crosses were measured`)
  })

  test('§11 a tile has 256 px and is transparent outside the picture; in range and empty is 204', async () => {
    const w = await house.world()
    const id = await readySheet(house, w)
    const { min_zoom, max_zoom, bounds, tile_count, bytes } = await info(w, id)
    const corner = spot({ lon: bounds[0], lat: bounds[3] }, max_zoom)
    const at = `/tiles/raster/${id}/${corner.z}/${corner.x}/${corner.y}`
    const empty = await raw(w, `${at}.webp`)
    // The picture is turned, so its upper left corner of degrees shows nothing of it, or very little.
    if (empty.statusCode === 200) {
      const data = await pixels(empty.rawPayload)
      assert.equal(data.length, 256 * 256 * 4)
      assert.ok(data.filter((value, i) => i % 4 === 3 && value === 0).length > 1000)
    } else assert.equal(empty.statusCode, 204)
    const far = await raw(w, `/tiles/raster/${id}/${max_zoom}/0/0.webp`)
    assert.deepEqual([far.statusCode, far.rawPayload.length], [204, 0])
    const middle = spot({ lon: (bounds[0] + bounds[2]) / 2, lat: (bounds[1] + bounds[3]) / 2 }, min_zoom)
    const overview = await raw(w, `/tiles/raster/${id}/${min_zoom}/${middle.x}/${middle.y}.png`)
    const { width, height, format } = await sharp(overview.rawPayload).metadata()
    assert.deepEqual([width, height, format, overview.headers['content-type']], [256, 256, 'png', 'image/png'])
    assert.ok(tile_count > 3 && bytes > 1000)
  })

  test('§11 zooms out of range, unknown extensions and maps without tiles are 404; rows and columns that no map has are 422', async () => {
    const w = await house.world()
    const id = await readySheet(house, w)
    const { min_zoom, max_zoom } = await info(w, id)
    const status = async (path: string) => (await w.as('viewer').get(`/tiles/raster/${id}/${path}`)).status
    assert.deepEqual(
      await Promise.all([`${min_zoom - 1}/0/0.webp`, `${max_zoom + 1}/0/0.webp`, `${max_zoom}/0/0.gif`, `${max_zoom}/0/0.mvt`].map(status)),
      [404, 404, 404, 404],
    )
    const n = 2 ** max_zoom
    assert.deepEqual(
      await Promise.all(
        [
          `${max_zoom}/${n}/0.webp`,
          `${max_zoom}/0/${n}.webp`,
          `${max_zoom}/-1/0.webp`,
          `${max_zoom}/a/0.webp`,
          `${max_zoom}/0/1e3.webp`,
        ].map(status),
      ),
      [422, 422, 422, 422, 422],
    )
    const waiting = await readSheet(house, w, 'Waiting', 5)
    for (const path of [`raster/${waiting}/17/0/0.webp`, `raster/${waiting}/tilejson.json`, `info/${waiting}`])
      assert.equal((await w.as('viewer').get(`/tiles/${path}`)).status, 404, path)
    const other = await house.world()
    for (const path of [`raster/${id}/${max_zoom}/0/0.webp`, `raster/${id}/tilejson.json`, `info/${id}`, `sites/${w.site_id}/preview.webp`])
      assert.equal((await other.as('admin').get(`/tiles/${path}`)).status, 404, path)
  })

  test('§11 TileJSON passes the rules of version 3.0.0, and its template with the centre gives a tile', async () => {
    const w = await house.world()
    const id = await readySheet(house, w)
    const reply = await w.as('viewer').get(`/tiles/raster/${id}/tilejson.json`)
    assert.equal(reply.status, 200, reply.text)
    const { tilejson, tiles, bounds, center, minzoom, maxzoom, version, scheme } = reply.body
    assert.deepEqual([tilejson, scheme, version], ['3.0.0', 'xyz', '1.1.0'])
    assert.match(version, /^\d+\.\d+\.\d+$/)
    const [west, south, east, north] = bounds
    assert.ok(west < east && south < north && west >= -180 && east <= 180 && south >= -90 && north <= 90)
    const [lon, lat, zoom] = center
    assert.ok(lon > west && lon < east && lat > south && lat < north && zoom >= minzoom && zoom <= maxzoom)
    assert.ok(Number.isInteger(minzoom) && Number.isInteger(maxzoom) && minzoom >= 0 && maxzoom <= 30)
    assert.equal(tiles.length, 1)
    assert.match(tiles[0], /^https?:\/\/[^/]+\/api\/tiles\/.*\{z\}\/\{x\}\/\{y\}\.webp\?v=1$/)
    assert.equal('vector_layers' in reply.body, false)
    for (let z = minzoom; z <= maxzoom; z++) {
      const at = spot({ lon, lat }, z)
      const url = new URL(tiles[0].replace('{z}', z).replace('{x}', at.x).replace('{y}', at.y))
      const tile = await raw(w, `${url.pathname.slice(4)}${url.search}`)
      assert.deepEqual([tile.statusCode, tile.headers['cache-control']], [200, 'private, max-age=31536000, immutable'], `zoom ${z}`)
    }
  })

  test('§11 with the current version a tile can be stored for a year; without it, it is checked by its tag, which new tiles change', async () => {
    const w = await house.world()
    const id = await readySheet(house, w)
    const { max_zoom, center } = await info(w, id)
    const { z, x, y } = spot({ lon: center[0], lat: center[1] }, max_zoom)
    const at = `/tiles/raster/${id}/${z}/${x}/${y}.webp`
    const plain = await raw(w, at)
    assert.equal(plain.headers['cache-control'], 'private, no-cache')
    assert.equal((await raw(w, `${at}?v=9`)).headers['cache-control'], 'private, no-cache')
    const tag = String(plain.headers.etag)
    const same = await raw(w, at, { 'if-none-match': tag })
    assert.deepEqual([same.statusCode, same.rawPayload.length], [304, 0])
    const again = await w.as('hse').post(`/site-maps/${id}/calibrate`, { points: controlPoints(laid(0.1, 34)) })
    assert.equal((await raw(w, at, { 'if-none-match': tag })).statusCode, 304, 'the old tiles are served until the new ones are complete')
    assert.equal((await info(w, id)).status, 'tiling')
    await worked(house, again)
    const changed = await raw(w, at, { 'if-none-match': tag })
    assert.equal(changed.statusCode, 200)
    assert.notEqual(changed.headers.etag, tag)
    assert.equal((await w.as('viewer').get(`/tiles/raster/${id}/tilejson.json`)).body.version, '1.2.0')
  })

  test('§11 the info says what the tiles are and how accurate the map is', async () => {
    const w = await house.world()
    const id = await readySheet(house, w)
    const said = await info(w, id)
    assert.deepEqual([said.status, said.tile_size, said.quality, said.content_version], ['ready', 256, 'good', 1])
    assert.deepEqual(said.formats, ['webp', 'png', 'jpg'])
    assert.ok(Math.abs(said.ground_resolution_m - 0.1) < 0.001 && said.rmse_m < 0.001)
    const map = (await w.as('viewer').get(`/site-maps/${id}`)).body
    assert.deepEqual([said.min_zoom, said.max_zoom, said.bounds], [map.min_zoom, map.max_zoom, map.bounds])
    // 0.1 m a pixel at this latitude: the next finer zoom is 20.
    assert.equal(said.max_zoom, Math.ceil(Math.log2((156543.03 * Math.cos((HERE.lat * Math.PI) / 180)) / 0.1)))
  })

  test('§11 the picture of a site shows the active map, the boundary and the buildings, and plain ground without them', async () => {
    const w = await house.world()
    const card = async (headers = {}) => {
      const reply = await raw(w, `/tiles/sites/${w.site_id}/preview.webp`, headers)
      if (reply.statusCode !== 200) return { status: reply.statusCode, tag: '', colours: new Set<string>(), size: [0, 0] }
      const { data, info: size } = await sharp(reply.rawPayload).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const colours = new Set<string>()
      for (let i = 0; i < data.length; i += 3) {
        const [r = 0, g = 0, b = 0] = [data[i], data[i + 1], data[i + 2]]
        if (r > 245 && g > 245 && b > 245) colours.add('white')
        else if (g > r + 40 && g > b + 20) colours.add('green')
        else if (r < 200 && Math.abs(r - g) < 25 && Math.abs(r - b) < 25) colours.add('grey')
        else if (r > 220) colours.add('ground')
      }
      return { status: 200, tag: String(reply.headers.etag), colours, size: [size.width, size.height] }
    }
    const plain = await card()
    assert.deepEqual([plain.status, plain.size, [...plain.colours]], [200, [640, 400], ['ground']])
    assert.equal((await card({ 'if-none-match': plain.tag })).status, 304)
    await w.as('admin').put(`/sites/${w.site_id}/boundary`, { geometry: square(0.002) })
    const bounded = await card()
    assert.ok(bounded.colours.has('green') && !bounded.colours.has('white'))
    await w.as('hse').post('/reference-features/zones', {
      site_id: w.site_id,
      kind: 'building',
      name: 'Block A',
      levels: [{ index: 0 }],
      outline: square(0.0005),
    })
    assert.ok((await card()).colours.has('grey'))
    const id = await readySheet(house, w)
    await w.as('hse').put(`/site-maps/sites/${w.site_id}/active-map`, { site_map_id: id })
    const whole = await card()
    assert.ok(whole.colours.has('white') && whole.colours.has('green') && whole.colours.has('ground'), [...whole.colours].join())
    assert.notEqual(whole.tag, bounded.tag)
  })

  test('§11 every control point of a picture in perspective is drawn where it is, too', async () => {
    const w = await house.world()
    const id = await readSheet(house, w)
    const [[a, b], [c, d]] = laid(0.1, 10)
    const tilted = [
      [a, b, 0],
      [c, d, 0],
      [0.0004, 0.0006, 1],
    ] as const
    const points = controlPoints(tilted, [...CROSSES, [20, 20], [580, 380]])
    await worked(house, await w.as('hse').post(`/site-maps/${id}/calibrate`, { points, model: 'projective' }))
    const { max_zoom } = await info(w, id)
    let seen = 0
    for (const point of points.slice(0, 6)) {
      const { z, x, y, px, py } = spot(point, max_zoom)
      if (px < 3 || py < 3 || px > 253 || py > 253) continue
      const data = await pixels((await raw(w, `/tiles/raster/${id}/${z}/${x}/${y}.png`)).rawPayload)
      const i = (Math.floor(py) * 256 + Math.floor(px)) * 4
      assert.ok((data[i] ?? 0) - (data[i + 1] ?? 0) > 80, `point ${point.label}`)
      seen++
    }
    assert.ok(seen >= 4)
  })
})
