// Lines of stored text. Only a line feed ends one: `node:readline` also ends lines at U+2028 and U+2029, which JSON has in the middle of its texts.
import type { Readable } from 'node:stream'

/** Yields the lines of a stream of UTF-8 text, without their line feeds; text after the last one is a line, too. */
export async function* linesIn(input: Readable): AsyncGenerator<string> {
  let parts: string[] = []
  for await (const piece of input.setEncoding('utf8')) {
    const text = String(piece)
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      yield parts.join('') + text.slice(from, end)
      parts = []
      from = end + 1
    }
    parts.push(text.slice(from))
  }
  const last = parts.join('')
  if (last !== '') yield last
}
