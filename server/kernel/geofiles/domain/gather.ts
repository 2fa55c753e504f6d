// Collects the features of a file: checks each, converts it to degrees, and keeps count of everything that has a limit.
import type { Box } from '../../../../shared/geometry/plane.ts'
import { type GeoLine, type GeoProblem, LIMITS, type PropertyFacts, type Raw, type RefusedFeature } from './files.ts'
import { boundsOfShape, boxAround, type Grid, readShape } from './shapes.ts'

/** Most refused features that are listed, most properties that are described, and most samples of each. */
const LISTED = { refused: 1000, properties: 200, samples: 5, sample: 100 }

/** What has been collected so far. */
export type Gathered = {
  accepted: number
  refused: RefusedFeature[]
  refused_count: number
  vertices: number
  bounds: Box | null
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** Returns the beginning of a text. The half of a character that a cut can leave can’t be stored. */
const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

/** Returns a value of a property as it is stored, or why it can't be. */
function storedValue(value: unknown, depth = 0): { value: unknown } | { fault: string } {
  if (value === null || value === undefined || typeof value === 'boolean') return { value: value ?? null }
  if (typeof value === 'number') return { value: Number.isFinite(value) ? value : null }
  if (typeof value === 'string') {
    const text = value.normalize('NFC').trim()
    if (text.length > LIMITS.property_text) return { fault: `is longer than ${LIMITS.property_text.toLocaleString('en-GB')} characters.` }
    if (CONTROL.test(text)) return { fault: 'contains a control character.' }
    return text.isWellFormed() ? { value: text } : { fault: 'contains half of a character.' }
  }
  if (depth > 5) return { fault: 'is nested too deeply.' }
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      const stored = storedValue(item, depth + 1)
      if ('fault' in stored) return stored
      items.push(stored.value)
    }
    return { value: items }
  }
  const fields: [string, unknown][] = []
  for (const [name, item] of Object.entries(value)) {
    const stored = storedValue(item, depth + 1)
    if ('fault' in stored) return stored
    fields.push([nameOf(name), stored.value])
  }
  return { value: Object.fromEntries(fields) }
}

const nameOf = (name: string) => name.normalize('NFC').replace(new RegExp(CONTROL, 'g'), ' ').toWellFormed().trim()

/** Returns the properties of a feature as they are stored, or why they can't be. */
function storedProperties(given: Record<string, unknown>): { properties: Record<string, unknown> } | { fault: string } {
  const entries = Object.entries(given)
  if (entries.length > LIMITS.properties)
    return { fault: `It has ${entries.length} properties; at most ${LIMITS.properties} are accepted.` }
  const kept: [string, unknown][] = []
  for (const [name, value] of entries) {
    const clean = nameOf(name)
    if (clean.length > LIMITS.property_name) return { fault: `The name of its property “${cut(clean, 40)}…” is too long.` }
    const stored = storedValue(value)
    if ('fault' in stored) return { fault: `Its property “${clean}” ${stored.fault}` }
    if (clean !== '') kept.push([clean, stored.value])
  }
  return { properties: Object.fromEntries(kept) }
}

type Kind = Exclude<PropertyFacts['type'], 'mixed' | 'empty'>
const kindOf = (value: unknown): Kind => (typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text')

/** Makes a collector. `write` gets the line of each accepted feature. */
export function gathering(grid: Grid, write: (line: GeoLine) => void) {
  const all: Gathered = { accepted: 0, refused: [], refused_count: 0, vertices: 0, bounds: null }
  const facts = new Map<string, { kinds: Set<Kind>; samples: Set<unknown> }>()
  let index = 0
  let problem: GeoProblem | null = null

  const refuse = (reason: string) => {
    if (all.refused_count++ < LISTED.refused) all.refused.push({ index: index - 1, reason })
  }
  const describe = (properties: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(properties)) {
      const known = facts.get(name) ?? { kinds: new Set(), samples: new Set() }
      if (!facts.has(name)) {
        if (facts.size >= LISTED.properties) continue
        facts.set(name, known)
      }
      if (value === null) continue
      known.kinds.add(kindOf(value))
      const sample =
        typeof value === 'string'
          ? cut(value, LISTED.sample)
          : typeof value === 'object'
            ? cut(JSON.stringify(value), LISTED.sample)
            : value
      if (known.samples.size < LISTED.samples) known.samples.add(sample)
    }
  }

  /** Stores a feature, or returns why it can't be. */
  const stored = ({ geometry, properties: given }: Raw): string | null => {
    const read = readShape(geometry, grid)
    if ('fault' in read) {
      if (read.no_grid) problem = { problem: 'no_grid', said: `Feature ${index - 1}: ${read.fault}` }
      return read.fault
    }
    const said = storedProperties(given)
    if ('fault' in said) return said.fault
    const { properties } = said
    // A height stays as a property, because positions are stored without one.
    const { low_m, high_m } = read
    if (low_m !== null && high_m !== null) {
      if (low_m === high_m) properties.height_m ??= low_m
      else {
        properties.height_min_m ??= low_m
        properties.height_max_m ??= high_m
      }
    }
    if (JSON.stringify(properties).length > LIMITS.properties_bytes)
      return `Its properties have more than ${LIMITS.properties_bytes.toLocaleString('en-GB')} characters.`
    all.vertices += read.vertices
    if (all.vertices > LIMITS.vertices) {
      problem = { problem: 'too_many_vertices' }
      return null
    }
    all.accepted++
    const box = boundsOfShape(read.shape)
    all.bounds = all.bounds === null ? box : boxAround([all.bounds, box])
    describe(properties)
    write({ n: index - 1, g: read.shape, p: properties, b: box })
    return null
  }

  return {
    /** Takes the next feature of the file. */
    take(raw: Raw): void {
      if (problem !== null) return
      if (++index > LIMITS.features) {
        problem = { problem: 'too_many_features' }
        return
      }
      const fault = raw.fault ?? stored(raw)
      if (fault !== null) refuse(raw.where === undefined ? fault : `In ${raw.where}: ${fault}`)
    },
    /** Returns why the file can't be read; null if nothing prevents it. */
    problem: (): GeoProblem | null => problem,
    /** Returns what was collected. */
    all: (): Gathered & { property_schema: PropertyFacts[] } => ({
      ...all,
      property_schema: [...facts].map(([name, { kinds, samples }]) => {
        const [kind] = kinds
        return { name, type: kind === undefined ? 'empty' : kinds.size > 1 ? 'mixed' : kind, samples: [...samples] }
      }),
    }),
  }
}
