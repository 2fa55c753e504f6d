// Pictures that come with a world file in a zip archive, as surveyors send them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { zipped } from '../../../../tests/geo.ts'
import { geoTiff, upload, worked } from '../../../../tests/plans.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

/** Where the upper left pixel is, in UTM. */
const CORNER: [number, number] = [702_050, 5_710_050]
const UTM =
  'PROJCS["WGS_1984_UTM_Zone_30N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000],PARAMETER["False_Northing",0],PARAMETER["Central_Meridian",-3],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0],UNIT["Meter",1]]'
const worldFile = ([left, top]: readonly number[] = CORNER) => `0.5\r\n0.0\r\n0.0\r\n-0.5\r\n${left}\r\n${top}\r\n`

describe('pictures with a world file', () => {
  const house = useHouse()
  const picture = () =>
    sharp({ create: { width: 64, height: 48, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
  const send = (w: World, bytes: Buffer, filename = 'flight.zip') =>
    w.as('hse').send('POST', '/site-maps/upload', upload(bytes, filename, { site_id: w.site_id, name: 'Flight' }))
  const read = async (w: World, bytes: Buffer, filename?: string) => {
    const made = await send(w, bytes, filename)
    assert.equal(made.status, 201, made.text)
    await worked(house, made)
    return (await w.as('viewer').get(`/site-maps/${made.body.id}`)).body
  }

  test('§7 a picture in an archive is calibrated by its world file and the grid next to it, like a GeoTIFF with the same numbers', async () => {
    const w = await house.world()
    const tagged = await read(w, geoTiff(32630, CORNER, 0.5, { point: true }), 'flight.tif')
    const archive = {
      'out/flight.png': await picture(),
      'out/FLIGHT.PGW': worldFile(),
      'out/flight.prj': UTM,
      '__MACOSX/out/._flight.png': 'x',
    }
    const made = await read(w, zipped(archive))
    assert.deepEqual(
      [made.status, made.calibration.model, made.file.name, made.file.type],
      ['tiling', 'embedded', 'flight.png', 'image/png'],
    )
    const { matrix, origin, ground_resolution_m } = made.calibration
    assert.deepEqual(
      { matrix, origin, ground_resolution_m },
      {
        matrix: tagged.calibration.matrix,
        origin: tagged.calibration.origin,
        ground_resolution_m: tagged.calibration.ground_resolution_m,
      },
    )
    const notes = `<PAMDataset><SRS dataAxisToSRSAxisMapping="1,2">${UTM.replaceAll('"', '&quot;')}</SRS></PAMDataset>`
    const other = await read(w, zipped({ 'a.png': await picture(), 'a.wld': worldFile().replaceAll('.', ','), 'a.png.aux.xml': notes }))
    assert.deepEqual(other.calibration?.matrix, matrix)
  })

  test('§7 a picture in an archive without a world file waits for control points', async () => {
    const w = await house.world()
    assert.equal((await read(w, zipped({ 'a.png': await picture(), 'b.pgw': worldFile() }))).status, 'needs_calibration')
  })

  test('§7 an archive that isn’t a picture with a world file is refused by what it is', async () => {
    const w = await house.world()
    const png = await picture()
    const refused: [Record<string, Buffer | string>, RegExp][] = [
      [{ 'a.shp': 'x' }, /is a zip archive without a picture/],
      [{ 'a.png': png, 'b.png': png }, /with several pictures/],
      [{ 'a.png': png, 'a.pgw': worldFile() }, /nothing says which grid it is in\. Add its \.prj file/],
      [{ 'a.png': png, 'a.pgw': '1 2 3', 'a.prj': UTM }, /doesn’t consist of six numbers/],
      [{ 'a.png': png, 'a.pgw': worldFile(), 'a.prj': 'LOCAL_CS["Site grid"]' }, /in the grid “Site grid”, which can’t be converted/],
      [{ 'a.png': png, 'a.pgw': worldFile([1e9, 1e9]), 'a.prj': UTM }, /puts it nowhere in its grid/],
      [{ 'a.png': 'x', 'a.pgw': worldFile(), 'a.prj': UTM }, /is damaged/],
    ]
    for (const [files, said] of refused) {
      const no = await send(w, zipped(files))
      assert.deepEqual([no.status, no.body.error.fields?.[0]?.path], [422, 'file'], no.text)
      assert.match(no.body.error.fields[0].message, said)
    }
    const cut = await send(w, zipped({ 'a.png': png }).subarray(0, 90))
    assert.match(cut.body.error.fields?.[0]?.message ?? cut.text, /is a zip archive that is damaged/)
  })
})
