import { paths } from '../../base/paths.ts'
import type { WebRoom } from '../../base/room.ts'

/** What people carry on site: their permits, what they sign there, and what waits on the phone. */
export const room: WebRoom = {
  name: 'wallet',
  pages: [{ path: '/wallet', load: () => import('./wallet.tsx') }],
  entries: [{ label: 'nav.wallet', glyph: 'wallet', to: paths.wallet, bar: true }],
}
