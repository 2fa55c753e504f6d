// Whether parts of the app can be fetched before they are needed: never on a metered connection.

/** What a browser reports about its connection; many report nothing. */
export type Connection = { saveData?: boolean; type?: string }

declare global {
  interface Navigator {
    /** Only some browsers have it. */
    connection?: Connection
  }
}

const FREE = ['wifi', 'ethernet']
const IDLE_MS = 20_000

/** Returns whether the connection is known to be free; an unknown one does not count as free. */
export const isFree = (connection: Connection | undefined): boolean =>
  connection !== undefined && connection.saveData !== true && FREE.includes(connection.type ?? '')

/** Asks the service worker to store the whole app, once the page has been idle for a while. */
export function keepAhead(workers: ServiceWorkerContainer, connection: Connection | undefined): void {
  setTimeout(() => {
    if (!isFree(connection) || !navigator.onLine) return
    void workers.ready.then(({ active }) => active?.postMessage('keep all'))
  }, IDLE_MS)
}
