// Which requests of the map show a kind of thing. Without imports, because the manifest of the room reads it.

/** For each kind of thing: the second words of the keys of the requests that show it. Deliveries name the machine that unloads them. */
export const CONCERNED = {
  worker: ['workers', 'trades', 'recent', 'flags'],
  plant: ['plant', 'deliveries', 'delivery', 'delivery places', 'flags'],
  delivery: ['deliveries', 'delivery', 'flags'],
} as const satisfies Record<string, readonly string[]>

const kinds = Object.entries(CONCERNED)

/** What events about one thing make stale, for the manifest. */
export const concernedByEvents: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  kinds
    .flatMap(([, words]) => words)
    .map(word => [`tokens ${word}`, kinds.flatMap(([kind, words]) => (words.some(one => one === word) ? [`map_entity ${kind}`] : []))]),
)
