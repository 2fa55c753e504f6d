import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Alerts: what everyone must know now, at a place. The map shows them, and so does a banner on every page. */
export const room: WebRoom = {
  name: 'alerts',
  group: 'today',
  pages: [{ path: '/alerts', load: () => import('./alerts.tsx'), field: true }],
  entries: [{ label: 'alert.title', glyph: 'warning', to: site => paths.alerts(site), tab: true }],
  captures: [
    {
      label: 'alert.raise',
      glyph: 'warning',
      to: site => paths.map(site, { add: 'alert' }),
      when: here => here.canChange('alert_raise'),
    },
  ],
  // A permit says when an alert stops its work.
  stale: { alerts: ['alert'], permits: ['alert'], permit: ['alert'], wallet: ['alert'] },
}
