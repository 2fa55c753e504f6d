import type { ReactNode } from 'react'
import { FaultOf, Tick } from './field.tsx'

type Given = {
  label: string
  hint?: ReactNode
  /** Its name in the body that is sent. */
  at?: string
  disabled?: boolean
  /** The label of the colour itself, for screen readers. */
  colour: string
  value: string | null
  /** The colour that it starts with. */
  first: string
  onChange(value: string | null): void
}

/** A colour that something can do without. */
export function OwnColour({ label, hint, at, disabled, colour, value, first, onChange }: Given) {
  return (
    <div className="row">
      <Tick
        label={label}
        hint={hint}
        disabled={disabled}
        checked={value !== null}
        onChange={event => onChange(event.target.checked ? first : null)}
      />
      {value !== null && (
        <input
          type="color"
          className="input colour"
          aria-label={colour}
          disabled={disabled}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
      {at !== undefined && <FaultOf at={at} label={label} />}
    </div>
  )
}
