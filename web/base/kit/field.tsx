import { type ComponentProps, type ReactNode, useEffect, useId } from 'react'
import { fieldOf, instantOfField } from '../time.ts'
import { t } from '../words.ts'
import { faultSaid, inWords, labelled, under } from './fault-words.ts'
import { useFault } from './faults.tsx'

type Around = {
  label: ReactNode
  hint?: ReactNode
  /** What the page itself finds wrong. What the service finds wrong comes by the name. */
  fault?: string | undefined
  optional?: boolean
  /** The name of the field in the body that is sent: its faults are shown here, and those of other fields name it by its label. */
  at?: string | undefined
}

/** A label, its control, a hint and a fault: every field has them in the same order. */
export function Entry({
  label,
  hint,
  fault: own,
  optional,
  at,
  children,
}: Around & { children(state: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }): ReactNode }) {
  const id = useId()
  const refused = useFault(at)
  const fault = own ?? refused
  useEffect(() => (at === undefined || typeof label !== 'string' ? undefined : labelled(at, label)), [at, label])
  const described = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div className="entry">
      <label htmlFor={id}>
        {label} {optional && <span className="soft small">({t('common.optional')})</span>}
      </label>
      {children({ id, 'aria-describedby': described === '' ? undefined : described, 'aria-invalid': fault !== undefined || undefined })}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      {fault !== undefined && (
        <span id={`${id}-fault`} className="fault">
          {at === undefined ? inWords(fault) : faultSaid(at, fault)}
        </span>
      )}
    </div>
  )
}

/** The fault of something that isn't a field, such as a place that is chosen on the map; the message begins with this label. */
export function FaultOf({ at, label }: { at: string; label: string }) {
  const fault = useFault(at)
  useEffect(() => labelled(at, label), [at, label])
  return fault === undefined ? null : (
    <span className="fault" role="alert">
      {under(label, fault)}
    </span>
  )
}

/** A line of text. */
export function TextField({ label, hint, fault, optional, at, className, ...rest }: Around & ComponentProps<'input'>) {
  return (
    <Entry label={label} hint={hint} fault={fault} at={at} optional={optional === true && rest.required !== true}>
      {control => <input {...control} className={`input ${className ?? ''}`} {...rest} />}
    </Entry>
  )
}

/** A number; any, or a whole one with `step={1}`. */
export function NumberField(given: ComponentProps<typeof TextField>) {
  return <TextField type="number" step="any" className="mono short" {...given} />
}

/** Text of several lines. */
export function TextArea({ label, hint, fault, optional, at, ...rest }: Around & ComponentProps<'textarea'>) {
  return (
    <Entry label={label} hint={hint} fault={fault} at={at} optional={optional ?? false}>
      {control => <textarea {...control} className="input" {...rest} />}
    </Entry>
  )
}

type Offered = readonly { value: string; label: string }[]

/** A choice of one from a few; the device's own list, which works with gloves. Long lists are in `groups`. */
export function Choice({
  label,
  hint,
  fault,
  optional,
  at,
  options,
  groups = [],
  empty,
  ...rest
}: Around &
  ComponentProps<'select'> & { options: Offered; groups?: readonly { label: string; options: Offered }[]; empty?: string | undefined }) {
  const shown = (list: Offered) =>
    list.map(option => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))
  return (
    <Entry label={label} hint={hint} fault={fault} at={at} optional={optional ?? false}>
      {control => (
        <select {...control} className="input" {...rest}>
          {empty !== undefined && <option value="">{empty}</option>}
          {shown(options)}
          {groups.map(group => (
            <optgroup key={group.label} label={group.label}>
              {shown(group.options)}
            </optgroup>
          ))}
        </select>
      )}
    </Entry>
  )
}

/** A date and time in site time, labelled as such. */
export function MomentField({
  label,
  hint,
  fault,
  optional,
  at,
  value,
  zone,
  onMoment,
  ...rest
}: Around &
  Omit<ComponentProps<'input'>, 'value' | 'onChange'> & { value: string | null; zone: string; onMoment(at: string | null): void }) {
  return (
    <Entry label={label} hint={hint ?? t('common.site_time', { zone })} fault={fault} at={at} optional={optional ?? false}>
      {control => (
        <input
          {...control}
          type="datetime-local"
          className="input mono"
          value={fieldOf(value, zone)}
          onChange={event => onMoment(instantOfField(event.target.value, zone))}
          {...rest}
        />
      )}
    </Entry>
  )
}

/** A checkbox. */
export function Tick({ label, hint, ...rest }: { label: ReactNode; hint?: ReactNode } & ComponentProps<'input'>) {
  return (
    <label className="tick">
      <input type="checkbox" {...rest} />
      <span>
        {label}
        {hint !== undefined && <span className="soft small"> {hint}</span>}
      </span>
    </label>
  )
}

/** A choice of one from two to five, all visible. */
export function Choices<T extends string>({
  label,
  options,
  value,
  onChoose,
  hidden = false,
}: {
  label: string
  options: readonly { value: T; label: ReactNode }[]
  value: T | null
  onChoose(value: T): void
  /** The label is read by screen readers, but not shown. */
  hidden?: boolean
}) {
  const name = useId()
  return (
    <fieldset className="fieldset stack tight">
      <legend className={hidden ? 'unseen' : ''}>{label}</legend>
      <div className="choices">
        {options.map(option => (
          <label key={option.value}>
            <input type="radio" name={name} checked={value === option.value} onChange={() => onChoose(option.value)} />
            <span className="face">{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
