// What a person has pinned on this device, for each site, such as the smart groups that they look for every day. Signing out removes it, as everything that is
// stored for a person.
import { useSyncExternalStore } from 'react'
import { textsIn } from '../../shared/narrow.ts'
import type { Here } from './here.ts'
import { listeners } from './listeners.ts'

/** The most that can be pinned of a site: one page of a list. Beyond it, the first that was pinned is unpinned. */
export const MOST_PINS = 50

/** Reads stored ids, the first pinned first; what can’t be read is ignored. */
export function pinsIn(text: string | null): readonly string[] {
  try {
    return [...new Set(textsIn(JSON.parse(text ?? '[]')))].slice(-MOST_PINS)
  } catch {
    return []
  }
}

/** Returns the ids after one of them was pinned, as the last one, or unpinned. */
export const withPin = (ids: readonly string[], id: string, on: boolean): readonly string[] =>
  [...ids.filter(one => one !== id), ...(on ? [id] : [])].slice(-MOST_PINS)

const heard = listeners()
/** What was read last: the same text gives the same list. */
let last: { key: string; text: string | null; ids: readonly string[] } | null = null

function read(key: string): readonly string[] {
  const text = localStorage.getItem(key)
  if (last?.key !== key || last.text !== text) last = { key, text, ids: pinsIn(text) }
  return last.ids
}

function subscribe(tell: () => void): () => void {
  const unheard = heard.hear(tell)
  // Another window of the app.
  addEventListener('storage', tell)
  return () => {
    unheard()
    removeEventListener('storage', tell)
  }
}

/** The smart groups that the person has pinned on this site, the first pinned first, and how to pin and unpin one. */
export function usePinnedGroups({ me, site_id }: Pick<Here, 'me' | 'site_id'>): {
  ids: readonly string[]
  pin(id: string, on: boolean): void
} {
  const key = `walkdown.visit pinned-groups ${me.id} ${site_id}`
  const ids = useSyncExternalStore(subscribe, () => read(key))
  return {
    ids,
    pin(id, on) {
      localStorage.setItem(key, JSON.stringify(withPin(read(key), id, on)))
      heard.tell()
    },
  }
}
