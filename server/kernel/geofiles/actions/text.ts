// Reads the text of layers: in its encoding, the documents of JSON in it, and the elements of XML as they arrive.
import { SaxesParser } from 'saxes'
import { saidOf } from '../../../base/zip.ts'
import { type GeoProblem, LIMITS } from '../domain/files.ts'
import { parseJson } from '../domain/geojson.ts'
import type { XmlReader } from '../domain/kml.ts'

/** Returns whether a file begins with these bytes. */
export const begins = (bytes: Uint8Array, ...head: number[]) => head.every((byte, i) => bytes[i] === byte)

/** Returns a decoder by the byte order mark. */
export function decoderOf(bytes: Buffer, named = 'utf-8', fatal = false): InstanceType<typeof TextDecoder> {
  const label = begins(bytes, 0xff, 0xfe) ? 'utf-16le' : begins(bytes, 0xfe, 0xff) ? 'utf-16be' : named
  return new TextDecoder(label, { fatal })
}

/** A document of JSON: where it is in its file, and its value or what is wrong with it. */
export type JsonDocument = { where: string } & ({ value: unknown } | { fault: string })

/** What begins each text of a sequence (RFC 8142). */
export const SEPARATOR = '\u001e'

/** Pieces of a file that are looked at: one for each feature that a layer can have, and a blank one after it. With more, memory wouldn't be bounded. */
const PIECES_AT_MOST = 2 * LIMITS.features + 2

/** Returns the documents of a file: usually one; several with one on each line, or in a sequence of texts (RFC 8142). */
export function documentsIn(text: string): JsonDocument[] | GeoProblem {
  if (text.trimStart().startsWith(SEPARATOR)) return parsedPieces(text.split(SEPARATOR, PIECES_AT_MOST), i => `Text ${i}`)
  const whole = parsed(text, 'File')
  if ('value' in whole) return [whole]
  const lines = text.split(/\r\n|\n|\r/, PIECES_AT_MOST)
  // A document with line breaks that is damaged has no line that is a document, except by chance farther on.
  const [first, second] = lines.filter(isSaid)
  if (second === undefined || ![first, second].some(line => line !== undefined && 'value' in parsed(line, ''))) return [whole]
  return parsedPieces(lines, i => `Line ${i + 1}`)
}

const isSaid = (piece: string) => piece.trim() !== ''

const parsedPieces = (pieces: readonly string[], where: (i: number) => string): JsonDocument[] | GeoProblem =>
  pieces.length >= PIECES_AT_MOST
    ? { problem: 'too_many_features' }
    : pieces.flatMap((piece, i) => (isSaid(piece) ? [parsed(piece, where(i))] : []))

function parsed(text: string, where: string): JsonDocument {
  try {
    return { where, value: parseJson(text) }
  } catch (error) {
    return { where, fault: `it isn’t complete JSON (${saidOf(error)})` }
  }
}

const CHUNK = 256 * 1024

/** Returns a decoder that refuses bytes that aren’t text in its encoding; null if the encoding is unknown. */
function decoderNamed(bytes: Buffer, named: string): InstanceType<typeof TextDecoder> | null {
  try {
    return decoderOf(bytes, named, true)
  } catch {
    return null
  }
}

/** Says in words where a fault is. */
const placed = (said: string) => said.replace(/^(\d+):(\d+): /, 'at line $1, column $2, ')

/** Returns a document without blanks before it and zeros after it, which aren’t XML, unless it has two bytes for each character. */
function withoutPadding(bytes: Buffer): Buffer {
  if (decoderOf(bytes).encoding !== 'utf-8') return bytes
  const from = bytes.findIndex(byte => ![9, 10, 13, 32].includes(byte))
  return bytes.subarray(Math.max(0, from), bytes.findLastIndex(byte => byte !== 0) + 1)
}

/** Reads an XML document piece by piece; returns the name of its root element, or why it can't be read. */
export function parseXml(whole: Buffer, readerOf: (root: string) => XmlReader | null, stop: () => GeoProblem | null): string | GeoProblem {
  const bytes = withoutPadding(whole)
  const encoding = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(bytes.subarray(0, 200).toString('latin1'))?.[1]
  let root: string | null = null
  let reader: XmlReader | null = null
  let depth = 0
  const parser = new SaxesParser()
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  let stopped: GeoProblem | null = null
  const refuse = (problem: GeoProblem) => {
    stopped ??= problem
    throw new Error(problem.problem)
  }
  let length = 0
  const text = (piece: string) => {
    length += piece.length
    if (length > LIMITS.element_text) refuse({ problem: 'too_much_text' })
    reader?.text(piece)
  }
  parser.on('doctype', () => refuse({ problem: 'document_type' }))
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    length = 0
    if (++depth > LIMITS.depth) refuse({ problem: 'damaged', said: `it is nested more than ${LIMITS.depth} levels deep` })
    if (root === null) {
      root = local(name)
      reader = readerOf(root)
    }
    reader?.open(local(name), attributes)
  })
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', ({ name }) => {
    depth--
    length = 0
    reader?.close(local(name))
  })
  // Programs say UTF-16, because that is what their texts were, and write UTF-8. If it were true, the words that say so couldn't be read byte by byte.
  const decoder = decoderNamed(bytes, encoding === undefined || /^utf-?16/i.test(encoding) ? 'utf-8' : encoding)
  if (decoder === null) return { problem: 'damaged', said: `its encoding ${encoding} is unknown` }
  try {
    for (let at = 0; at < bytes.length; at += CHUNK) {
      parser.write(decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true }))
      const problem = stop()
      if (problem !== null) return problem
    }
    parser.write(decoder.decode()).close()
  } catch (error) {
    if (stopped !== null) return stopped
    return { problem: 'damaged', said: error instanceof TypeError ? 'its text isn’t in the encoding that it names' : placed(saidOf(error)) }
  }
  return root ?? { problem: 'damaged', said: 'it has no elements' }
}
