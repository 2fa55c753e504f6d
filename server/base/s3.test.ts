import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { s3Storage } from './s3.ts'

const SILENCE_MS = 2000
const PART = Buffer.alloc(50_000, 'x')

describe('files in a bucket on a slow line', { concurrency: true }, () => {
  const server = createServer((request, response) => {
    request.resume()
    const parts = async (count: number) => {
      response.writeHead(200)
      for (let n = 0; n < count; n++) {
        response.write(PART)
        await wait(700)
      }
    }
    const answers: Record<string, () => Promise<unknown>> = {
      'GET slow': async () => {
        await parts(4)
        response.end()
      },
      'GET stops': () => parts(1),
      'GET quick': async () => response.writeHead(200).end(Buffer.concat(Array(40).fill(PART))),
      'HEAD large': async () => response.writeHead(404).end(),
      'PUT large': () => wait(SILENCE_MS + 500).then(() => response.writeHead(200).end()),
    }
    void answers[`${request.method} ${request.url?.split('/').at(-1)}`]?.()
  })
  let bucket: ReturnType<typeof s3Storage>
  let folder: string

  before(async () => {
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const at = server.address()
    if (at === null || typeof at === 'string') throw new Error('The server has no port.')
    bucket = s3Storage(new URL(`s3://files?endpoint=http://127.0.0.1:${at.port}`), 'key', 'secret', SILENCE_MS)
    folder = await mkdtemp(join(tmpdir(), 'walkdown-s3-'))
  })

  after(async () => {
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true })
  })

  test('R13 storage: a download that takes longer than a silence may last arrives whole', async () => {
    assert.equal((await buffer(await bucket.open('slow'))).length, 4 * PART.length)
  })

  test('R13 storage: a download that is read slowly arrives whole', async () => {
    let length = 0
    for await (const part of await bucket.open('quick')) {
      if (length === 0) await wait(SILENCE_MS + 500)
      length += part.length
    }
    assert.equal(length, 40 * PART.length)
  })

  test('R13 storage: a download whose server stops sending ends with an error', async () => {
    await assert.rejects(async () => buffer(await bucket.open('stops')), /The file storage stopped sending/)
  })

  test('R13 storage: a large upload may take longer than a short request', async () => {
    const path = join(folder, 'large')
    await writeFile(path, Buffer.alloc(200_000))
    await bucket.keep('large', path, 'application/pdf')
  })
})
