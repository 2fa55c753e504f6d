import { ROLES } from '../../base/actor.ts'
import { BANDS, held, superadminOnly } from '../../kernel/access/domain.ts'
import { eventsOf, field } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { mainContractorPeriod, site } from './door.ts'
import { jobs } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'sites',
  routes,
  jobs,
  kinds: [site, mainContractorPeriod],
  notices: {
    kinds: [
      {
        kind: 'site_locked',
        label: 'The site is frozen, or free again',
        group: 'Site',
        urgency: 'attention',
        channels: ['in_app'],
        mandatory: ['in_app'],
        many: '{{count}} times the site was frozen or freed',
      },
      {
        kind: 'observation_threshold_changed',
        label: 'From which score an observation is serious',
        group: 'Safety',
        urgency: 'info',
        channels: ['in_app'],
        many: '{{count}} changes of the score from which observations are serious',
      },
    ],
    rules: [
      {
        key: 'site_locked',
        event_kind: 'site.locked',
        kind: 'site_locked',
        audience: [{ band: 'read' }],
        channels: ['in_app'],
        title: '{{site_name}} is frozen: nothing can be changed',
        body: '{{reason}}',
        link: '/sites/{site_id}',
      },
      {
        key: 'site_unlocked',
        event_kind: 'site.unlocked',
        kind: 'site_locked',
        audience: [{ band: 'read' }],
        channels: ['in_app'],
        title: '{{site_name}} is free again',
        body: '{{reason}}',
        link: '/sites/{site_id}',
      },
      {
        key: 'observation_threshold_changed',
        event_kind: 'site.observation_threshold_changed',
        kind: 'observation_threshold_changed',
        audience: [{ band: 'coordinate' }],
        channels: ['in_app'],
        title: 'Observations are serious from a risk score of {{after}}',
        body: 'Until now from {{before}}.',
        link: '/sites/{site_id}/settings',
      },
    ],
  },
  permissions: {
    site_view: held(ROLES, 'See the site, its calendar, weather, alerts and analysis'),
    member_view: held(
      ROLES.filter(role => role !== 'client'),
      'See names, roles and firms of its members',
    ),
    site_create: { roles: [], says: 'Make a site', everyone: settings => settings.site_creation === 'anyone' },
    site_configure: held(BANDS.manage, 'Address, location, boundary, dates, calendar, shifts, weather limits, label styles'),
    site_administer: held(
      BANDS.administer,
      'Name, code, time zone, locale, currency, listing, import settings, main contractor, oversight, lock',
    ),
    site_delete: held(['admin'], 'End a site'),
    site_nuke: superadminOnly('Erase a site'),
  },
  events: [
    ...eventsOf('site', { code: 'Code' }, { created: 'A site was made', nuked: 'A site was erased' }),
    ...eventsOf(
      'site',
      { fields: field.texts('What was changed') },
      {
        changed: 'Fields of a site were changed',
        calendar_changed: 'Weekdays, holidays, extra days or the zone of a site were changed',
      },
    ),
    ...eventsOf(
      'site',
      {
        before: field.number('Risk score until now; null: none was serious'),
        after: field.number('Risk score from now on; null: none is serious'),
        turned_serious: field.texts('Open observations that became serious by it'),
      },
      { observation_threshold_changed: 'The risk score from which an observation is serious was changed' },
      { sample: { before: 15, after: 12 } },
    ),
    ...eventsOf('site', { reason: 'Reason' }, { locked: 'A site was frozen', unlocked: 'A site was thawed' }),
    ...eventsOf('site', {}, { deleted: 'A site was ended', restored: 'A deleted site was brought back' }),
    ...eventsOf(
      'main_contractor',
      { before: field.id('Firm until now'), after: field.id('Firm from now on') },
      { changed: 'Another firm is in charge' },
    ),
  ],
})
