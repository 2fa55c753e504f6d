import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** The wallet: people's permits on site, what they sign there, and what is waiting on the phone. */
export const room: WebRoom = {
  name: 'wallet',
  pages: [
    { path: '/wallet', load: () => import('./wallet.tsx') },
    { path: '/scan', load: () => import('./scan.tsx') },
    { path: '/close-out', load: () => import('./round.tsx') },
    { path: '/outbox', load: () => import('./outbox.tsx') },
  ],
  entries: [
    { label: 'nav.wallet', glyph: 'wallet', to: paths.wallet, bar: true },
    { label: 'scan.title', glyph: 'scan', to: paths.scan },
    { label: 'round.title', glyph: 'ok', to: paths.closeOutRound },
    { label: 'outbox.title', glyph: 'clock', to: paths.outbox },
  ],
}
