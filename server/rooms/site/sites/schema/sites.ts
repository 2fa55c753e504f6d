import { ROLES } from '../../../../base/actor.ts'
import {
  changedSince,
  flag,
  flags,
  geometry,
  id,
  instant,
  integer,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  optionals,
  orNull,
  Point,
  paging,
  partial,
  ref,
  type Static,
  shape,
  text,
  workDate,
} from '../../../../base/schema.ts'
import { SettingsChange, SiteSettings } from './settings.ts'

export const role = (description: string) => oneOf(ROLES, description, { example: 'coordinator' })

const Day = object({ date: workDate('Site day'), name: text('Name', { max: 100, example: 'Good Friday' }) })

const WeatherLimit = object({
  key: text('Key', {
    max: 40,
    pattern: ['^[a-z0-9_]{1,40}$', 'can contain only the letters a to z, digits and underscores.'],
    example: 'tower_crane',
  }),
  label: text('Name', { max: 100, example: 'Tower crane' }),
  activity: text('Activity that the limit applies to', { max: 40, example: 'lifting' }),
  metric: text('Field of an hour that the limit is compared with, or gust_at_height_m_s, wind_at_height_m_s, precipitation_24h_mm or ice', {
    max: 40,
    example: 'gust_at_height_m_s',
  }),
  op: oneOf(['gte', 'lte', 'in'], 'Operator; in only for weather_code: codes from the limit up to 99'),
  caution: orNull(number('Limit for a caution, in the unit of the metric; null for none')),
  stop: orNull(number('Limit at which work stops, in the unit of the metric; null for none')),
  height_m: optional(orNull(number('Height at which the wind is measured, metres; null if unknown', { min: 0, max: 1000 }))),
  enabled: flag('Whether the limit applies', { example: true }),
})

const editable = {
  name: name('Site name', { example: 'Riverside Quarter' }),
  code: text('Short code, unique in the installation; shown on documents, and typed to confirm erasing the site', {
    min: 2,
    max: 12,
    pattern: ['^[A-Z0-9-]{2,12}$', 'can contain only capital letters from A to Z, digits and hyphens.'],
    example: 'RIV-1',
  }),
  timezone: text('IANA time zone', { min: 1, max: 60, example: 'Europe/London' }),
  address_lines: list(text('Line', { max: 200, example: '1 Quay Street' }), 'Address', { max: 6 }),
  locality: orNull(text('Town; null if none is set', { max: 200, example: 'London' })),
  postal_code: orNull(text('Postal code; null if none is set', { max: 20, example: 'SE1 9PP' })),
  country_code: orNull(
    text('Country code, ISO 3166-1 alpha-2; null if none is set', {
      max: 2,
      pattern: ['^[A-Z]{2}$', 'must be two capital letters, such as GB.'],
      example: 'GB',
    }),
  ),
  location: orNull(ref(Point, 'Site location; default: the centre of the boundary; null if neither is set')),
  locale: text('Locale in which notifications write dates and times, as a BCP 47 tag', { min: 2, max: 35, example: 'en-GB' }),
  currency: text('Currency, ISO 4217', {
    min: 3,
    max: 3,
    pattern: ['^[A-Z]{3}$', 'must be three capital letters, such as GBP.'],
    example: 'GBP',
  }),
  starts_on: orNull(workDate('First day of work; null if none is set')),
  planned_finish_on: orNull(workDate('Planned last day; null if none is set')),
  work_weekdays: orNull(
    list(integer('ISO weekday, 1 is Monday', { min: 1, max: 7 }), 'Working weekdays; null for Monday to Friday', { max: 7, unique: true }),
  ),
  holidays: list(Day, 'Non-working days, such as public holidays', { max: 400 }),
  extra_work_dates: list(Day, 'Extra working days', { max: 400 }),
  terrain: oneOf(['open', 'suburban', 'urban'], 'Terrain around the site'),
  weather_limits: list(WeatherLimit, 'Weather limits by activity', { max: 50 }),
  emergency_phone: orNull(text('Emergency phone number of the site; null if none is set', { max: 60, example: '+44 20 7946 0999' })),
  settings: SiteSettings,
  public_listing: flag('Whether people who aren’t signed in can see the site’s name, code, town, country, time zone and main contractor'),
}

const MainContractor = object({
  contractor_id: id('Contractor'),
  from: instant('Start'),
  to: orNull(instant('End (exclusive); null for the current main contractor')),
})

const Pair = object({ overseer_id: id('Overseeing contractor'), subordinate_id: id('Overseen contractor') })

export const SITE_ACTIONS = ['configure', 'administer', 'lock', 'unlock', 'delete', 'nuke', 'invite', 'manage_members'] as const

