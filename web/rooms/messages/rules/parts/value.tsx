import { fieldsIn } from '../../../../../shared/narrow.ts'
import { instantOf } from '../../../../../shared/time.ts'
import { Tick } from '../../../../base/kit/field.tsx'
import { useHere } from '../../../../base/site.tsx'
import { fieldOf, instantOfField } from '../../../../base/time.ts'
import { type Field, fixedDay, formOf, hoursFrom, hoursOf, type Line, literalOf } from '../condition.ts'
import { t } from '../says.ts'
import { type Options, useOptions } from './options.ts'

/** Where hours and days are counted from. */
type Clock = 'event' | 'now'

type Given = {
  line: Line
  field: Field
  fields: readonly Field[]
  clock: Clock
  may: boolean
  fault: string | undefined
  onChange(line: Line): void
}

/** The value that a field is compared with: chosen where possible, otherwise typed. */
export function Value({ line, field, fields, clock, may, fault, onChange }: Given) {
  const { options, read } = useOptions(field)
  const set = (value: unknown) => onChange({ ...line, value })
  const shared = { field, options, read, clock, may, wrong: fault !== undefined }
  if (line.ref !== undefined) {
    const said = fields.find(one => one.path === line.ref)?.label ?? line.ref
    return <span className="against">{t('rules.against', { field: said })}</span>
  }
  const form = formOf(field, line.op)
  if (form === 'none') return null
  if (form === 'truth') return <Truth may={may} value={line.value !== false} onChange={set} />
  if (form === 'list') return <List {...shared} value={Array.isArray(line.value) ? line.value : []} onChange={set} />
  if (form === 'one') return <One {...shared} name={t('rules.value')} value={line.value} onChange={set} />
  const [from, to] = Array.isArray(line.value) ? line.value : [null, null]
  return (
    <span className="range">
      <One {...shared} name={t('rules.from')} value={from} onChange={next => set([next, to])} />
      <span className="soft small">{t('rules.and')}</span>
      <One {...shared} name={t('rules.to')} value={to} onChange={next => set([from, next])} />
    </span>
  )
}

function Truth({ may, value, onChange }: { may: boolean; value: boolean; onChange(value: boolean): void }) {
  return (
    <select
      className="input"
      aria-label={t('rules.value')}
      disabled={!may}
      value={String(value)}
      onChange={chosen => onChange(chosen.target.value === 'true')}
    >
      <option value="true">{t('common.yes')}</option>
      <option value="false">{t('common.no')}</option>
    </select>
  )
}

type Some = Options & { field: Field; clock: Clock; may: boolean; wrong: boolean }

const missing = (read: boolean): string => t(read ? 'rules.gone' : 'common.loading')

function List({ options, read, may, wrong, value, onChange }: Some & { value: unknown[]; onChange(value: unknown[]): void }) {
  if (options === null)
    return (
      <input
        className="input"
        aria-label={t('rules.values_typed')}
        placeholder={t('rules.values_typed')}
        aria-invalid={wrong || undefined}
        disabled={!may}
        defaultValue={value.join(', ')}
        onChange={typed =>
          onChange(
            typed.target.value
              .split(',')
              .map(one => one.trim())
              .filter(one => one !== ''),
          )
        }
      />
    )
  // A chosen value that no longer exists stays visible, so that it can be removed.
  const gone = value.filter(one => !options.some(option => option.value === one)).map(one => ({ value: one, label: missing(read) }))
  const shown = [...options.filter(one => !one.only_chosen || value.includes(one.value)), ...gone]
  return (
    <div className="ticks">
      {shown.map(option => (
        <Tick
          key={String(option.value)}
          label={option.label}
          disabled={!may}
          checked={value.includes(option.value)}
          onChange={ticked => onChange(ticked.target.checked ? [...value, option.value] : value.filter(one => one !== option.value))}
        />
      ))}
      {shown.length === 0 && <p className="soft small">{t('rules.nothing_to_choose')}</p>}
    </div>
  )
}

type OneGiven = Some & { name: string; value: unknown; onChange(value: unknown): void }

const INPUTS: Record<string, string> = { local_time: 'time', integer: 'number', number: 'number', minutes: 'number', metres: 'number' }

