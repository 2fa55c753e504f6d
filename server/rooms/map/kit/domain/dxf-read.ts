// Reads a DXF file into a drawing: header, layers, blocks and the model space. Pure.
import { shapeOf } from './dxf-entities.ts'
import { Entity, hasNumbers, numberOf, type Pairs } from './dxf-pairs.ts'
import { oldPolyline } from './dxf-polyline.ts'
import { type Block, type Drawing, keyOf, type Shape, UNITS } from './dxf-shapes.ts'
import { DrawingFault, nameIn, readTags } from './dxf-tags.ts'

/** Most entities that are kept in memory. */
const ENTITIES_AT_MOST = 3_000_000

const VERSION_LENGTH = 20
/** Colours have the numbers up to this one; 256 is that of the layer. */
const COLOURS = 257
/** Most types of entities that are counted as not drawn. */
const TYPES_AT_MOST = 500

const emptyPairs = (): Pairs => ({ codes: [], values: [] })

type Reading = {
  drawing: Drawing
  section: string
  /** The section that begins has its name. */
  named: boolean
  /** The object that is being read: what its first pair says, and its other pairs. */
  type: string
  pairs: Pairs
  block: Block | null
  /** The polyline whose vertices are being read. */
  polyline: { pairs: Pairs; vertices: Pairs[] } | null
  header: string
  /** Names of blocks by the handles of their records, in capitals. */
  handles: Map<string, string>
  count: number
  ended: boolean
}

/** Reads a drawing. Throws `DrawingFault` if it isn't one, or is damaged. */
export function readDrawing(bytes: Uint8Array): Drawing {
  const r: Reading = {
    drawing: {
      version: 'AC1009',
      units: null,
      layers: new Map(),
      blocks: new Map(),
      layouts: [],
      shapes: [],
      unsupported: new Map(),
      unreadable: 0,
    },
    section: '',
    named: false,
    type: '',
    pairs: emptyPairs(),
    block: null,
    polyline: null,
    header: '',
    handles: new Map(),
    count: 0,
    ended: false,
  }
  readTags(bytes, (code, value) => {
    if (code === 0) {
      finish(r)
      r.type = String(value).trim().toUpperCase()
      r.named = false
      r.pairs = emptyPairs()
      if (r.type === 'EOF') r.ended = true
      return !r.ended
    }
    // Variables of the header have this code, too.
    if (r.type === 'SECTION' && code === 2 && !r.named) {
      r.named = true
      r.section = String(value).trim().toUpperCase()
      return true
    }
    if (r.section === 'HEADER') headerPair(r, code, value)
    else if (
      r.section === 'TABLES' ||
      r.section === 'BLOCKS' ||
      r.section === 'ENTITIES' ||
      (r.section === 'OBJECTS' && r.type === 'LAYOUT')
    ) {
      r.pairs.codes.push(code)
      r.pairs.values.push(value)
    }
    return true
  })
  finish(r)
  if (r.section === '') throw new DrawingFault('isn’t a DXF file: it has no sections.')
  if (!r.ended) throw new DrawingFault('is cut off: its end is missing.')
  return r.drawing
}

function headerPair(r: Reading, code: number, value: string | number): void {
  if (code === 9) r.header = String(value).trim()
  else if (r.header === '$ACADVER' && code === 1) r.drawing.version = nameIn(String(value).trim()).slice(0, VERSION_LENGTH)
  else if (r.header === '$INSUNITS' && code === 70) r.drawing.units = unitsIn(numberOf(value))
}

/** Returns what the header says of its units; null if there are no such ones. */
const unitsIn = (units: number): number | null => (UNITS[units] === undefined ? null : units)

