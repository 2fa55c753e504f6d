import { ROLES } from '../../base/actor.ts'
import {
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
  orNull,
  Point,
  paging,
  partial,
  record,
  ref,
  type Static,
  shape,
  text,
  wallTime,
  workDate,
} from '../../base/schema.ts'

const role = (description: string) => oneOf(ROLES, description, { example: 'coordinator' })

const Day = object({ date: workDate('Site day'), name: text('What it is called', { max: 100, example: 'Good Friday' }) })

const WeatherLimit = object({
  key: text('Key', { max: 40, pattern: '^[a-z0-9_]{1,40}$', example: 'tower_crane' }),
  label: text('What it is called', { max: 100, example: 'Tower crane' }),
  activity: text('Activity that it concerns', { max: 40, example: 'lifting' }),
  metric: text('Metric of the hour that is compared', { max: 40, example: 'gust_at_height_m_s' }),
  op: oneOf(['gte', 'lte', 'in'], 'How it is compared'),
  caution: orNull(number('From here with care')),
  stop: orNull(number('From here not at all')),
  height_m: optional(orNull(number('Height for wind, metres', { min: 0, max: 1000 }))),
  enabled: flag('In use', { example: true }),
})

export const SiteSettings = object(
  {
    diary: optional(
      object({
        period: optional(oneOf(['day', 'week'], 'What one diary covers')),
        week_ends_on: optional(integer('ISO weekday on which a diary week ends', { min: 1, max: 7 })),
        issue_time: optional(wallTime('When it is issued, site time')),
        hidden_sections: optional(list(text('Section', { max: 60 }), 'Sections left out', { max: 50 })),
      }),
    ),
    documents_may_leave: optional(flag('Whether a file may go to a reader outside of the service')),
    date_order: optional(
      orNull(oneOf(['dmy', 'mdy', 'ymd'], 'How dates in text are read by imports; unset: day first in permit registers')),
    ),
    import_headers: optional(
      record(
        record(list(text('Header', { max: 200, example: 'Permit Ref' }), 'Further header names', { max: 50 }), 'By field'),
        'Further header names of spreadsheets, by import format',
      ),
    ),
  },
  'Settings of the site; what is unset has its default',
)

const editable = {
  name: name('Name of the site', { example: 'Riverside Quarter' }),
  code: text('Short code, unique in the installation; used in file names and to confirm a nuke', {
    min: 2,
    max: 12,
    pattern: '^[A-Z0-9-]{2,12}$',
    example: 'RIV-1',
  }),
  timezone: text('Time zone of the IANA database', { min: 1, max: 60, example: 'Europe/London' }),
  address_lines: list(text('Line', { max: 200, example: '1 Quay Street' }), 'Address', { max: 6 }),
  locality: orNull(text('Town', { max: 200, example: 'London' })),
  postal_code: orNull(text('Postal code', { max: 20, example: 'SE1 9PP' })),
  country_code: orNull(text('ISO 3166-1 alpha-2', { max: 2, pattern: '^[A-Z]{2}$', example: 'GB' })),
  location: orNull(ref(Point, 'Where the site is; default the centre of its boundary')),
  locale: text('BCP 47, for documents and mails', { min: 2, max: 35, example: 'en-GB' }),
  currency: text('ISO 4217', { min: 3, max: 3, pattern: '^[A-Z]{3}$', example: 'GBP' }),
  starts_on: orNull(workDate('First day of work')),
  planned_finish_on: orNull(workDate('Planned last day')),
  work_weekdays: orNull(
    list(integer('ISO weekday, 1 is Monday', { min: 1, max: 7 }), 'Working weekdays; null is Monday to Friday', { max: 7, unique: true }),
  ),
  holidays: list(Day, 'Days without work', { max: 400 }),
  extra_work_dates: list(Day, 'Days worked although they would be free', { max: 400 }),
  terrain: oneOf(['open', 'suburban', 'urban'], 'Ground around the site, for wind at height'),
  weather_limits: list(WeatherLimit, 'Limits of the weather by activity', { max: 50 }),
  emergency_phone: orNull(text('Shown on capture pages, alerts and incident forms', { max: 60, example: '+44 20 7946 0999' })),
  settings: SiteSettings,
  public_listing: flag('Whether strangers may see its name'),
}

const MainContractor = object({
  contractor_id: id('Firm'),
  from: instant('From'),
  to: orNull(instant('Until (exclusive); null: now')),
})

const Pair = object({ overseer_id: id('Firm that oversees'), subordinate_id: id('Firm that is overseen') })

export const SITE_ACTIONS = ['configure', 'administer', 'lock', 'unlock', 'delete', 'nuke', 'invite', 'manage_members'] as const

