import { useState } from 'react'
import type { Schemas } from '../../../../base/api.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph, type GlyphName } from '../../../../base/kit/glyph.tsx'
import { durationOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { TypeChip } from './type-chip.tsx'

type Type = Schemas['PermitType']

/** The types of work, large enough for gloves. Once one is chosen, the others are hidden; one tap shows them again. */
export function TypePicker({
  types,
  chosen,
  onChoose,
}: {
  types: readonly Type[]
  chosen: readonly string[]
  onChoose(codes: string[]): void
}) {
  const [all, setAll] = useState(false)
  const folded = chosen.length > 0 && !all
  const shown = types.filter(type => chosen.includes(type.code) || (type.active && !folded))
  return (
    <div className="types-row">
      <fieldset className={`fieldset type-grid${folded ? ' few' : ''}`}>
        <legend className="unseen">{t('permit.types')}</legend>
        {shown.map(type => (
          <label key={type.id} className="type-tile">
            <input
              type="checkbox"
              checked={chosen.includes(type.code)}
              onChange={event => {
                setAll(all && chosen.length > 0)
                onChoose(event.target.checked ? [...chosen, type.code] : chosen.filter(code => code !== type.code))
              }}
            />
            <TypeChip code={type.code} />
            <span>{type.name}</span>
          </label>
        ))}
      </fieldset>
      {folded && (
        <Button look="quiet" className="type-change" onClick={() => setAll(true)}>
          <Glyph name="plus" size={18} />
          {t('request.types_change')}
        </Button>
      )}
    </div>
  )
}

/** Returns whether these types together need a parent permit. */
export const needsParent = (set: readonly Type[]): boolean =>
  set.some(type => type.requires_parent) && !set.some(type => type.code === 'GEN')

/** Shows what these types require together: the strictest value of each. The service decides; this shows it in advance. */
export function Demands({ types: set }: { types: readonly Type[] }) {
  const hours = set.flatMap(type => (type.default_duration_hours === null ? [] : [type.default_duration_hours]))
  const checks = new Set(set.flatMap(type => type.pre_checks.map(check => check.code))).size
  const slots = set.flatMap(type => type.expected_attachments)
  const needed = new Set(slots.filter(slot => slot.required).map(slot => slot.label))
  const rows: { glyph: GlyphName; text: string; applies?: boolean }[] = [
    { glyph: 'people', text: set.every(type => type.single_stage) ? t('demand.one_stage') : t('demand.two_stages') },
    { glyph: 'link', text: t('demand.parent'), applies: needsParent(set) },
    { glyph: 'clock', text: t('demand.length', { length: durationOf(Math.min(...hours)) }), applies: hours.length > 0 },
    { glyph: 'next', text: set.every(type => type.is_extendable) ? t('demand.extendable') : t('demand.not_extendable') },
    { glyph: 'tasks', text: t('demand.checks', { n: checks }), applies: checks > 0 },
    { glyph: 'clip', text: t('demand.files', { files: [...needed].join(', ') }), applies: needed.size > 0 },
  ]
  return (
    <ul className="demands" aria-label={t('demand.title')}>
      {rows
        .filter(row => row.applies !== false)
        .map(({ glyph, text }) => (
          <li key={text}>
            <Glyph name={glyph} size={18} />
            {text}
          </li>
        ))}
    </ul>
  )
}
