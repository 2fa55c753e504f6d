// Multipart bodies: fields become an object, and files are written to disk and hashed while they arrive.

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { cleanText } from './clean-text.ts'
import type { House } from './ctx.ts'
import { type FieldFault, invalid, invalidField, malformed, REPEATED, refuse, tooLarge, unsupportedMedia } from './errors.ts'
import type { Received } from './files.ts'
import type { Route } from './http.ts'
import { ids } from './ids.ts'
import { BODY_LIMIT, jsonFault, readJson } from './intake.ts'
import type { TSchema } from './schema.ts'
import { loose, TARGET } from './schema.ts'

/** Reads a multipart body: fields become an object (part `data` is JSON with more of them), and files are written to disk and hashed. */
export async function readParts(route: Route, request: FastifyRequest, files: Received[], house: House): Promise<unknown> {
  try {
    const fields = await partsOf(route, request, files, house)
    request.body = fields // as of any other request: its site is compared with that of the record
    return fields
  } catch (error) {
    // The rest of the body is read and dropped: otherwise the sender would continue and never read the response, and the next request on this
    // connection would never be read.
    request.raw.unpipe()
    request.raw.resume()
    throw error
  }
}

async function partsOf(route: Route, request: FastifyRequest, files: Received[], house: House): Promise<unknown> {
  if (!request.isMultipart()) {
    if (route.upload?.optional) return request.body
    return refuse(unsupportedMedia('The request isn’t multipart/form-data. Send the file in a part called "file".'))
  }
  const fields: Record<string, unknown> = {}
  const add = (name: string, value: unknown) => {
    if (Object.hasOwn(fields, name)) refuse(invalidField(name, REPEATED))
    fields[name] = value
  }
  let said = 0
  const folder = join(house.data_dir, 'tmp')
  await mkdir(folder, { recursive: true })
  const limits = { fileSize: route.upload?.max_bytes ?? 0, files: 2, fields: 50, parts: 70, fieldSize: BODY_LIMIT }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'file') {
      if (files.length > 0) refuse(unsupportedMedia('The request has more than one file. Send one file at a time.'))
      const path = join(folder, ids.next())
      const hash = createHash('sha256')
      let size = 0
      const upload: Received = { field: part.fieldname, filename: nameOf(part.filename ?? ''), path, size: 0, sha256: '' }
      files.push(upload)
      await pipeline(
        part.file,
        async function* (source) {
          for await (const chunk of source) {
            size += chunk.length
            hash.update(chunk)
            yield chunk
          }
        },
        createWriteStream(path),
      )
      if (part.file.truncated) refuse(fileTooLarge(route))
      upload.size = size
      upload.sha256 = hash.digest('hex')
      continue
    }
    // All fields together can be as large as a JSON body.
    said += Buffer.byteLength(String(part.value))
    if (said > BODY_LIMIT)
      refuse(tooLarge(`The form fields sent with the file are too large. Shorten them to at most ${BODY_LIMIT / 1024 / 1024} MB in total.`))
    if (part.fieldname === 'data') {
      const more = readJson(String(part.value), 'part "data"')
      if (typeof more !== 'object' || more === null || Array.isArray(more))
        refuse(malformed('The part "data" isn’t a JSON object. Send an object, or leave the part out.'))
      for (const [name, value] of Object.entries(more)) add(name, value)
    } else {
      const { value } = part
      if (part.fieldnameTruncated || part.valueTruncated) refuse(tooLarge(`The part ${part.fieldname} is too long. Shorten it.`))
      add(part.fieldname, loosely(String(value), route.body, part.fieldname))
    }
  }
  return fields
}

/** Returns the fault of an upload without its file. */
export const fileFaults = ({ upload }: Route, files: readonly Received[]): FieldFault[] =>
  upload === undefined || upload.optional === true || files.length > 0
    ? []
    : [{ path: 'file', message: 'is required. Send the file in a part called "file".' }]

const LONGEST_NAME = 200

/** Returns the name of a file as it is stored: like any other text, and cut if it is too long, but not within a character. */
function nameOf(filename: string): string {
  const faults: FieldFault[] = []
  const clean = cleanText(filename, undefined, 'filename', faults)
  if (faults.length > 0) refuse(invalid(faults))
  return clean.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, '')
}

/** 413, with the size that the route accepts. */
export const fileTooLarge = (route: Route) =>
  tooLarge(`The file is larger than ${Math.round((route.upload?.max_bytes ?? 0) / 1024 / 1024)} MB. Send a smaller file.`)

/** Converts the text of a form field if the schema expects a number, a boolean, a list or an object. */
function loosely(value: string, schema: TSchema | undefined, name: string): unknown {
  const given = loose(schema).properties?.[name]
  const field = given?.[TARGET] ?? given
  const kinds = Array.isArray(field?.type) ? field.type : [field?.type]
  if (value === '' && kinds.includes('null')) return null
  if (kinds.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true'
  if ((kinds.includes('integer') || kinds.includes('number')) && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  if (kinds.includes('array') || kinds.includes('object')) {
    const fault = jsonFault(value)
    if (fault !== null) refuse(fault)
    try {
      return JSON.parse(value)
    } catch {
      return value
    }
  }
  return value
}

/** Makes a multipart body with a file and plain fields. */
export function formOf(name: string, bytes: Buffer, fields: Record<string, string>): { type: string; payload: Buffer } {
  const boundary = `walkdown-${ids.next()}`
  const part = (about: string, value: Buffer) =>
    Buffer.concat([Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${about}\r\n\r\n`), value, Buffer.from('\r\n')])
  const filename = name.replace(/["\r\n]/g, '_')
  const parts = [
    ...Object.entries(fields).map(([field, value]) => part(`name="${field}"`, Buffer.from(value))),
    part(`name="file"; filename="${filename}"\r\ncontent-type: application/octet-stream`, bytes),
  ]
  return { type: `multipart/form-data; boundary=${boundary}`, payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]) }
}