export const Site = shape('Site', 'A construction site', {
  id: id('Site'),
  ...editable,
  boundary_area_m2: orNull(number('Area inside the boundary, square metres', { min: 0 })),
  main_contractor_id: orNull(id('Firm in charge of the site')),
  main_contractors: list(MainContractor, 'Who was in charge when, newest first', { max: 200 }),
  oversight_transitive: flag('Whether oversight counts through chains'),
  observation_threshold: orNull(integer('Risk score from which an observation is serious; null: never', { min: 1, max: 25, example: 15 })),
  locked_at: orNull(instant('Since when it is a frozen record')),
  locked_by: orNull(id('Who locked it')),
  lock_reason: orNull(text('Why')),
  deleted_at: orNull(instant('When it was deleted')),
  status: oneOf(['open', 'locked', 'deleted'], 'State'),
  today: workDate('Site day now'),
  my_role: orNull(role('Role of the caller')),
  needs_attention: list(text('What was copied and is switched off'), 'What arrived from a copied site switched off', { max: 500 }),
  permissions: flags(SITE_ACTIONS),
  counts: optional(
    object({
      live_permits: integer('Issued or expired permits'),
      open_alerts: integer('Alerts in force'),
      members: integer('Active members'),
    }),
  ),
  rederived: optional(integer('Future occurrences whose instants the new time zone moved')),
  live_permits: optional(
    list(text('Number', { max: 100, example: 'PTW-000123' }), 'Permits that were live when the lock was forced', { max: 10_000 }),
  ),
  turned_serious: optional(list(id('Observation'), 'Observations that the new threshold made serious', { max: 10_000 })),
  pairs_added: optional(list(Pair, 'Derived pairs that the switch made', { max: 100_000 })),
  pairs_removed: optional(list(Pair, 'Derived pairs that the switch took', { max: 100_000 })),
  version: integer('Version'),
  created_at: instant('When it was made'),
  updated_at: instant('When it was last changed'),
})

const { name: siteName, timezone, ...others } = editable
export const NewSite = shape('NewSite', 'A site to be made', {
  name: siteName,
  timezone,
  ...(Object.fromEntries(Object.entries(others).map(([key, schema]) => [key, optional(schema)])) as {
    [K in keyof typeof others]: ReturnType<typeof optional<(typeof others)[K]>>
  }),
  boundary: optional(orNull(geometry('Polygon or MultiPolygon'))),
  copy_from_site_id: optional(orNull(id('Site whose configuration it takes'))),
})

export const SiteChange = partial('SiteChange', 'Changes of a site; one forbidden field refuses all', {
  ...editable,
  deleted: flag('false restores a deleted site (superadmin)'),
})

export const LockSite = shape('LockSite', 'Freeze or thaw a site', {
  locked: flag('true freezes'),
  reason: text('Why; everybody is told', { min: 1, max: 1000, example: 'Handed over to the client' }),
  force: optional(flag('Lock although permits are live; the answer names them')),
})
export const SetMainContractor = shape('SetMainContractor', 'Who is in charge from now on', {
  contractor_id: orNull(id('Firm; null: nobody')),
})
export const SetThreshold = shape('SetThreshold', 'From which risk score an observation is serious', {
  risk_score: orNull(integer('1 to 25; null: never', { min: 1, max: 25, example: 15 })),
})
export const SetTransitive = shape('SetTransitive', 'Whether oversight counts through chains', {
  oversight_transitive: flag('Through chains'),
})
export const NukeSite = shape('NukeSite', 'Erase a site', {
  confirm: text('The site’s code, typed', { max: 12, example: 'RIV-1' }),
  reason: text('Why', { min: 1, max: 1000 }),
  override_retention: optional(flag('Although the law still wants some of it kept')),
})

export const SiteFilter = object({
  q: optional(text('Text in name, code or town', { max: 200, example: 'river' })),
  status: optional(list(oneOf(['open', 'locked', 'deleted'], 'State'), 'States', { max: 3 })),
  id: optional(list(id('Site'), 'Only these', { max: 500 })),
  bbox: optional(text('minlon,minlat,maxlon,maxlat', { max: 100, example: '-0.1,51.4,0.1,51.6' })),
  include_deleted: optional(flag('Deleted ones too (superadmin)')),
  include: optional(list(oneOf(['counts'], 'What else'), 'What else to show', { max: 1 })),
  ...paging,
})

export const Boundary = shape('Boundary', 'Ground of a site', {
  geometry: orNull(geometry('Polygon or MultiPolygon; null when none is set')),
  area_m2: orNull(number('Square metres', { min: 0 })),
  centre: orNull(ref(Point, 'Its centre')),
  updated_at: orNull(instant('When it was last set')),
  outside: optional(
    object({ features: integer('Reference features now over 2 km outside'), tokens: integer('Tokens now over 2 km outside') }),
  ),
})
export const NewBoundary = shape('NewBoundary', 'The whole boundary', { geometry: geometry('Polygon or MultiPolygon, at most 25 km²') })

