import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { linesIn } from './text-lines.ts'

describe('lines of text', () => {
  test('only a line feed ends a line, wherever the pieces of a stream are cut', async () => {
    const lines = ['a\u2028b', '', 'c\rd 😀', 'x'.repeat(40), 'שלום\u2029']
    for (const end of ['', '\n'])
      for (const size of [1, 2, 3, 7, 1000]) {
        const bytes = Buffer.from(lines.join('\n') + end)
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
        const found: string[] = []
        for await (const line of linesIn(Readable.from(pieces, { objectMode: false }))) found.push(line)
        assert.deepEqual(found, lines)
      }
  })
})
