/** Those who hear of a change of something outside React. */
export type Listeners = {
  /** Adds one, and returns what removes it: `useSyncExternalStore` subscribes with it. */
  hear(one: () => void): () => void
  /** Tells all of them. */
  tell(): void
}

/** Makes a group of listeners, which is empty. */
export function listeners(): Listeners {
  const all = new Set<() => void>()
  return {
    hear(one) {
      all.add(one)
      return () => all.delete(one)
    },
    tell() {
      for (const one of all) one()
    },
  }
}
