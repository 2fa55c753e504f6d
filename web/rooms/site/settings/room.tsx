import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** Settings: permit types, issuers, policy and regime of the site. */
export const room: WebRoom = {
  name: 'settings',
  pages: [
    { path: '/settings', load: () => import('./settings.tsx') },
    { path: '/settings/$part', load: () => import('./settings.tsx') },
  ],
  entries: [
    {
      label: 'nav.settings',
      glyph: 'settings',
      to: site => paths.settings(site),
      when: here => here.can('permit_settings_manage') || here.can('site_configure'),
      bar: true,
    },
  ],
}
