// Whether parts of the app may be fetched before they are needed: never on a metered connection.

/** What a browser says of its line; many say nothing. */
export type Connection = { saveData?: boolean; type?: string }

const FREE = ['wifi', 'ethernet']
const IDLE_MS = 20_000

/** Only a line that is known to be free; one that nothing is known of is not. */
export const isFree = (connection: Connection | undefined): boolean =>
  connection !== undefined && connection.saveData !== true && FREE.includes(connection.type ?? '')

/** Asks the worker to keep the whole app, once the page has been at rest for a while. */
export function keepAhead(workers: ServiceWorkerContainer, connection: Connection | undefined): void {
  setTimeout(() => {
    if (!isFree(connection) || !navigator.onLine) return
    void workers.ready.then(({ active }) => active?.postMessage('keep all'))
  }, IDLE_MS)
}