export const FoundPlace = shape('FoundPlace', 'A place that was found by its address', {
  name: text('Address as the geocoder writes it', { max: 500, example: '1 Quay Street, London, SE1 9PP, United Kingdom' }),
  point: ref(Point, 'Where it is'),
})
export const GeocodeQuery = object({ q: text('Address', { min: 3, max: 200, example: '1 Quay Street, London' }) })

export const Member = shape('Member', 'Somebody on the site', {
  membership_id: id('Membership'),
  user_id: id('Person'),
  name: text('Name', { max: 200, example: 'Ana Ruiz' }),
  initials: text('Initials', { max: 4, example: 'AR' }),
  role: role('Role'),
  rank: integer('Rank of the role', { min: 0, max: 4 }),
  contractor_id: orNull(id('Firm')),
  status: oneOf(['pending', 'active', 'ended'], 'State of the membership'),
  since: instant('Since when'),
  email: optional(orNull(text('Address, for who manages members', { max: 320, example: 'ana@example.com' }))),
})
export const MemberFilter = object({
  role: optional(list(role('Role'), 'Roles', { max: 9 })),
  contractor_id: optional(list(id('Firm'), 'Firms', { max: 200 })),
  status: optional(list(oneOf(['pending', 'active', 'ended'], 'State'), 'States; default active', { max: 3 })),
  can: optional(text('Name of a permission: who may do this', { max: 60, pattern: '^[a-z0-9_]+$', example: 'permit_approve_stage1' })),
  id: optional(list(id('Person'), 'Only these people', { max: 200 })),
  q: optional(text('Text in the name', { max: 200 })),
  ...paging,
})

export const SnapshotRevision = shape('SnapshotRevision', 'What of the map picture is how new', {
  revision: integer('Rises with each write that changes the picture'),
  layers: object({
    reference: integer('Areas, buildings, zones, boundary'),
    areas: integer('Active areas'),
    tokens: integer('Workers, plant, deliveries'),
    annotations: integer('Labels, points of interest, alerts'),
    plans: integer('Floor plans'),
    site_map: integer('Site map'),
    overlays: integer('Geodata'),
  }),
})

const Stretch = object({
  shift_id: orNull(id('Shift')),
  name: text('Shift', { max: 60, example: 'Day' }),
  start_at: instant('Begin'),
  end_at: instant('End'),
})
export const WorkingPeriod = shape('WorkingPeriod', 'The working day at an instant', {
  work_date: workDate('Site day on which the running shift began; else the calendar day'),
  working_day: flag('Whether it is a working day'),
  because: oneOf(['weekday', 'weekend', 'holiday', 'extra'], 'Why'),
  name: optional(text('Name of the holiday or extra day', { max: 100 })),
  state: oneOf(['before', 'working', 'break', 'between', 'after', 'none'], 'Where the instant lies in it'),
  start_at: orNull(instant('Begin of the first shift')),
  end_at: orNull(instant('End of the last shift')),
  intervals: list(Stretch, 'Working time, breaks taken out', { max: 200 }),
  working_minutes: integer('Sum of it, minutes'),
  previous_work_date: orNull(workDate('Working day before')),
  next_work_date: orNull(workDate('Working day after')),
})
export const PeriodQuery = object({
  at: optional(instant('Instant; default now')),
  work_date: optional(workDate('Or a site day')),
  contractor_id: optional(id('By the shifts of this firm')),
})

export const PublicSite = shape('PublicSite', 'A site as strangers see it', {
  id: id('Site'),
  code: text('Code', { max: 12, example: 'RIV-1' }),
  name: text('Name', { max: 200, example: 'Riverside Quarter' }),
  locality: orNull(text('Town', { max: 200 })),
  country_code: orNull(text('Country', { max: 2, example: 'GB' })),
  timezone: text('Time zone of the site', { max: 60, example: 'Europe/London' }),
  main_contractor: orNull(object({ name: text('Name', { max: 500 }), colour: text('#rrggbb', { max: 7, example: '#128189' }) })),
  invite: optional(
    object({
      inviter_name: orNull(text('Name of the inviter; null after they were erased', { max: 200, example: 'Max Manager' })),
      kind: oneOf(['email', 'link'], 'Kind of invitation'),
      role: role('Role that it gives'),
      contractor_name: orNull(text('Firm', { max: 500 })),
      contractor_choice: flag('The person picks the firm'),
      approval: oneOf(['none', 'required'], 'Whether somebody must approve'),
      expires_at: instant('Until when'),
      email_masked: orNull(text('Address it was sent to, masked', { max: 320, example: 'a***@example.com' })),
      state: oneOf(['open', 'accepted', 'used_up', 'expired', 'revoked', 'bounced'], 'State'),
    }),
  ),
})
export const PublicQuery = object({ token: optional(text('Token of an invitation', { max: 100 })), ...paging })

export type NewSite = Static<typeof NewSite>
export type SiteChange = Static<typeof SiteChange>
export type SiteFilter = Static<typeof SiteFilter>
export type MemberFilter = Static<typeof MemberFilter>
export type SiteSettings = Static<typeof SiteSettings>
