// Damaged pictures: each is refused at the upload with its reason, or accepted, and then every variant is a picture or a placeholder with a reason.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { chance, seedOf, times } from '../../../tests/chance.ts'
import { type PermitWorld, permitWorld } from '../../../tests/permits.ts'
import { useHouse } from '../../../tests/world.ts'

const seed = seedOf(20260316)
const MUTANTS = times('MUTANTS', 12)

const heic = (name: string) => readFile(fileURLToPath(new URL(`../../../tests/data/images/${name}.heic`, import.meta.url)))

/** Makes a picture of each type with some content, so that damage has an effect. */
async function originals(): Promise<[string, Buffer][]> {
  const chaos = chance(seed)
  const [width, height] = [160, 120]
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, (_, i) => ((i % 97) * 2 + chaos.below(60)) % 256))
  const plain = () => sharp(pixels, { raw: { width, height, channels: 3 } })
  const frames = sharp(Buffer.concat([pixels, pixels]), { raw: { width, height: height * 2, channels: 3, pageHeight: height } })
  return [
    ['jpeg', await plain().jpeg().withMetadata({ orientation: 6 }).toBuffer()],
    ['progressive.jpeg', await plain().jpeg({ progressive: true }).toBuffer()],
    ['png', await plain().png().toBuffer()],
    ['webp', await plain().webp().toBuffer()],
    ['gif', await plain().gif().toBuffer()],
    ['animated.gif', await frames.gif().toBuffer()],
    ['tiff', await plain().tiff().toBuffer()],
    ['avif', await plain().avif({ effort: 0 }).toBuffer()],
    ['heic', await heic('gps-photo')],
  ]
}

describe('damaged pictures', () => {
  const house = useHouse()
  let w: PermitWorld
  let draft: { id: string }
  before(async () => {
    w = await permitWorld(house)
  })
  const HEADS = ['ffd8ffe0', '89504e470d0a1a0a', '474946383961', '52494646', '49492a00', '000000186674797068656963'].map(head =>
    Buffer.from(head, 'hex'),
  )

  /** Makes a damaged copy: truncated, with changed bytes, with bytes missing or doubled, or with the header of another type. */
  const mutant = (chaos: ReturnType<typeof chance>, value: Buffer): { how: string; value: Buffer } => {
    const at = (share: number) => Math.floor(value.length * share)
    switch (chaos.below(6)) {
      case 0: {
        const length = 1 + chaos.below(value.length - 1)
        return { how: `cut off after ${length}`, value: value.subarray(0, length) }
      }
      case 1: {
        const copy = Buffer.from(value)
        const n = 1 + chaos.below(8)
        for (let i = 0; i < n; i++) copy[chaos.below(copy.length)] = chaos.below(256)
        return { how: `${n} bytes changed`, value: copy }
      }
      case 2: {
        const copy = Buffer.from(value)
        const n = 1 + chaos.below(6)
        for (let i = 0; i < n; i++) copy[12 + chaos.below(Math.min(200, copy.length - 12))] = chaos.below(256)
        return { how: `${n} bytes of the header changed`, value: copy }
      }
      case 3: {
        const head = chaos.of(HEADS)
        return { how: `the head ${head.toString('hex')}`, value: Buffer.concat([head, value.subarray(head.length)]) }
      }
      case 4: {
        const [from, to] = [at(chaos.next()), at(chaos.next())].sort((a, b) => a - b)
        return { how: `without ${from} to ${to}`, value: Buffer.concat([value.subarray(0, from), value.subarray(to)]) }
      }
      default: {
        const from = at(chaos.next())
        return { how: `zeros from ${from}`, value: Buffer.concat([value.subarray(0, from), Buffer.alloc(value.length - from)]) }
      }
    }
  }

  test(`10.11 each damaged picture is refused with its reason, or every variant of it can be shown (SEED=${seed})`, async () => {
    const chaos = chance(seed)
    const counts = { refused: 0, shown: 0, placeholder: 0 }
    for (const [name, whole] of await originals()) {
      draft = await w.draft()
      for (let n = 0; n < MUTANTS; n++) {
        const { how, value } = mutant(chaos, whole)
        const about = `${name}, ${how} (mutant ${n})`
        const sent = await w
          .as('member')
          .send('POST', `/permits/applications/${draft.id}/attachments`, [{ name: 'file', value, filename: `view.${name}` }])
        if (sent.status !== 201) {
          assert.ok([413, 415, 422].includes(sent.status), `${about}: ${sent.status} ${sent.text}`)
          assert.match(sent.body.error.detail, /^[“A-Z].{10,}\.$/, about)
          counts.refused++
          continue
        }
        // A file whose bytes aren’t a picture has no variants.
        if (!sent.body.media_type.startsWith('image/')) continue
        for (const variant of ['preview', 'thumb', 'preview']) {
          const reply = await house.edge.app.inject({
            url: `/api/permits/applications/${draft.id}/attachments/${sent.body.id}/download?variant=${variant}`,
            headers: { authorization: `Bearer ${w.as('member').token}` },
          })
          assert.equal(reply.statusCode, 200, `${about}: ${variant} ${reply.statusCode} ${reply.payload.slice(0, 300)}`)
          if (reply.headers['x-preview-problem'] === undefined) {
            assert.equal(reply.headers['content-type'], 'image/webp', about)
            const { width = 0 } = await sharp(reply.rawPayload).metadata()
            assert.ok(width > 0, about)
            counts.shown++
          } else {
            assert.equal(reply.headers['content-type'], 'image/svg+xml', about)
            assert.match(reply.payload, /<text .*\./, about)
            counts.placeholder++
          }
        }
      }
    }
    for (const [what, count] of Object.entries(counts)) assert.ok(count > 0, `none was ${what}: ${JSON.stringify(counts)}`)
  })

  test('10.11 a damaged logo is refused with its reason, or can be shown', async () => {
    const chaos = chance(seed + 1)
    for (const [name, whole] of await originals())
      for (let n = 0; n < Math.ceil(MUTANTS / 3); n++) {
        const { how, value } = mutant(chaos, whole)
        const sent = await w
          .as('coordinator')
          .send('PUT', `/contractors/${w.acme}/logo`, [{ name: 'file', value, filename: `logo.${name}` }])
        assert.ok(sent.status < 300 || [413, 415, 422].includes(sent.status), `${name}, ${how}: ${sent.status} ${sent.text}`)
        if (sent.status >= 300) continue
        for (const size of ['64', '256', 'original']) {
          const shown = await w.as('member').get(`/contractors/${w.acme}/logo/image?size=${size}`)
          assert.equal(shown.status, 200, `${name}, ${how}: ${shown.text.slice(0, 200)}`)
        }
      }
  })
})
