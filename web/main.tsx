import '@fontsource/ibm-plex-sans/latin-400.css'
import '@fontsource/ibm-plex-sans/latin-500.css'
import '@fontsource/ibm-plex-sans/latin-600.css'
import '@fontsource/ibm-plex-mono/latin-400.css'
import '@fontsource/ibm-plex-mono/latin-500.css'
import './base/theme/fonts.css'
import './base/theme/tokens.gen.css'
import './base/theme/base.css'
import './base/kit/kit.css'
import './shell/shell.css'
import './rooms/permits/permits/permits.css'
import './base/theme/print.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { keepAhead } from './base/ahead.ts'
import { recallUser } from './base/auth.ts'
import { loadConfig } from './base/config.ts'
import { applyLooks } from './base/looks.ts'
import { partMissing } from './base/newer.ts'
import { queries } from './base/query.ts'
import { setLocale } from './base/words.ts'
import { begin, foresee } from './shell/begin.ts'
import { router } from './shell/router.tsx'

applyLooks()
setLocale(new URLSearchParams(location.search).get('locale') === 'qps' || localStorage.getItem('walkdown.locale') === 'qps' ? 'qps' : 'en')
// Parts that aren't components, such as the tools for drawing, are missing without a place where the page could say so.
addEventListener('vite:preloadError', () => void partMissing())
await loadConfig()
// Its parts load while the stored data is read; if one fails, the page itself reports it.
const page = router.load().catch(() => undefined)
if (location.pathname !== '/signed-in') {
  recallUser()
  await begin()
  await foresee()
}
await page
const place = document.getElementById('app')
if (place === null) throw new Error('index.html has no place for the app.')
const app = createRoot(place)
// The app is drawn piece by piece, so that taps are handled in between.
startTransition(() =>
  app.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
)
// The service worker fetches the whole app; it starts once the first screen has had the connection to itself.
const WORKER_AFTER_MS = 2000
if ('serviceWorker' in navigator && import.meta.env.PROD) {
  setTimeout(() => void navigator.serviceWorker.register('/sw.js'), navigator.serviceWorker.controller === null ? WORKER_AFTER_MS : 0)
  keepAhead(navigator.serviceWorker, navigator.connection)
}
