import { type ComponentProps, type ReactNode, useState } from 'react'
import type { Sending } from '../send.ts'
import { Tick } from './field.tsx'
import { toast } from './note.tsx'

type Saved = {
  /** What is stored. */
  checked: boolean
  /** The calls of this part of the page, of which one is sent at a time; their refusal is shown there. */
  sending: Sending
  save(checked: boolean): Promise<unknown>
  /** What the app says once it is stored; null: nothing. */
  said: string | null
}

/** What is saved as soon as a person sets it: shows what they chose until the service responds, and then what is stored. */
export function useSaved({ checked, sending, save, said }: Saved): { shown: boolean; choose(next: boolean): Promise<void> } {
  const [wanted, setWanted] = useState<boolean | null>(null)
  const choose = async (next: boolean) => {
    setWanted(next)
    const done = await sending.send(() => save(next))
    setWanted(null)
    if (done && said !== null) toast(said)
  }
  return { shown: wanted ?? checked, choose }
}

type Given = Saved & Omit<ComponentProps<'input'>, 'checked' | 'onChange'> & { label: ReactNode; hint?: ReactNode }

/** A checkbox that is saved as soon as a person sets it. */
export function SavedTick({ checked, sending, save, said, disabled, ...rest }: Given) {
  const { shown, choose } = useSaved({ checked, sending, save, said })
  return (
    <Tick {...rest} checked={shown} disabled={disabled === true || sending.busy} onChange={event => void choose(event.target.checked)} />
  )
}
