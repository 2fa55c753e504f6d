// Checks a zip package before anything reads it as a workbook: counts, sizes, checksums, names, document types. It returns exactly the parts that were checked.

import { unzip } from '../../../base/zip.ts'
import { LIMITS } from '../domain/cells.ts'
import type { Problem } from '../domain/refusals.ts'

/** The parts of a package by name, uncompressed. */
export type Parts = Map<string, Buffer>

/** Parts that no sheet needs; nothing reads them. */
const UNREAD = /(^|\/)(media|theme|comments\d*|threadedComments|customXml|docProps|externalLinks)(\/|\.xml$)|(^|\/)calcChain\.xml$/i
const OTHERS: [RegExp, string][] = [
  [/(^|\/)workbook\d*\.bin$/i, 'a binary workbook (.xlsb)'],
  [/^word\//i, 'a Word document'],
  [/^ppt\//i, 'a PowerPoint presentation'],
  [/^content\.xml$/i, 'an OpenDocument file'],
  [/\.iwa$/i, 'a Numbers document'],
]

/** Returns the parts of a workbook package, each uncompressed and checked; or what is wrong with the package. */
export async function guarded(packed: Buffer): Promise<Parts | Problem> {
  const parts: Parts = new Map()
  const names = await unzip<Problem>(packed, LIMITS, 'workbooks', (name, part) => {
    if (isXml(name) && hasDocumentType(part)) return { problem: 'document_type' }
    if (isXml(name) && !UNREAD.test(name)) {
      if (parts.has(name.toLowerCase())) return { problem: 'damaged', said: `it contains “${name}” twice` }
      parts.set(name.toLowerCase(), part)
    }
    return null
  })
  if (!Array.isArray(names)) return names
  if ([...parts.keys()].some(name => /(^|\/)workbook\d*\.xml$/.test(name)) && parts.has('[content_types].xml')) return parts
  const other = OTHERS.find(([pattern]) => names.some(name => pattern.test(name)))
  return { problem: 'other_document', said: other?.[1] ?? 'a zip archive without a workbook' }
}

const isXml = (name: string) => /\.(xml|rels)$/i.test(name)

const UTF16_DOCTYPE = Buffer.from('!DOCTYPE', 'utf16le').subarray(0, 15)

/** Returns whether a document type or entity declaration appears anywhere in a part, in UTF-8 or either UTF-16. */
const hasDocumentType = (part: Buffer) => part.includes('<!DOCTYPE') || part.includes('<!ENTITY') || part.includes(UTF16_DOCTYPE)
