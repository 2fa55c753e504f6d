/// <reference lib="webworker" />
// Stores the app itself on the device, so that it opens immediately, even offline. Pages for the field are stored immediately; pages for the office
// (map, editor, settings) are stored once they have been opened, or when the connection is free. Responses of the service are never stored here;
// queries store them, with the time of their data.
export {}

declare const self: ServiceWorkerGlobalScope

const SHELL = 'walkdown-shell'

/** The list of built files, written by the build. */
type Built = { first: string[]; later: string[] }
const builtNow = async (): Promise<Built> => (await (await fetch('/built.json', { cache: 'no-store' })).json()) as Built // as the build wrote it
const pathOf = (request: Request): string => new URL(request.url).pathname
/** Returns the name of a part without the hash that changes from build to build. */
const stem = (file: string): string => file.replace(/-[\w-]{8}(\.\w+)$/, '$1')

self.addEventListener('install', event => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(SHELL)
      const { first, later } = await builtNow()
      const kept = new Set((await cache.keys()).map(pathOf))
      // People who have opened the map before can open it offline after an update, too.
      const opened = new Set([...kept].map(stem))
      const files = [...first, ...later.filter(file => opened.has(stem(file)))]
      await cache.addAll(files.filter(file => !kept.has(file) || !file.startsWith('/assets/')))
      await cache.put('/', await fetch('/index.html', { cache: 'no-store' }))
      for (const file of ['/manifest.webmanifest', '/icons/mark.svg', '/icons/mark-192.png', '/icons/mark-512.png']) await cache.add(file)
      await self.skipWaiting()
    })(),
  )
})

self.addEventListener('activate', event => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(SHELL)
      const built = await builtNow().catch(() => null)
      if (built !== null) {
        const files = new Set([...built.first, ...built.later])
        for (const request of await cache.keys()) {
          const file = pathOf(request)
          if (file.startsWith('/assets/') && !files.has(file)) await cache.delete(request)
        }
      }
      await self.clients.claim()
    })(),
  )
})

/** The page reports that the connection is idle and free: parts that were never opened are fetched too, one by one. */
self.addEventListener('message', event => {
  if (event.data !== 'keep all') return
  event.waitUntil(
    (async () => {
      const cache = await caches.open(SHELL)
      const { later } = await builtNow()
      for (const file of later) if ((await cache.match(file, { ignoreVary: true })) === undefined) await cache.add(file)
    })().catch(() => undefined), // another time
  )
})

const OURS = /^\/(?:sites(?:\/|$)|signed-in$|join$|$)/

self.addEventListener('fetch', event => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (OURS.test(url.pathname)) event.respondWith(page())
    return
  }
  if (url.pathname.startsWith('/assets/') || url.pathname.startsWith('/icons/')) event.respondWith(asset(request))
})

/**
 * The stored app. It is never updated file by file: a new page without its parts would not open offline. A new build has a new worker (its text contains the
 * build's id), which stores all of it before it takes over.
 */
async function page(): Promise<Response> {
  const cache = await caches.open(SHELL)
  return (await cache.match('/')) ?? fetch('/index.html', { cache: 'no-store' })
}

async function asset(request: Request): Promise<Response> {
  const cache = await caches.open(SHELL)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept !== undefined) return kept
  // Offline, the page shows its own message.
  const answer = await fetch(request).catch(() => Response.error())
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

/** A message as the service sends it. */
type Message = { id: string; title: string; body: string; site_id: string | null; tag: string; link: string | null }

self.addEventListener('push', event => {
  event.waitUntil(
    (async () => {
      const message = event.data?.json() as Message | undefined // as the service writes it
      if (message === undefined) return
      await self.registration.showNotification(message.title, {
        body: message.body,
        tag: message.tag,
        icon: '/icons/mark-192.png',
        badge: '/icons/mark-192.png',
        data: { link: message.link, site_id: message.site_id },
      })
    })(),
  )
})

/** Opens the page that the message is about, in an existing window if there is one. Only our own URLs are followed. */
self.addEventListener('notificationclick', event => {
  event.notification.close()
  const { link, site_id } = event.notification.data as { link: string | null; site_id: string | null } // stored this way above
  const to = new URL(link ?? (site_id === null ? '/' : `/sites/${site_id}/notifications`), self.location.origin)
  if (to.origin !== self.location.origin) return
  event.waitUntil(
    (async () => {
      const windows = await self.clients.matchAll({ type: 'window' })
      const open = windows.find(one => new URL(one.url).origin === to.origin)
      if (open === undefined) await self.clients.openWindow(to.href)
      else {
        await open.focus()
        await open.navigate(to.href)
      }
    })(),
  )
})
