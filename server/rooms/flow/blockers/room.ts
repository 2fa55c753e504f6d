import { BLOCKER_CATEGORIES, EFFECTS } from '../../../../shared/blockers.ts'
import { isOneOf } from '../../../../shared/narrow.ts'
import { BANDS, held } from '../../../kernel/access/domain.ts'
import { actsForAny, oversightOn } from '../../../kernel/access/door.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import type { NoticePlugs } from '../../../kernel/notices/door.ts'
import { rowUse, tableRow } from '../../../kernel/records/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { blocker, blockerEntry } from './door.ts'
import { entriesOf } from './queries.ts'
import { routes } from './routes.ts'

const SEE_ALL = [...BANDS.coordinate, 'commercial', 'viewer'] as const
const link = '/sites/{site_id}/clashes?blocker={subject_id}'

const notices: Partial<NoticePlugs> = {
  kinds: [
    {
      kind: 'blocker_against_you',
      label: 'Work that has stopped, and that you can clear',
      group: 'Flow of work',
      urgency: 'attention',
      channels: ['in_app', 'email'],
      many: '{{count}} blockers that you can clear',
      moot_after: ['blocker.resolved', 'blocker.deleted'],
    },
    {
      kind: 'blocker_moved',
      label: 'Changes of blockers of your work',
      group: 'Flow of work',
      urgency: 'attention',
      channels: ['in_app'],
      many: '{{count}} changes of blockers',
    },
  ],
  rules: [
    {
      key: 'blocker_against_you',
      event_kind: 'blocker.declared',
      kind: 'blocker_against_you',
      audience: [{ contractor: 'responsible' }],
      channels: ['in_app', 'email'],
      title: 'Blocker for you to clear: {{subject_label}}',
      body: 'Another contractor says that you can clear what stops or slows their work. Open it to see what it is.',
      link,
      may_reach_nobody: true,
    },
    {
      key: 'blocker_moved:resolved',
      event_kind: 'blocker.resolved',
      kind: 'blocker_moved',
      audience: [{ contractor: 'affected' }, { named: 'author' }],
      channels: ['in_app'],
      title: 'Work goes on again: {{subject_label}}',
      body: 'What stopped or slowed it was cleared.',
      link,
      may_reach_nobody: true,
    },
  ],
  sights: [
    {
      subject_kind: 'blocker',
      async among(ctx, site_id, subject_id, people) {
        const row = await tableRow(ctx.db, 'blocker', site_id, subject_id, false)
        if (row === null) return new Set()
        const entries = await entriesOf(ctx.db, site_id, [subject_id])
        const parties = new Set([row.responsible_contractor_id, ...entries.map(entry => entry.contractor_id)])
        const between = await oversightOn(ctx, site_id)
        return new Set(
          people
            .filter(one => isOneOf(SEE_ALL, one.role) || (one.role !== 'client' && actsForAny(one, between, parties)))
            .map(one => one.user_id),
        )
      },
    },
  ],
}

export const room = defineRoom({
  name: 'blockers',
  says: 'Blockers: what stops or slows work that people are here to do, whose work it is, and who can clear it.',
  routes,
  kinds: [blocker, blockerEntry],
  uses: [
    rowUse({ of: 'contractor', name: 'blockers', when: 'ever' }, 'blocker_entry', 'contractor_id'),
    rowUse({ of: 'contractor', name: 'blockers_to_clear', when: 'ever' }, 'blocker', 'responsible_contractor_id'),
  ],
  permissions: {
    blocker_view: held([...SEE_ALL, 'member', 'contractor_hse'], 'See the blockers of their contractor'),
    blocker_view_any: held(SEE_ALL, 'See the blockers of every contractor'),
    blocker_declare: held(BANDS.contribute, 'Say that work of their contractor has stopped, and that it goes on again'),
    blocker_manage: held(BANDS.coordinate, 'Say for every contractor that work has stopped, and that it goes on again'),
    blocker_archive: held(BANDS.manage, 'Delete blockers of other people'),
  },
  events: eventsOf(
    'blocker',
    {
      blocker_id: 'Blocker',
      category: field.text('Category of the cause', BLOCKER_CATEGORIES),
      effect: field.text('What it means for the work', EFFECTS),
      permit_ids: 'Permits that were named, and those that cover the work that was',
      affected_contractor_ids: 'Contractors whose work it stops',
      responsible_contractor_id: 'Contractor that can clear it; null if it isn’t known',
      declared_by_id: 'Person who declared it',
      started_at: 'Start of the stop',
      still_stopped: field.flag('Work is still stopped', 'Work goes on again'),
    },
    {
      declared: 'Someone declared that work has stopped',
      affected_changed: 'Another contractor’s work has stopped for the same reason',
      resolved: 'What stopped work was cleared',
      deleted: 'A blocker was deleted',
    },
    {
      identities: { author: 'declared_by_id' },
      contractors: { affected: 'affected_contractor_ids', responsible: 'responsible_contractor_id' },
    },
  ),
  notices,
})
