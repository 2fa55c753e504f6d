import { type ReactNode, useRef, useState } from 'react'
import { limits } from '../../../contract/limits.gen.ts'
import { asFault, type Fault } from '../fault.ts'
import { useKeptForm } from '../kept-form.ts'
import { Button } from '../kit/button.tsx'
import { faultsBut } from '../kit/fault-words.ts'
import { FaultNote, Note, toast } from '../kit/note.tsx'
import { Restored } from '../kit/restored.tsx'
import { Window } from '../kit/window.tsx'
import { useSend } from '../send.ts'
import { t } from '../words.ts'
import { type Limit, shapeOf } from './form-fields.ts'

/** A field of a form, for the controls of the kit: its value, and its limits as the service checks them. */
export type FieldGiven<V> = Limit & {
  value: V
  optional: boolean
  /** Its name in the body that is sent: its faults come by it. */
  at: string
  onChange(event: { target: { value: string } }): void
}

/** A form as its fields use it. */
export type FormOf<T> = {
  values: T
  change(part: Partial<T>): void
  field<K extends keyof T & string>(name: K): FieldGiven<T[K]>
}

type Said = { text: string; undo?: { label: string; run(): void } }

type Given<T> = {
  title: ReactNode
  side?: boolean
  /** The form and its subject, unique on this device: typed text is stored under this name until it is sent (decision 694). */
  name: string
  /** The body that the form fills in, or an object in it, for its limits. */
  body: keyof typeof limits
  /** Where the fields are in the body that is sent, if they are inside another: `styles[2]`. Their faults have paths there. */
  inside?: string
  start: T
  /** Sends the values, with the version that was shown where there is one. `sure`: the person has confirmed what the service asked. */
  save(values: T, sure: boolean): Promise<unknown>
  /** The service asks whether the person is sure: this refusal, and the label of the button. */
  confirm?: { isAsked(fault: Fault): boolean; label: string }
  button?: string
  /** The toast when it is saved, with what can be done then; null if something else is shown instead. */
  said?: string | null | ((values: T) => Said)
  onClose(): void
  /** A second button that saves and, instead of closing the form, begins the next one like it. */
  again?: { label: string; run(values: T): void }
  /** Other things that can be done here. */
  aside?: ReactNode
  children(form: FormOf<T>): ReactNode
}

/** A window with a form: limits from the contract, text kept on the device, and refusals at their fields or below them, in the service's own words. */
export function RecordForm<T extends object>({
  title,
  side = false,
  name,
  body,
  inside,
  start,
  save,
  confirm,
  said,
  onClose,
  again,
  ...given
}: Given<T>) {
  const { busy, fault, send } = useSend()
  const form = useKeptForm<T>(name, start)
  const refusal = asFault(fault)
  const asked = fault !== null && confirm?.isAsked(refusal) === true
  const another = useRef(false)
  // What a person has changed since is no longer what was refused.
  const [since, setSince] = useState<readonly string[]>([])
  const pathOf = (field: string) => (inside === undefined ? field : `${inside}.${field}`)
  const change = (part: Partial<T>) => {
    if (fault !== null) setSince(before => [...before, ...Object.keys(part).map(pathOf)])
    form.change(part)
  }
  const submit = async (sure: boolean) => {
    setSince([])
    if (!(await send(() => save(form.values, sure)))) return
    form.sent()
    if (said === null) return
    const { text, ...more } = typeof said === 'function' ? said(form.values) : { text: said ?? t('common.saved') }
    toast(text, more)
    if (another.current && again !== undefined) again.run(form.values)
    else onClose()
  }
  return (
    <Window title={title} side={side} onClose={onClose} onSubmit={() => void submit(false)} faults={faultsBut(refusal.fields, since)}>
      <Restored form={form} />
      {given.children({
        values: form.values,
        change,
        field: field => ({
          ...shapeOf(limits[body], field),
          value: form.values[field],
          at: pathOf(field),
          onChange: event => change({ [field]: event.target.value } as Partial<T>), // a field with text
        }),
      })}
      {asked && confirm !== undefined && (
        <Note kind="warn" title={refusal.message}>
          <Button disabled={busy} onClick={() => void submit(true)}>
            {confirm.label}
          </Button>
        </Note>
      )}
      {fault !== null && !asked && <FaultNote error={fault} />}
      <div className="row spread">
        <Button look="primary" type="submit" disabled={busy} onClick={() => (another.current = false)}>
          {given.button ?? t('common.save')}
        </Button>
        {again !== undefined && (
          <Button type="submit" disabled={busy} onClick={() => (another.current = true)}>
            {again.label}
          </Button>
        )}
        {given.aside ?? <Button onClick={onClose}>{t('common.cancel')}</Button>}
      </div>
    </Window>
  )
}
