// How this device shows things: theme, density, gloves. Chosen by the person, kept on the device, said to the style sheet by attributes.
import { useSyncExternalStore } from 'react'
import { THEMES, type Theme } from './theme/tokens.ts'

/** What a person chose for this device; `theme` null: as the device says. */
export type Looks = { theme: Theme | null; roomy: boolean; gloves: boolean }

const KEPT = 'walkdown.looks'
const heard = new Set<() => void>()
let looks: Looks = read()

function read(): Looks {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Looks> // any JSON; each field is judged below
    return { theme: THEMES.find(one => one === kept.theme) ?? null, roomy: kept.roomy === true, gloves: kept.gloves === true }
  } catch {
    return { theme: null, roomy: false, gloves: false }
  }
}

/** Shows things as they were chosen. */
export function applyLooks(): void {
  const { dataset } = document.documentElement
  const put = (name: string, value: string | null) => {
    if (value === null) delete dataset[name]
    else dataset[name] = value
  }
  put('theme', looks.theme)
  put('density', looks.roomy ? 'roomy' : null)
  put('gloves', looks.gloves ? '' : null)
}

/** Chooses; at once, and for the next time. */
export function chooseLooks(change: Partial<Looks>): void {
  looks = { ...looks, ...change }
  localStorage.setItem(KEPT, JSON.stringify(looks))
  applyLooks()
  for (const tell of heard) tell()
}

/** What is chosen on this device. */
export const useLooks = (): Looks =>
  useSyncExternalStore(
    tell => {
      heard.add(tell)
      return () => heard.delete(tell)
    },
    () => looks,
  )

const darkness = matchMedia('(prefers-color-scheme: dark)')

/** The theme that is to be seen: the chosen one, else the device's. For what the style sheet cannot paint. */
export function useTheme(): Theme {
  const { theme } = useLooks()
  const dark = useSyncExternalStore(
    tell => {
      darkness.addEventListener('change', tell)
      return () => darkness.removeEventListener('change', tell)
    },
    () => darkness.matches,
  )
  return theme ?? (dark ? 'dark' : 'light')
}
