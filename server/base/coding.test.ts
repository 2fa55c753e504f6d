import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { useHouse } from '../../tests/world.ts'
import { codingOf } from './coding.ts'

describe('how responses are compressed', () => {
  const house = useHouse()

  test('RFC 9110 §12.5.3 the best way that a client accepts; none if it accepts neither', () => {
    const ways: [string, 'zstd' | 'gzip' | null][] = [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, deflate, br', 'gzip'],
      ['zstd;q=0, gzip', 'gzip'],
      ['gzip;q=1.0, zstd;q=0.1', 'gzip'],
      ['*', 'zstd'],
      ['br', null],
      ['identity', null],
      ['gzip;q=0', null],
      ['', null],
    ]
    for (const [accepts, coding] of ways) assert.equal(codingOf(accepts), coding, accepts)
  })

  test('RFC 8878 a large response is sent by Zstandard to browsers that read it, by gzip to others, and as it is to clients that read neither', async () => {
    const get = (accepts: string) => house.edge.app.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': accepts } })
    const plain = await get('identity')
    assert.deepEqual([plain.statusCode, plain.headers['content-encoding']], [200, undefined])
    const zstd = await get('gzip, deflate, br, zstd')
    assert.deepEqual([zstd.headers['content-encoding'], zstd.headers.vary], ['zstd', 'accept-encoding'])
    assert.deepEqual(zstdDecompressSync(zstd.rawPayload), plain.rawPayload)
    const gzip = await get('gzip, deflate, br')
    assert.equal(gzip.headers['content-encoding'], 'gzip')
    assert.deepEqual(gunzipSync(gzip.rawPayload), plain.rawPayload)
    assert.ok(zstd.rawPayload.length < gzip.rawPayload.length, `${zstd.rawPayload.length} and ${gzip.rawPayload.length} bytes`)
  })
})
