// From which of its events on a site must be listened to: what was read first is as old as the number that came with it (`X-Site-Cursor`).

const first = new Map<string, number>()
let told: (site_id: string, event_no: number) => void = () => undefined

/** Notes how old an answer is. */
export function noteRead(headers: Headers): void {
  const said = /^(\S+) (\d+)$/.exec(headers.get('x-site-cursor') ?? '')
  if (said === null) return
  const [site_id = '', event_no] = [said[1], Number(said[2])]
  first.set(site_id, Math.min(first.get(site_id) ?? event_no, event_no))
  told(site_id, event_no)
}

/** Number of the last event that what was read first of a site knows of; undefined: nothing was read yet. */
export const readFrom = (site_id: string): number | undefined => first.get(site_id)

/** Calls back with each answer of a site. */
export function onRead(call: (site_id: string, event_no: number) => void): void {
  told = call
}
