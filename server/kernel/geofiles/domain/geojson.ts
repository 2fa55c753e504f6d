// Reads GeoJSON: a FeatureCollection, one Feature, or only a geometry.
import { isRecord } from '../../../../shared/narrow.ts'
import type { Raw } from './files.ts'
import { exactNumber } from './numbers.ts'

const BARE = ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon', 'GeometryCollection']

/** A whole number with more digits than a number can be sure to have. */
const LONG_NUMBER = /(?<![\d.])\d{16,}(?![\d.eE])/

/** Parses JSON. Long whole numbers, which are identifiers, become text with all their digits. */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && /^-?\d+$/.test(context.source)
      ? (exactNumber(context.source) ?? context.source)
      : value,
  )
}

function featureOf(value: unknown): Raw {
  if (!isRecord(value) || value.type !== 'Feature') return { geometry: null, properties: {}, fault: 'It isn’t a GeoJSON Feature.' }
  const { properties, geometry, id } = value
  if (properties != null && !isRecord(properties)) return { geometry: null, properties: {}, fault: 'Its properties aren’t an object.' }
  const own = properties ?? {}
  const named = (typeof id === 'string' || typeof id === 'number') && !Object.hasOwn(own, 'id') ? { id } : {}
  return { geometry: geometry ?? null, properties: { ...named, ...own } }
}

/** Returns what else a document of JSON is that programs for maps write; null if it is none of those. */
export function otherJson(value: unknown): string | null {
  if (!isRecord(value)) return null
  if (value.type === 'Topology') return 'TopoJSON'
  return value.type === undefined && (value.geometryType !== undefined || value.spatialReference !== undefined) ? 'JSON of ArcGIS' : null
}

/** Passes each feature of a parsed document to `take`; returns why it isn't GeoJSON, if it isn't. */
export function readGeoJson(value: unknown, take: (raw: Raw) => void): string | null {
  if (!isRecord(value)) return 'it is JSON, but no GeoJSON object'
  const { type, features } = value
  if (type === 'FeatureCollection') {
    if (!Array.isArray(features)) return 'its FeatureCollection has no list of features'
    for (const feature of features) take(featureOf(feature))
  } else if (type === 'Feature') take(featureOf(value))
  else if (BARE.some(one => one === type)) take({ geometry: value, properties: {} })
  else return 'it is JSON, but its type isn’t one of GeoJSON'
  return null
}
