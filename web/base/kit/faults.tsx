// How the fields of a form find what is wrong with them: by their names. It is separate from the fields, because windows come without them (decision 1005).
import { createContext, type ReactNode, useContext } from 'react'
import { faultAt } from './fault-words.ts'

const Found = createContext<ReadonlyMap<string, string>>(new Map())

/** What is wrong with the fields of a form, by their paths in the body that is sent: each field finds its own by its name. */
export const Faults = ({ of, children }: { of: ReadonlyMap<string, string>; children: ReactNode }) => <Found value={of}>{children}</Found>

/** Returns what is wrong with a field of the form, or with anything in it. */
export function useFault(at: string | undefined): string | undefined {
  const found = useContext(Found)
  return at === undefined ? undefined : faultAt(found, at)
}
