// The app's appearance on this device: theme, density, gloves. Chosen by the person, stored on the device, applied by attributes of the page.
import { useSyncExternalStore } from 'react'
import { listeners } from './listeners.ts'
import { keepLooks, keptLooks, type Looks, showLooks } from './looks-kept.ts'
import type { Theme } from './theme/themes.ts'

const heard = listeners()
let looks: Looks = keptLooks()

/** Applies the chosen settings. */
export const applyLooks = (): void => showLooks(looks)

/** Changes a setting, immediately and for the next time. */
export function chooseLooks(change: Partial<Looks>): void {
  looks = { ...looks, ...change }
  keepLooks(looks)
  showLooks(looks)
  heard.tell()
}

/** Returns this device's settings. */
export const useLooks = (): Looks => useSyncExternalStore(heard.hear, () => looks)

const darkness = matchMedia('(prefers-color-scheme: dark)')

/** Returns the theme that is shown: the chosen one, or else the device's. For what the style sheet can't colour. */
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