function One({ field, options, read, clock, may, wrong, name, value, onChange }: OneGiven) {
  const type = literalOf(field.type)
  if (type === 'instant') return <Moment clock={clock} may={may} wrong={wrong} name={name} value={value} onChange={onChange} />
  if (type === 'work_date') return <Day clock={clock} may={may} wrong={wrong} name={name} value={value} onChange={onChange} />
  if (options !== null) {
    const known = options.some(option => option.value === value)
    return (
      <select
        className="input"
        aria-label={name}
        aria-invalid={wrong || undefined}
        disabled={!may}
        value={String(value ?? '')}
        onChange={chosen => onChange(options.find(option => String(option.value) === chosen.target.value)?.value ?? '')}
      >
        {!known && <option value={String(value ?? '')}>{value === '' || value == null ? t('rules.choose') : missing(read)}</option>}
        {options
          .filter(one => !one.only_chosen || one.value === value)
          .map(option => (
            <option key={String(option.value)} value={String(option.value)}>
              {option.label}
            </option>
          ))}
      </select>
    )
  }
  const input = INPUTS[type] ?? 'text'
  return (
    <input
      className="input"
      type={input}
      step={input === 'number' ? 'any' : undefined}
      maxLength={input === 'text' ? 200 : undefined}
      aria-label={name}
      aria-invalid={wrong || undefined}
      disabled={!may}
      value={String(value ?? '')}
      onChange={typed =>
        onChange(input === 'number' ? (typed.target.value === '' ? null : Number(typed.target.value)) : typed.target.value)
      }
    />
  )
}

type FarGiven = { clock: Clock; may: boolean; wrong: boolean; name: string; value: unknown; onChange(value: unknown): void }

const numberOf = (text: string): number => Math.abs(Number(text))

/** An instant: a number of hours before or after the event or now, or a fixed time. */
function Moment({ clock, may, wrong, name, value, onChange }: FarGiven) {
  const { zone } = useHere()
  const hours = hoursOf(value)
  const fixed = typeof value === 'string'
  const way = fixed ? 'at' : (hours ?? 0) < 0 || Object.is(hours, -0) ? 'before' : 'after'
  const turn = (next: string) => {
    if (next === 'at') return onChange(instantOf(zone, fixedDay(zone), '12:00'))
    const far = Math.abs(hours ?? 1) || 1
    return onChange(hoursFrom(next === 'before' ? -far : far))
  }
  return (
    <span className="far">
      {fixed ? (
        <input
          type="datetime-local"
          className="input mono"
          aria-label={name}
          aria-invalid={wrong || undefined}
          disabled={!may}
          value={fieldOf(value, zone)}
          onChange={typed => {
            const at = instantOfField(typed.target.value, zone)
            if (at !== null) onChange(at)
          }}
        />
      ) : (
        <input
          type="number"
          min={0}
          step="any"
          className="input mono"
          aria-label={t('rules.hours')}
          aria-invalid={wrong || undefined}
          disabled={!may}
          value={Math.abs(hours ?? 0)}
          onChange={typed => onChange(hoursFrom(numberOf(typed.target.value) * (way === 'before' ? -1 : 1)))}
        />
      )}
      <select className="input" aria-label={t('rules.counted')} disabled={!may} value={way} onChange={chosen => turn(chosen.target.value)}>
        {(['before', 'after', 'at'] as const).map(one => (
          <option key={one} value={one}>
            {t(one === 'at' ? 'rules.hours.at' : `rules.hours.${one}.${clock}`)}
          </option>
        ))}
      </select>
    </span>
  )
}

/** A day: a number of days before or after the event's or today, or a fixed day. */
function Day({ clock, may, wrong, name, value, onChange }: FarGiven) {
  const { zone } = useHere()
  const fixed = typeof value === 'string'
  const days = fixed ? 0 : Number(fieldsIn(value).today ?? 0) // an offset in days, by the syntax of the condition language
  const way = fixed ? 'at' : days < 0 ? 'before' : 'after'
  const turn = (next: string) => {
    if (next === 'at') return onChange(fixedDay(zone))
    const far = Math.abs(days) || 1
    return onChange({ today: next === 'before' ? -far : far })
  }
  return (
    <span className="far">
      <input
        type={fixed ? 'date' : 'number'}
        min={fixed ? undefined : 0}
        className="input mono"
        aria-label={fixed ? name : t('rules.days')}
        aria-invalid={wrong || undefined}
        disabled={!may}
        value={fixed ? value : Math.abs(days)}
        onChange={typed =>
          onChange(fixed ? typed.target.value : { today: Math.round(numberOf(typed.target.value)) * (way === 'before' ? -1 : 1) })
        }
      />
      <select className="input" aria-label={t('rules.counted')} disabled={!may} value={way} onChange={chosen => turn(chosen.target.value)}>
        {(['before', 'after', 'at'] as const).map(one => (
          <option key={one} value={one}>
            {t(one === 'at' ? 'rules.days.at' : `rules.days.${one}.${clock}`)}
          </option>
        ))}
      </select>
    </span>
  )
}
