import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** The wallet: people's permits on site, what they sign there, and what is waiting on the phone. */
export const room: WebRoom = {
  name: 'wallet',
  group: 'today',
  pages: [
    { path: '/wallet', load: () => import('./wallet.tsx'), field: true },
    { path: '/scan', load: () => import('./scan.tsx') },
    { path: '/close-out', load: () => import('./round.tsx') },
    { path: '/outbox', load: () => import('./outbox.tsx') },
  ],
  entries: [
    { label: 'nav.wallet', glyph: 'wallet', to: site => paths.wallet(site), tab: true },
    { label: 'scan.title', glyph: 'scan', to: paths.scan },
    { label: 'round.title', glyph: 'ok', to: paths.closeOutRound },
    { label: 'outbox.title', glyph: 'clock', to: paths.outbox },
  ],
  captures: [
    { label: 'step.hand_back', load: () => import('./parts/hand-back.tsx') },
    { label: 'scan.title', glyph: 'scan', to: paths.scan },
  ],
  // A site gets a new key once a year, or when a person rotates its keys; no event says so, and keys are refetched every hour.
  stale: { wallet: ['permit', 'permit_config', 'permit_appointment'], 'verification-keys': [] },
}
