// How this device shows things: theme, density, gloves. Chosen by the person, kept on the device, said to the style sheet by attributes.
import { useSyncExternalStore } from 'react'
import { keepLooks, keptLooks, type Looks, showLooks } from './looks-kept.ts'
import type { Theme } from './theme/themes.ts'

const heard = new Set<() => void>()
let looks: Looks = keptLooks()

/** Shows things as they were chosen. */
export const applyLooks = (): void => showLooks(looks)

/** Chooses; at once, and for the next time. */
export function chooseLooks(change: Partial<Looks>): void {
  looks = { ...looks, ...change }
  keepLooks(looks)
  showLooks(looks)
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
