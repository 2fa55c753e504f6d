// Reads the content of our PDFs: the text through the fonts' own tables, the metadata, and the structure. It only understands our own documents.
import { inflateSync } from 'node:zlib'

/** A parsed PDF. */
export type Pdf = { pages: number; text: string; metadata: string; structure: string[]; alts: string[]; raw: string }

/** Parses a PDF. */
export function readPdf(bytes: Buffer): Pdf {
  const raw = bytes.toString('latin1')
  const objects = new Map<number, { head: string; stream: Buffer | null }>()
  for (const found of raw.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const from = found.index + found[0].length
    const stream_at = raw.indexOf('stream\n', from)
    const end_at = raw.indexOf('endobj', from)
    const has = stream_at >= 0 && stream_at < end_at
    const head = raw.slice(from, has ? stream_at : end_at)
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0)
    const data = has ? bytes.subarray(stream_at + 7, stream_at + 7 + length) : null
    const plain = data !== null && /FlateDecode/.test(head) && !/DCTDecode/.test(head) ? inflateSync(data) : data
    objects.set(Number(found[1]), { head, stream: plain })
  }
  const fonts = new Map<number, Map<number, string>>()
  for (const [nr, { head }] of objects) {
    const unicode = /\/ToUnicode (\d+) 0 R/.exec(head)?.[1]
    if (unicode !== undefined) fonts.set(nr, unicodeOf(objects.get(Number(unicode))?.stream?.toString('latin1') ?? ''))
  }
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head))
  const text = pages
    .map(({ head }) => {
      const content = /\/Contents (\d+) 0 R/.exec(head)?.[1]
      const named = new Map<string, Map<number, string>>()
      const resources = /\/Resources (\d+) 0 R/.exec(head)?.[1]
      const where = resources === undefined ? head : (objects.get(Number(resources))?.head ?? '')
      for (const [, name = '', nr] of where.matchAll(/\/(f\d+) (\d+) 0 R/g)) named.set(name, fonts.get(Number(nr)) ?? new Map())
      return textIn(objects.get(Number(content))?.stream ?? Buffer.alloc(0), named)
    })
    .join('\f')
  const all = [...objects.values()].map(o => o.head).join('\n')
  return {
    pages: pages.length,
    text,
    metadata: [...objects.values()].find(({ head }) => /\/Type \/Metadata/.test(head))?.stream?.toString('utf8') ?? '',
    structure: [...all.matchAll(/\/S \/([A-Za-z0-9]+)/g)].map(found => found[1] ?? ''),
    alts: [...all.matchAll(/\/Alt (\((?:\\.|[^\\)])*\)|<[0-9A-Fa-f]*>)/g)].map(found => found[1] ?? ''),
    raw,
  }
}

function unicodeOf(cmap: string): Map<number, string> {
  const out = new Map<number, string>()
  const spelled = (hex: string) => String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map(unit => Number.parseInt(unit, 16)))
  for (const [, block = ''] of cmap.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code = '', to = ''] of block.matchAll(/<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>/g))
      out.set(Number.parseInt(code, 16), spelled(to))
  for (const [, block = ''] of cmap.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from = '', to = '', first = ''] of block.matchAll(/<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>/g))
      for (let c = Number.parseInt(from, 16), i = 0; c <= Number.parseInt(to, 16); c++, i++)
        out.set(
          c,
          String.fromCharCode(...(first.match(/.{4}/g) ?? []).map(u => Number.parseInt(u, 16))).replace(/.$/s, last =>
            String.fromCharCode(last.charCodeAt(0) + i),
          ),
        )
  return out
}

/** Returns the text of a content stream, one line for each position. */
function textIn(stream: Buffer, fonts: Map<string, Map<number, string>>): string {
  let font = new Map<number, string>()
  let out = ''
  const source = stream.toString('latin1')
  const show = (codes: Buffer) => {
    for (let i = 0; i + 1 < codes.length; i += 2) out += font.get(codes.readUInt16BE(i)) ?? ''
  }
  const word = /\/(f\d+) [\d.]+ Tf|\b(?:TJ|Tj|Tm|Td|ET|BT)\b/y
  for (let at = 0; at < source.length; ) {
    if (source[at] === '(') {
      const { bytes, end } = literal(source, at)
      show(bytes)
      at = end
    } else if (source[at] === '<' && source[at + 1] !== '<') {
      const end = source.indexOf('>', at)
      show(Buffer.from(source.slice(at + 1, end), 'hex'))
      at = end + 1
    } else {
      word.lastIndex = at
      const found = word.exec(source)
      if (found?.[1] !== undefined) font = fonts.get(found[1]) ?? new Map()
      else if (found?.[0] === 'ET' || found?.[0] === 'Td') out += '\n'
      at += found?.[0].length ?? 1
    }
  }
  return out.replace(/\n+/g, '\n')
}

/** A string in round brackets, which may contain balanced brackets and escapes (ISO 32000-1 §7.3.4.2). */
function literal(source: string, from: number): { bytes: Buffer; end: number } {
  const bytes: number[] = []
  const known: Record<string, number> = { n: 10, r: 13, t: 9, b: 8, f: 12 }
  let depth = 0
  let at = from
  for (; at < source.length; at++) {
    const sign = source[at] ?? ''
    if (sign === '\\') {
      const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0]
      const next = source[at + 1] ?? ''
      if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 255)
      else if (next !== '\n') bytes.push(known[next] ?? next.charCodeAt(0))
      at += octal?.length ?? 1
      continue
    }
    if (sign === '(' && ++depth === 1) continue
    if (sign === ')' && --depth === 0) break
    bytes.push(sign.charCodeAt(0))
  }
  return { bytes: Buffer.from(bytes), end: at + 1 }
}
