import type { ReactNode } from 'react'
import { under } from './fault-words.ts'
import { Tick } from './field.tsx'

type Given = {
  label: string
  hint?: ReactNode
  fault?: string | undefined
  disabled?: boolean
  /** The label of the colour itself, for screen readers. */
  colour: string
  value: string | null
  /** The colour that it starts with. */
  first: string
  onChange(value: string | null): void
}

/** A colour that something can do without. */
export function OwnColour({ label, hint, fault, disabled, colour, value, first, onChange }: Given) {
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
      {fault !== undefined && <span className="fault">{under(label, fault)}</span>}
    </div>
  )
}
