// Which requests of the map show a kind of thing. Without imports, because the manifest of the room reads it.

/** For each kind of thing: the second words of the keys of the requests that show it. Deliveries name the machine that unloads them. */
export const CONCERNED = {
  worker: ['workers', 'trades', 'recent', 'flags'],
  plant: ['plant', 'deliveries', 'delivery', 'delivery places', 'flags'],
  delivery: ['deliveries', 'delivery', 'flags'],
} as const satisfies Record<string, readonly string[]>

/** The second words of the keys of the requests that list a kind of thing, and can read single ones again. */
export const LISTED = { worker: 'workers', plant: 'plant' } as const satisfies Partial<Record<keyof typeof CONCERNED, string>>

const kinds = Object.entries(CONCERNED)

/** The requests that read single things again when an event lists them, for the manifest. */
export const readSingly: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LISTED).map(([kind, word]) => [`tokens ${word}`, `map_entity ${kind}`]),
)

/** What events about one thing make stale, for the manifest. */
export const concernedByEvents: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  kinds
    .flatMap(([, words]) => words)
    .map(word => [`tokens ${word}`, kinds.flatMap(([kind, words]) => (words.some(one => one === word) ? [`map_entity ${kind}`] : []))]),
)
