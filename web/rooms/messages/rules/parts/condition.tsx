import { chosenFrom } from '../../../../../shared/narrow.ts'
import { capitalized } from '../../../../../shared/text.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { faultAt, inWords } from '../../../../base/kit/fault-words.ts'
import { Choice } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import {
  type Field,
  type Group,
  type Line,
  literalOf,
  MATCHES,
  newGroup,
  newLine,
  type Operator,
  operatorsFor,
  type Part,
  pathOf,
  replaced,
  withField,
  withOperator,
} from '../condition.ts'
import { hasWord, t, tOf } from '../says.ts'
import { Value } from './value.tsx'

const DEEPEST = 3

/** What a condition is about: an event, a pair, or a record. */
export type About = {
  fields: readonly Field[]
  /** The path of the condition in what is sent; `when` by default. */
  at?: string
  /** What a condition without lines means. */
  always?: string
  /** Where hours and days are counted from: an event by default. */
  clock?: 'event' | 'now'
}

type Given = {
  group: Group
  event: About
  faults: ReadonlyMap<string, string>
  may: boolean
  onChange(group: Group): void
}

/** “Only if …”: lines of field, operator and value, in groups of which all, any or none must be true. */
export function Condition({ group, event, faults, may, onChange }: Given) {
  const put = (id: number, part: Part | null) => onChange(replaced(group, id, part))
  const at = event.at ?? 'when'
  const whole = faults.get(at)
  return (
    <fieldset className="fieldset stack tight">
      <legend>{t('rules.when')}</legend>
      {group.parts.length === 0 && <p className="soft small">{event.always ?? t('rules.always')}</p>}
      <Parts group={group} at={at} depth={1} event={event} faults={faults} may={may} onGroup={onChange} onPart={put} />
      {whole !== undefined && <p className="fault">{inWords(whole)}</p>}
    </fieldset>
  )
}

type PartsGiven = Omit<Given, 'onChange'> & {
  at: string
  depth: number
  onGroup(group: Group): void
  onPart(id: number, part: Part | null): void
}

function Parts({ group, at, depth, event, faults, may, onGroup, onPart }: PartsGiven) {
  const add = (part: Part) => onGroup({ ...group, parts: [...group.parts, part] })
  return (
    <>
      {(group.parts.length > 1 || group.match !== 'all') && (
        <Choice
          label={<span className="unseen">{t('rules.match')}</span>}
          disabled={!may}
          value={group.match}
          options={MATCHES.map(match => ({ value: match, label: t(`rules.match.${match}`) }))}
          onChange={chosen => onGroup({ ...group, match: chosenFrom(MATCHES, chosen.target.value) })}
        />
      )}
      {group.parts.length > 0 && (
        <ol className="parts">
          {group.parts.map((part, i) => {
            const path = pathOf(group, at, i)
            return (
              <li key={part.id}>
                {part.is === 'line' ? (
                  <LineFields
                    line={part}
                    n={i + 1}
                    event={event}
                    fault={faultAt(faults, path)}
                    may={may}
                    onChange={next => onPart(part.id, next)}
                  />
                ) : (
                  <fieldset className="fieldset stack tight nested">
                    <legend className="unseen">{t('rules.group', { n: i + 1 })}</legend>
                    <Parts
                      group={part}
                      at={path}
                      depth={depth + 1}
                      event={event}
                      faults={faults}
                      may={may}
                      onGroup={next => onPart(part.id, next)}
                      onPart={onPart}
                    />
                  </fieldset>
                )}
              </li>
            )
          })}
        </ol>
      )}
      {may && (
        <div className="row">
          <Button onClick={() => add(newLine())}>
            <Glyph name="plus" />
            {t('rules.add_line')}
          </Button>
          {group.parts.length > 0 && depth < DEEPEST && (
            <Button look="quiet" onClick={() => add(newGroup([newLine()], group.match === 'any' ? 'all' : 'any'))}>
              {t('rules.add_group')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

/** Returns the name of an operator: lists, dates and times have names of their own. */
function opName(field: Field, op: Operator): string {
  const own = `rules.op.${field.type.startsWith('set of ') ? 'set' : literalOf(field.type)}.${op}`
  return hasWord(own) ? t(own) : tOf('rules.op', op)
}

type LineGiven = {
  line: Line
  n: number
  event: About
  fault: string | undefined
  may: boolean
  onChange(line: Line | null): void
}

function LineFields({ line, n, event, fault, may, onChange }: LineGiven) {
  const { fields, clock = 'event' } = event
  const field = fields.find(one => one.path === line.field)
  const operators = field === undefined ? [] : [...new Set([...operatorsFor(field), ...(line.op === '' ? [] : [line.op])])]
  return (
    <fieldset className="fieldset line" aria-label={t('rules.line', { n })}>
      <select
        className="input"
        aria-label={t('rules.field')}
        aria-invalid={(fault !== undefined && field === undefined) || undefined}
        // biome-ignore lint/a11y/noAutofocus: the person added the line to fill it in.
        autoFocus={line.field === '' && may}
        disabled={!may}
        value={line.field}
        onChange={chosen => {
          const next = fields.find(one => one.path === chosen.target.value)
          if (next !== undefined) onChange(withField(line, next))
        }}
      >
        <option value="" disabled>
          {t('rules.choose')}
        </option>
        {field === undefined && line.field !== '' && <option value={line.field}>{line.field}</option>}
        {fields.map(one => (
          <option key={one.path} value={one.path}>
            {capitalized(one.label)}
          </option>
        ))}
      </select>
      {field !== undefined && (
        <select
          className="input"
          aria-label={t('rules.operator')}
          disabled={!may}
          value={line.op}
          onChange={chosen => onChange(withOperator(line, field, chosenFrom(operators, chosen.target.value)))}
        >
          {operators.map(op => (
            <option key={op} value={op}>
              {opName(field, op)}
            </option>
          ))}
        </select>
      )}
      {field !== undefined && <Value line={line} field={field} fields={fields} clock={clock} may={may} fault={fault} onChange={onChange} />}
      {may && (
        <Button look="quiet" square aria-label={t('rules.take_out', { n })} onClick={() => onChange(null)}>
          <Glyph name="close" />
        </Button>
      )}
      {fault !== undefined && <p className="fault">{inWords(fault)}</p>}
    </fieldset>
  )
}
