// This device's appearance settings, as they are stored, and how they are applied to the page. Little is imported here, because it is read before the
// first paint.
import { fieldsIn } from '../../shared/narrow.ts'
import { THEMES, type Theme } from './theme/themes.ts'

/** What a person chose for this device; `theme` null follows the device. */
export type Looks = { theme: Theme | null; roomy: boolean; gloves: boolean }

const KEPT = 'walkdown.looks'
/** The colour of the browser's own bar: `ground` of the themes, in a form that browsers accept. */
const AROUND: Record<Theme, string> = { light: '#eceae5', dark: '#191b1e', outdoor: '#ffffff' }

/** Returns the stored settings; those that can't be read are ignored. */
export function keptLooks(): Looks {
  try {
    const kept = fieldsIn(JSON.parse(localStorage.getItem(KEPT) ?? '{}'))
    return { theme: THEMES.find(one => one === kept.theme) ?? null, roomy: kept.roomy === true, gloves: kept.gloves === true }
  } catch {
    return { theme: null, roomy: false, gloves: false }
  }
}

/** Stores the settings for the next time the app opens. */
export const keepLooks = (looks: Looks): void => localStorage.setItem(KEPT, JSON.stringify(looks))

/** Applies the settings to the style sheet by attributes of the page, and to the browser's bar. */
export function showLooks({ theme, roomy, gloves }: Looks): void {
  const { dataset } = document.documentElement
  const put = (name: string, value: string | null) => {
    if (value === null) delete dataset[name]
    else dataset[name] = value
  }
  put('theme', theme)
  put('density', roomy ? 'roomy' : null)
  put('gloves', gloves ? '' : null)
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'))
    bar.content = AROUND[theme ?? (bar.media.includes('dark') ? 'dark' : 'light')]
}
