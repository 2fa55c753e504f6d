// Which requests of the map show a kind of thing. Without imports, because the manifest of the room reads it.

/**
 * For each kind of thing: the second words of the keys of the requests that show it. Deliveries name the machine that unloads them, and can choose a bay; a schedule has
 * another version once one of its days was removed.
 */
export const CONCERNED = {
  worker: ['workers', 'trades', 'recent', 'flags', 'schedule', 'past', 'place-week'],
  plant: ['plant', 'deliveries', 'delivery', 'delivery places', 'flags', 'schedule', 'past', 'place-week'],
  delivery: ['deliveries', 'delivery', 'flags', 'past', 'place-week'],
  active_area: ['areas', 'area-flags', 'area-versions', 'delivery places', 'schedule', 'place-week'],
} as const satisfies Record<string, readonly string[]>

/** The second words of the keys of the requests that list a kind of thing, and can read single ones again. */
export const LISTED = { worker: 'workers', plant: 'plant', delivery: 'deliveries', active_area: 'areas' } as const satisfies Record<
  keyof typeof CONCERNED,
  string
>

/** The events about one thing of a kind. The steps of a delivery have events of their own. */
const eventsAbout = (kind: string): string[] => [`map_entity ${kind}`, ...(kind === 'delivery' ? ['delivery delivery'] : [])]

const kinds = Object.entries(CONCERNED)

/** The requests that read single things again when an event lists them, for the manifest. */
export const readSingly: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(LISTED).map(([kind, word]) => [`tokens ${word}`, eventsAbout(kind)]),
)

/** What events about one thing make stale, for the manifest. */
export const concernedByEvents: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  kinds
    .flatMap(([, words]) => words)
    .map(word => [`tokens ${word}`, kinds.flatMap(([kind, words]) => (words.some(one => one === word) ? eventsAbout(kind) : []))]),
)
