import type { Schemas } from '../../../base/api.ts'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { t } from '../../../base/words.ts'
import { TypeChip } from './type-chip.tsx'

type Type = Schemas['PermitType']

/** The types of work, large enough for a glove; several may be chosen. */
export function TypePicker({
  types,
  chosen,
  onChoose,
}: {
  types: readonly Type[]
  chosen: readonly string[]
  onChoose(codes: string[]): void
}) {
  const shown = types.filter(type => type.active || chosen.includes(type.code))
  return (
    <fieldset className="fieldset type-grid">
      <legend className="unseen">{t('permit.types')}</legend>
      {shown.map(type => (
        <label key={type.id} className="type-tile">
          <input
            type="checkbox"
            checked={chosen.includes(type.code)}
            onChange={event => onChoose(event.target.checked ? [...chosen, type.code] : chosen.filter(code => code !== type.code))}
          />
          <TypeChip code={type.code} />
          <span>{type.name}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** What the chosen set demands, at once: the strictest of each counts. The service decides; this says it before. */
export function Demands({ types, chosen }: { types: readonly Type[]; chosen: readonly string[] }) {
  const set = types.filter(type => chosen.includes(type.code))
  const hours = set.flatMap(type => (type.default_duration_hours === null ? [] : [type.default_duration_hours]))
  const checks = new Set(set.flatMap(type => type.pre_checks.map(check => check.code))).size
  const slots = set.flatMap(type => type.expected_attachments)
  const needed = new Set(slots.filter(slot => slot.required).map(slot => slot.label))
  const rows: [Parameters<typeof Glyph>[0]['name'], string][] = [
    ['people', set.every(type => type.single_stage) ? t('demand.one_stage') : t('demand.two_stages')],
    ...(set.some(type => type.requires_parent) && !chosen.includes('GEN')
      ? [['link', t('demand.parent')] as [Parameters<typeof Glyph>[0]['name'], string]]
      : []),
    ...(hours.length > 0 ? [['clock', t('demand.hours', { n: Math.min(...hours) })] as [Parameters<typeof Glyph>[0]['name'], string]] : []),
    ['next', set.every(type => type.is_extendable) ? t('demand.extendable') : t('demand.not_extendable')],
    ...(checks > 0 ? [['tasks', t('demand.checks', { n: checks })] as [Parameters<typeof Glyph>[0]['name'], string]] : []),
    ...(needed.size > 0
      ? [['clip', t('demand.files', { files: [...needed].join(', ') })] as [Parameters<typeof Glyph>[0]['name'], string]]
      : []),
  ]
  return (
    <ul className="demands" aria-label={t('demand.title')}>
      {rows.map(([glyph, text]) => (
        <li key={text}>
          <Glyph name={glyph} size={18} />
          {text}
        </li>
      ))}
    </ul>
  )
}
