import { Glyph, type GlyphName } from '../../../../base/kit/glyph.tsx'

const GLYPHS: Record<string, GlyphName> = {
  HW: 'flame',
  CSE: 'mask',
  WAH: 'harness',
  EXC: 'digger',
  ELE: 'bolt',
  LIFT: 'hook',
  PRT: 'gauge',
  RAD: 'trefoil',
  CRO: 'crane',
  GEN: 'document',
}

/** A permit type: its icon and its code. A site's own type has the document icon. */
export function TypeChip({ code, name }: { code: string; name?: string }) {
  return (
    <span className="chip" title={name}>
      <Glyph name={GLYPHS[code] ?? 'document'} size={15} />
      {code}
    </span>
  )
}