/** Takes in the object that ends where the next one begins. */
function finish(r: Reading): void {
  const { drawing, type, pairs } = r
  if (type === 'ENDSEC') {
    closePolyline(r)
    r.section = r.section === '' ? '' : 'ENDED'
    return
  }
  if (r.section === 'TABLES' && type === 'LAYER') {
    addLayer(drawing, new Entity(pairs))
    return
  }
  if (r.section === 'TABLES' && type === 'BLOCK_RECORD') {
    const entity = new Entity(pairs)
    r.handles.set(entity.text(5).trim().toUpperCase(), nameIn(entity.text(2)))
    return
  }
  if (r.section === 'OBJECTS' && type === 'LAYOUT') {
    const name = layoutName(pairs)
    if (name !== '') drawing.layouts.push(name)
    return
  }
  if (r.section === 'BLOCKS' && type === 'BLOCK') {
    const entity = new Entity(pairs)
    const name = nameIn(entity.text(2))
    const xref = (entity.number(70) & 4) !== 0 ? nameIn(entity.text(1)) : null
    r.block = { name, x: entity.number(10), y: entity.number(20), z: entity.number(30), shapes: [], xref }
    drawing.blocks.set(keyOf(name), r.block)
    return
  }
  if (r.section === 'BLOCKS' && type === 'ENDBLK') {
    closePolyline(r)
    r.block = null
    return
  }
  if (r.section === 'ENTITIES' || (r.section === 'BLOCKS' && r.block !== null)) addEntity(r)
}

function layoutName({ codes, values }: Pairs): string {
  // The page setup has a name of its own before it.
  const from = values.findIndex((value, i) => codes[i] === 100 && String(value).trim() === 'AcDbLayout')
  const at = codes.indexOf(1, Math.max(0, from))
  return at < 0 ? '' : nameIn(String(values[at]))
}

function addLayer(drawing: Drawing, entity: Entity): void {
  const name = nameIn(entity.text(2))
  if (name === '') return
  const said = entity.number(62, 7)
  const colour = Number.isInteger(said) && Math.abs(said) <= COLOURS ? said : 7
  drawing.layers.set(keyOf(name), { name, colour: Math.abs(colour), off: colour < 0, frozen: (entity.number(70) & 1) === 1 })
}

const says = ({ codes, values }: Pairs, code: number): number => {
  const at = codes.indexOf(code)
  return at < 0 ? 0 : numberOf(values[at])
}
const isPaper = (pairs: Pairs): boolean => says(pairs, 67) === 1
/** States of a block that aren't shown, and attributes that only programs read, are kept in a drawing as invisible entities. */
const isHidden = (type: string, pairs: Pairs): boolean => says(pairs, 60) === 1 || (type === 'ATTRIB' && (says(pairs, 70) & 1) === 1)

/** Parts of other entities, and what has no geometry. */
const SILENT = new Set(['', 'SECTION', 'VERTEX', 'SEQEND', 'VIEWPORT', 'ATTDEF', 'ENDSEC', 'EOF'])

function addEntity(r: Reading): void {
  const { type, pairs, drawing } = r
  if (type === 'VERTEX' && r.polyline !== null) {
    r.polyline.vertices.push(pairs)
    return
  }
  closePolyline(r)
  if (SILENT.has(type) || (r.section === 'ENTITIES' && isPaper(pairs)) || isHidden(type, pairs)) return
  if (++r.count > ENTITIES_AT_MOST) throw new DrawingFault(`has more than ${ENTITIES_AT_MOST.toLocaleString('en')} entities.`)
  if (type === 'POLYLINE') {
    r.polyline = { pairs, vertices: [] }
    return
  }
  if (!hasNumbers(pairs)) {
    drawing.unreadable++
    return
  }
  const shape = shapeOf(type, pairs, r.handles)
  if (shape !== null && !isUndrawn(r, shape)) keep(r, shape)
  else if (r.block === null) {
    const name = nameIn(type).slice(0, 100)
    if (drawing.unsupported.has(name) || drawing.unsupported.size < TYPES_AT_MOST)
      drawing.unsupported.set(name, (drawing.unsupported.get(name) ?? 0) + 1)
  }
}

/** Some programs leave out the blocks of dimensions and tables. In a block, those that follow aren't known yet. */
const isUndrawn = ({ block, drawing }: Reading, { type, form }: Shape): boolean =>
  type !== 'INSERT' && form.kind === 'insert' && block === null && !drawing.blocks.has(keyOf(form.block))

function closePolyline(r: Reading): void {
  const { polyline } = r
  r.polyline = null
  if (polyline === null) return
  if ([polyline.pairs, ...polyline.vertices].every(hasNumbers)) keep(r, oldPolyline(polyline.pairs, polyline.vertices))
  else r.drawing.unreadable++
}

const keep = ({ drawing, block }: Reading, shape: Shape) => (block?.shapes ?? drawing.shapes).push(shape)
