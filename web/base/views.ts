// Saved views: searches and filters of a list to which a person has given a name. The device stores them encrypted, because a search can have someone’s name in
// it; they stay there when the person signs out, and can be read only by them.
import { storeChange, storeGet } from './store.ts'

/** A saved view: the path of its page below the site, its name, and the parameters of the URL that it sets. */
export type View = { page: string; name: string; place: Readonly<Record<string, string>> }

/** The most views of one page: as many as still fit into a menu that scrolls. */
export const MOST_VIEWS = 30

/** The longest name of a view, in characters: one line of the menu. */
export const LONGEST_NAME = 40

const isCalled = (view: View, page: string, name: string) => view.page === page && view.name.toLowerCase() === name.trim().toLowerCase()

/** Returns the view of a page with this name, in capital or small letters. */
export const viewCalled = (views: readonly View[], page: string, name: string): View | undefined =>
  views.find(view => isCalled(view, page, name))

/** Returns the views after one was saved, which replaces the one with the same name. */
export const withView = (views: readonly View[], view: View): readonly View[] => [
  ...withoutView(views, view.page, view.name),
  { ...view, name: view.name.trim() },
]

/** Returns the views after one was deleted. */
export const withoutView = (views: readonly View[], page: string, name: string): readonly View[] =>
  views.filter(view => !isCalled(view, page, name))

/** Returns those parameters of a URL that belong to a view. */
export const placeOfView = (place: Readonly<Record<string, string | undefined>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap(name => (place[name] === undefined || place[name] === '' ? [] : [[name, place[name]]])))

/** Returns whether a URL shows exactly what a view does. */
export function isShown(view: View, place: Readonly<Record<string, string | undefined>>, names: readonly string[]): boolean {
  const now = placeOfView(place, names)
  const keys = Object.keys(now)
  return keys.length === Object.keys(view.place).length && keys.every(key => now[key] === view.place[key])
}

declare module './store.ts' {
  interface Drawers {
    /** The views that a person has saved on a site, the oldest first. */
    views: { who: string; views: readonly View[] }
  }
}

const nameOf = (who: string, site_id: string) => `views ${who} ${site_id}`

/** Reads the views that a person has saved on a site. */
export const savedViews = async (who: string, site_id: string): Promise<readonly View[]> =>
  (await storeGet('views', nameOf(who, site_id)))?.views ?? []

/** Changes the views that a person has saved on a site, whatever other windows do. Returns them once they are stored. */
export async function changeViews(
  who: string,
  site_id: string,
  change: (views: readonly View[]) => readonly View[],
): Promise<readonly View[]> {
  const stored = await storeChange('views', nameOf(who, site_id), now => ({ who, views: change(now?.views ?? []) }))
  return stored?.views ?? []
}
