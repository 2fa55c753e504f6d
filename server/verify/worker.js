// Stores the verify page on the device, so that it opens without a network. It stores only the page and its parts, never a response of the API.
// PARTS_OF_PAGE (its modules and fonts) and VERSION are filled in by mount.ts.
const CACHE = 'walkdown-verify-VERSION'
const PARTS = ['/verify', '/verify/page.js', '/verify/look.js', '/verify/page.css', ...PARTS_OF_PAGE]

self.addEventListener('install', event => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then(cache => cache.addAll(PARTS))
      .then(() => self.skipWaiting()),
  )
})
self.addEventListener('activate', event => {
  event.waitUntil(
    caches
      .keys()
      .then(names =>
        Promise.all(names.filter(name => name.startsWith('walkdown-verify-') && name !== CACHE).map(name => caches.delete(name))),
      )
      .then(() => self.clients.claim()),
  )
})
self.addEventListener('fetch', event => {
  const { pathname } = new URL(event.request.url)
  if (event.request.method !== 'GET' || !PARTS.includes(pathname)) return
  // The network first, so that everyone gets the newest page; the stored one if there is no network.
  event.respondWith(
    fetch(event.request)
      .then(answer => {
        if (answer.ok)
          caches
            .open(CACHE)
            .then(cache => cache.put(pathname, answer.clone()))
            .catch(() => undefined)
        return answer.clone()
      })
      .catch(() => caches.open(CACHE).then(cache => cache.match(pathname))),
  )
})
