// How the fields of a form find what is wrong with them: by their names. It is separate from the fields, because windows come without them (decision 1005).
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { asFault } from '../fault.ts'
import { faultAt, pathAt } from './fault-words.ts'

/** What is wrong with the fields of a form, and the names of those that are on the page. */
type Found = { of: ReadonlyMap<string, string>; names: string[] }

const Found = createContext<Found>({ of: new Map(), names: [] })

/** What is wrong with the fields of a form, by their paths in the body that is sent: each field finds its own by its name. */
export function Faults({ of, children }: { of: ReadonlyMap<string, string>; children: ReactNode }) {
  const [names] = useState<string[]>([])
  return <Found value={{ of, names }}>{children}</Found>
}

/** Returns what is wrong with a field of the form, or with anything in it. */
export function useFault(at: string | undefined): string | undefined {
  const { of, names } = useContext(Found)
  useEffect(() => {
    if (at === undefined) return
    names.push(at)
    return () => void names.splice(names.lastIndexOf(at), 1)
  }, [at, names])
  return at === undefined ? undefined : faultAt(of, at)
}

/** Returns what is wrong with an input that no field of the form shows. It is decided when the refusal arrives: what a person changes afterwards doesn’t bring any of it back. */
export function useUnshown(error: unknown): ReadonlyMap<string, string> {
  const form = useContext(Found)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is read as it is when the refusal arrives.
  return useMemo(() => {
    const { fields, code } = asFault(error)
    if (code !== 'validation_failed') return fields
    const shown = new Set(form.names.map(name => pathAt(form.of, name)))
    return new Map([...fields].filter(([path, message]) => !shown.has(path) || form.of.get(path) !== message))
  }, [error])
}
