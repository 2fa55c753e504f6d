// Limits on incoming JSON, checked on its text in one pass: nothing traverses a body before its depth and its number of fields are known.
import { malformed, type Refusal, refuse, tooLarge } from './errors.ts'

/** Maximum size of a JSON body in bytes, and of the form fields that are sent with a file. */
export const BODY_LIMIT = 1024 * 1024
/** Maximum size of a body in bytes if no token is needed. */
export const OPEN_BODY_LIMIT = 16 * 1024
/** Maximum depth of nesting in a body. */
export const DEEPEST = 40
/** Maximum number of fields of a body, in all its objects together. The largest body that people send, an outline of 1,000 points, has a few thousand. */
export const MOST_FIELDS = 20_000
/** Maximum number of unknown fields that a refusal lists; further ones are ignored. */
export const MOST_UNKNOWN = 50

const [QUOTE, BACKSLASH, COLON] = [34, 92, 58]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/** Returns where the text that begins at this quotation mark ends. */
function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let escapes = 0
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return json.length
}

/** Returns why this JSON is refused before it is parsed; null if nothing is wrong so far. */
export function jsonFault(json: string): Refusal | null {
  let depth = 0
  let fields = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfText(json, at)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > DEEPEST) return malformed(`The body is nested more than ${DEEPEST} levels deep. Use fewer levels.`)
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
    else if (code === COLON && ++fields > MOST_FIELDS)
      return tooLarge(`The body has more than ${MOST_FIELDS.toLocaleString('en')} fields. Send the data in several requests.`)
  }
  return null
}

/** Parses JSON text. `part`: its place in the request, for the refusal. */
export function readJson(json: string, part: string): unknown {
  const fault = jsonFault(json)
  if (fault !== null) refuse(fault)
  try {
    return JSON.parse(json)
  } catch {
    return refuse(malformed(`The ${part} isn’t JSON. Correct it and send it again.`))
  }
}
