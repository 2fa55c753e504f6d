import { ROLES } from '../../base/actor.ts'
import { BANDS, held, superadminOnly } from '../../kernel/access/domain.ts'
import { eventsOf } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { mainContractorPeriod, site } from './door.ts'
import { jobs } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'sites',
  routes,
  jobs,
  kinds: [site, mainContractorPeriod],
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
    ...eventsOf(
      'site',
      {},
      {
        created: 'A site was made',
        changed: 'Fields of a site were changed',
        calendar_changed: 'Weekdays, holidays, extra days or the zone of a site were changed',
        observation_threshold_changed: 'The risk score from which an observation is serious was changed',
        locked: 'A site was frozen',
        unlocked: 'A site was thawed',
        deleted: 'A site was ended',
        restored: 'A deleted site was brought back',
        nuked: 'A site was erased',
      },
    ),
    ...eventsOf('main_contractor', { before: 'Firm until now', after: 'Firm from now on' }, { changed: 'Another firm is in charge' }),
  ],
})
