import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Settings: permit types, issuers, policy and regime of the site. */
export const room: WebRoom = {
  name: 'settings',
  group: 'site',
  pages: [
    { path: '/settings', load: () => import('./settings.tsx') },
    { path: '/settings/$part', load: () => import('./settings.tsx') },
  ],
  outside: [{ path: '/sites/new', load: () => import('./site/new-site.tsx') }],
  entries: [
    {
      label: 'nav.settings',
      glyph: 'settings',
      to: site => paths.settings(site),
      when: here => here.can('permit_settings_manage') || here.can('site_configure'),
      tab: true,
    },
  ],
  stale: { settings: ['permit_type', 'permit_config', 'permit_appointment'], 'settings site': ['site'] },
  office: true,
}
