import { ROLES } from '../../../base/actor.ts'
import { BANDS, held, superadminOnly } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { mainContractorPeriod, site } from './door.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'sites',
  says: 'Sites: their settings, boundary, members and calendar.',
  routes,
  jobs,
  schedules,
  kinds: [site, mainContractorPeriod],
  notices: {
    kinds: [
      {
        kind: 'site_locked',
        label: 'The site was locked or unlocked',
        group: 'Site',
        urgency: 'attention',
        channels: ['in_app'],
        mandatory: ['in_app'],
        many: 'The site was locked or unlocked {{count}} times',
        on_locked_site: true,
      },
      {
        kind: 'observation_threshold_changed',
        label: 'Threshold for serious observations',
        group: 'Safety',
        urgency: 'info',
        channels: ['in_app'],
        many: '{{count}} changes to the threshold for serious observations',
      },
    ],
    rules: [
      {
        key: 'site_locked',
        event_kind: 'site.locked',
        kind: 'site_locked',
        audience: [{ band: 'read' }],
        channels: ['in_app'],
        title: '{{site_name}} has been locked',
        body: '{{reason}}',
        link: '/sites/{site_id}',
      },
      {
        key: 'site_unlocked',
        event_kind: 'site.unlocked',
        kind: 'site_locked',
        audience: [{ band: 'read' }],
        channels: ['in_app'],
        title: '{{site_name}} has been unlocked',
        body: '{{reason}}',
        link: '/sites/{site_id}',
      },
      {
        key: 'observation_threshold_changed',
        event_kind: 'site.observation_threshold_changed',
        kind: 'observation_threshold_changed',
        audience: [{ band: 'coordinate' }],
        channels: ['in_app'],
        title: 'Threshold for serious observations: {{after}}',
        body: 'Before: {{before}}.',
        link: '/sites/{site_id}/settings',
      },
    ],
  },
  permissions: {
    site_view: held(ROLES, 'See the site, its calendar, its contractors and its permits'),
    member_view: held(
      ROLES.filter(role => role !== 'client'),
      'See the names, roles and contractors of its members',
    ),
    site_create: { roles: [], says: 'Create a site', everyone: settings => settings.site_creation === 'anyone' },
    site_configure: held(
      BANDS.manage,
      'Change address, location, boundary, dates, calendar, shifts, weather limits, observation threshold and label styles',
    ),
    site_administer: held(
      BANDS.administer,
      'Change name, code, time zone, locale, currency, listing, import settings, main contractor and oversight; lock the site',
    ),
    site_delete: held(['admin'], 'Delete a site'),
    site_nuke: superadminOnly('Erase a locked or deleted site'),
  },
  events: [
    ...eventsOf('site', { code: 'Code' }, { created: 'A site was created', nuked: 'A site was erased' }),
    ...eventsOf(
      'site',
      { fields: field.texts('Changed fields') },
      {
        changed: 'A site’s details were changed',
        calendar_changed: 'A site’s working weekdays, holidays, extra working days or time zone were changed',
      },
    ),
    ...eventsOf(
      'site',
      {
        before: field.number('Previous threshold, a risk score; null for none'),
        after: field.number('New threshold, a risk score; null for none'),
        turned_serious: field.texts('Open observations that became serious'),
      },
      { observation_threshold_changed: 'The risk score from which an observation is serious was changed' },
      { sample: { before: 15, after: 12 } },
    ),
    ...eventsOf('site', { reason: 'Reason' }, { locked: 'A site was locked', unlocked: 'A site was unlocked' }),
    ...eventsOf('site', {}, { deleted: 'A site was deleted', restored: 'A deleted site was restored' }),
    ...eventsOf(
      'main_contractor',
      { before: field.id('Previous main contractor'), after: field.id('New main contractor') },
      { changed: 'The main contractor was changed' },
    ),
  ],
})