export const Site = shape('Site', 'A construction site', {
  id: id('Site'),
  ...editable,
  boundary_area_m2: orNull(number('Area inside the boundary, square metres; null without a boundary', { min: 0 })),
  main_contractor_id: orNull(id('Site’s main contractor; null if none is set')),
  main_contractors: list(MainContractor, 'Main contractors over time, newest first', { max: 200 }),
  oversight_transitive: flag('Whether contractors also oversee their subcontractors’ subcontractors'),
  observation_threshold: orNull(
    integer('Risk score from which an observation is serious; null for never', { min: 1, max: 25, example: 15 }),
  ),
  locked_at: orNull(instant('Time of the lock; null if the site isn’t locked')),
  locked_by: orNull(id('Person who locked the site; null if the site isn’t locked')),
  locked_by_name: orNull(
    text('Name of that person; null if the site isn’t locked, or they are unknown', { max: 200, example: 'Ana Ruiz' }),
  ),
  lock_reason: orNull(text('Reason for the lock; null if the site isn’t locked')),
  deleted_at: orNull(instant('Deletion time; null if the site isn’t deleted')),
  status: oneOf(['open', 'locked', 'deleted'], 'State'),
  today: workDate('Current site day'),
  my_role: orNull(role('Caller’s role; null if the caller isn’t a member')),
  needs_attention: list(
    text('Name of the rule, and why'),
    'Rules that were copied from another site and are switched off, because they refer to what only that site has',
    {
      max: 500,
    },
  ),
  permissions: flags(SITE_ACTIONS, { nuke: 'erase the site' }),
  counts: optional(
    object({
      live_permits: integer('Number of permits that are live or expired'),
      open_alerts: integer('Number of active alerts'),
      members: integer('Number of active members'),
    }),
  ),
  rederived: optional(integer('Number of future occurrences of schedules that were moved or removed because of the new time zone')),
  live_permits: optional(
    list(
      text('Number', { max: 100, example: 'PTW-000123' }),
      'Permits, other than imported ones, that were live or expired when the lock was forced',
      {
        max: 10_000,
      },
    ),
  ),
  turned_serious: optional(list(id('Observation'), 'Observations that became serious', { max: 10_000 })),
  pairs_added: optional(list(Pair, 'Oversight pairs that were added', { max: 100_000 })),
  pairs_removed: optional(list(Pair, 'Oversight pairs that were removed', { max: 100_000 })),
  version: integer('Version'),
  created_at: instant('Creation time'),
  updated_at: instant('Time of the last change'),
})

const { name: siteName, timezone, ...others } = editable
export const NewSite = shape('NewSite', 'A site to create', {
  name: siteName,
  timezone,
  ...optionals(others),
  boundary: optional(orNull(geometry('Polygon or MultiPolygon; null for none'))),
  copy_from_site_id: optional(orNull(id('Site whose configuration is copied; null for none'))),
})

export const SiteChange = partial('SiteChange', 'Changes to a site; all are refused if the caller can’t change one of the fields', {
  ...editable,
  settings: SettingsChange,
  deleted: flag('Whether the site is deleted; a superadmin can send false to restore a deleted site, and true isn’t accepted'),
})

export const LockSite = shape('LockSite', 'Whether to lock or unlock a site, and why', {
  locked: flag('Whether the site becomes locked (true) or unlocked (false)'),
  reason: text('Reason; the notification contains it', { min: 1, max: 1000, example: 'Handed over to the client' }),
  force: optional(flag('Whether to lock even if permits are live or expired and not closed out; the response lists these permits')),
})
export const SetMainContractor = shape('SetMainContractor', 'The new main contractor', {
  contractor_id: orNull(id('Contractor; null for none')),
})
export const SetThreshold = shape('SetThreshold', 'Risk score from which an observation is serious', {
  risk_score: orNull(integer('Risk score, 1 to 25; null means never', { min: 1, max: 25, example: 15 })),
})
export const SetTransitive = shape('SetTransitive', 'Whether contractors also oversee their subcontractors’ subcontractors', {
  oversight_transitive: flag('Whether contractors also oversee their subcontractors’ subcontractors'),
})
export const NukeSite = shape('NukeSite', 'Erasure of a site', {
  confirm: text('Site code, typed as confirmation', { max: 12, example: 'RIV-1' }),
  reason: text('Reason', { min: 1, max: 1000 }),
  override_retention: optional(flag('Whether to erase even if records are within their legal retention period')),
})

export const SiteFilter = object({
  q: optional(text('Text to search for in names, codes and towns', { max: 200, example: 'river' })),
  status: optional(list(oneOf(['open', 'locked', 'deleted'], 'State'), 'States', { max: 3 })),
  id: optional(list(id('Site'), 'Ids', { max: 500 })),
  bbox: optional(text('Bounding box: minlon,minlat,maxlon,maxlat', { max: 100, example: '-0.1,51.4,0.1,51.6' })),
  include_deleted: optional(flag('Whether to include deleted sites, which only superadmins can see')),
  include: optional(list(oneOf(['counts'], 'Field'), 'Optional fields to include', { max: 1 })),
  ...changedSince,
  ...paging,
})

export const Boundary = shape('Boundary', 'Site boundary', {
  geometry: orNull(geometry('Polygon or MultiPolygon; null without a boundary')),
  area_m2: orNull(number('Area, square metres; null without a boundary', { min: 0 })),
  centre: orNull(ref(Point, 'Centre; null without a boundary')),
  updated_at: orNull(instant('Time of the boundary’s last change; null if no boundary was ever set')),
  outside: optional(
    object({
      features: integer('Number of reference features now more than 2 km outside the boundary'),
      tokens: integer('Number of tokens now more than 2 km outside the boundary'),
    }),
  ),
})
export const NewBoundary = shape('NewBoundary', 'A new boundary', { geometry: geometry('Polygon or MultiPolygon, at most 25 km²') })

export const FoundPlace = shape('FoundPlace', 'A place that was found by its address', {
  name: text('Address as the geocoder writes it', { max: 500, example: '1 Quay Street, London, SE1 9PP, United Kingdom' }),
  point: ref(Point, 'Location'),
})
export const GeocodeQuery = object({ q: text('Address', { min: 3, max: 200, example: '1 Quay Street, London' }) })

export type NewSite = Static<typeof NewSite>
export type SiteChange = Static<typeof SiteChange>
export type SiteFilter = Static<typeof SiteFilter>
