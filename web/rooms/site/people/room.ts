import { paths } from '../../../base/paths.ts'
import type { WebRoom } from '../../../base/room.ts'

/** People and contractors of the site: members, membership requests and invitations. */
export const room: WebRoom = {
  name: 'people',
  group: 'site',
  pages: [
    { path: '/members', load: () => import('./members.tsx'), needs: { permission: 'member_view', says: 'closed.members' } },
    { path: '/contractors', load: () => import('./contractors.tsx') },
  ],
  entries: [
    {
      label: 'nav.people',
      glyph: 'people',
      to: paths.members,
      when: here => here.can('member_manage') || here.can('member_invite') || here.can('contractor_edit'),
      tab: true,
    },
    { label: 'people.contractors', glyph: 'site', to: paths.contractors, tab: true },
  ],
  stale: { people: ['permit_appointment', 'membership', 'invite'] },
  office: true,
}
