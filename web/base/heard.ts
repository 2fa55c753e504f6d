// The event number from which a site must be followed: the first response is as old as the number that came with it (`X-Site-Cursor`).

const first = new Map<string, number>()
let listener: (site_id: string, event_no: number) => void = () => undefined

/** Records how old a response is. */
export function noteRead(headers: Headers): void {
  const said = /^(\S+) (\d+)$/.exec(headers.get('x-site-cursor') ?? '')
  if (said === null) return
  const [site_id = '', event_no] = [said[1], Number(said[2])]
  first.set(site_id, Math.min(first.get(site_id) ?? event_no, event_no))
  listener(site_id, event_no)
}

/** Returns the number of the last event that the first response of a site includes; undefined when nothing has been read yet. */
export const readFrom = (site_id: string): number | undefined => first.get(site_id)

/** Calls back with each response of a site. */
export function onRead(call: (site_id: string, event_no: number) => void): void {
  listener = call
}
