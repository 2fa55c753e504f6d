import {
  anything,
  flag,
  id,
  instant,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  paging,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'
import { AUTH_EVENTS, CLIENT_KINDS } from './domain.ts'

const SOURCES = ['server', 'client', 'auth', 'job'] as const
const LEVELS = ['error', 'warn', 'info'] as const
const appVersion = text('App version', { max: 30, example: '1.4.2' })
const url = (what: string, example: string) => orNull(text(what, { max: 1000, example }))

export const ClientConfig = shape('ClientConfig', 'Settings that the app needs before anyone signs in; none of them is secret', {
  issuer: text('Identity provider’s issuer', { max: 500, example: 'https://walkdown.example.com/oidc' }),
  client_id: text('App’s client id', { max: 200, example: 'walkdown-web' }),
  scopes: list(text('Scope', { max: 100, example: 'openid' }), 'Scopes that the app requests', { max: 20 }),
  provider_kind: oneOf(['built_in', 'external'], 'Identity provider used to sign in'),
  ws_url: text('WebSocket URL for live updates', { max: 500, example: 'wss://walkdown.example.com/api/ws' }),
  app_version: text('Version of this service and its app', { max: 30, example: '1.4.2' }),
  min_app_version: orNull(text('Oldest app version that can still be used; null if every version can', { max: 30, example: '1.4.2' })),
  sampling: object(
    {
      errors: number('Share of errors to report, 0 to 1', { min: 0, max: 1, example: 1 }),
      vitals: number('Share of page loads whose web vitals are reported, 0 to 1', { min: 0, max: 1, example: 0.1 }),
    },
    'Reporting rates of the app',
  ),
  limits: object(
    { upload_mb: integer('Largest file that can be attached to a permit, MB'), batch: integer('Largest number of events in one call') },
    'Limits of one call',
  ),
  map: object(
    {
      style_url: url('Base map style URL; null for none', 'https://maps.example.com/style.json'),
      tiles_url: url('Raster tiles URL of the base map; null for none', 'https://tiles.example.com/{z}/{x}/{y}.png'),
      glyphs_url: url('Glyphs URL of the base map; null for none', 'https://maps.example.com/fonts/{fontstack}/{range}.pbf'),
      attribution: orNull(text('Attribution of the base map; null for none', { max: 500, example: '© OpenStreetMap contributors' })),
    },
    'Base map of the installation',
  ),
  geocoder_enabled: flag('Whether places can be looked up by address'),
  mail_enabled: flag('Whether a mail server is set up. Without one, emails are stored as files in the data directory'),
  password_min_length: integer('Minimum length of a password of the built-in provider, characters', { min: 8, max: 64, example: 15 }),
  push_enabled: flag('Whether push notifications are set up'),
  weather_attribution: text('Attribution for the weather data', { max: 500, example: 'Weather data by Open-Meteo.com' }),
  support: object(
    {
      name: orNull(text('Name; null if none is set', { max: 200, example: 'Site systems desk' })),
      email: orNull(text('Email address; null if none is set', { max: 320, example: 'help@example.com' })),
      url: url('Web page; null if none is set', 'https://help.example.com'),
    },
    'Support contact',
  ),
  privacy_url: url('URL of the privacy notice; null if none is set', 'https://example.com/privacy'),
  locales: list(text('Language', { max: 35, example: 'en' }), 'App languages', { max: 50 }),
  server_time: instant('Current time on the server'),
})

export const AuthEvent = shape('AuthEvent', 'A sign-in event', {
  event: oneOf(AUTH_EVENTS, 'Event'),
  at: instant('Time on the device’s clock'),
  code: optional(text('Provider’s error code', { max: 100, example: 'login_required' })),
  skew_ms: optional(integer('Device clock minus server clock, milliseconds', { min: -2_147_483_648 })),
  app_version: appVersion,
  platform: text('Kind of device', { max: 200, example: 'Android 15, Chrome 147' }),
})
export type AuthEvent = Static<typeof AuthEvent>

export const ClientEvents = shape('ClientEvents', 'A batch of app events', {
  events: list(
    anything(`An event: {kind: ${CLIENT_KINDS.join(', ')}; at, name, message, stack?, route, value?, request_id?, site_id?, app_version}`),
    'Events; an invalid event is dropped, and the others are accepted',
    { min: 1, max: 50 },
  ),
})
export type ClientEvents = Static<typeof ClientEvents>

export const Taken = shape('ClientEventsTaken', 'Result of the batch', {
  accepted: integer('Number of accepted events'),
  dropped: list(
    object({ index: integer('Position in the batch'), reason: text('Reason', { max: 300, example: 'kind must be error, warning, …' }) }),
    'Events that were dropped',
    { max: 50 },
  ),
})

export const DiagLine = shape(
  'DiagLine',
  'A log line of the service or an app; the text can come from a client, so show it as plain text',
  {
    id: id('Line'),
    at: instant('Time of receipt'),
    source: oneOf(SOURCES, 'Source'),
    level: oneOf(LEVELS, 'Severity'),
    kind: text('Kind', { max: 60, example: 'error' }),
    name: text('Name of the error or event', { max: 200, example: 'TypeError' }),
    message: text('Message, scrubbed of personal data', { max: 2000 }),
    stack: orNull(text('Stack trace; null if there is none', { max: 8000 })),
    route: orNull(text('Route of the page or call, without ids; null if unknown', { max: 200, example: '/permits/:id' })),
    value: orNull(number('Value of a web vital, or clock skew in milliseconds; null if there is none', { example: 1234.5 })),
    request_id: orNull(text('Request; null if unknown', { max: 200 })),
    user_id: orNull(id('Person; null if unknown')),
    site_id: orNull(id('Site; null if the line isn’t about a site')),
    app_version: orNull(text('App version; null for lines of the service', { max: 30, example: '1.4.2' })),
    platform: orNull(text('Kind of device; null if unknown', { max: 200 })),
    device_at: orNull(instant('Time on the device’s clock; null for lines of the service')),
    network: orNull(text('Network of the IP address, as /24 or /48; null if unknown', { max: 50, example: '203.0.113.0/24' })),
  },
)

export const LineQuery = object({
  id: optional(list(id('Line'), 'Ids', { max: 500 })),
  source: optional(list(oneOf(SOURCES, 'Source'), 'Sources', { max: 4 })),
  level: optional(list(oneOf(LEVELS, 'Level'), 'Severity', { max: 3 })),
  kind: optional(list(text('Kind', { max: 60, example: 'error' }), 'Kinds', { max: 20 })),
  request_id: optional(list(text('Request', { max: 200 }), 'Requests', { max: 100 })),
  user_id: optional(list(id('Person'), 'People', { max: 100 })),
  site_id: optional(id('Site')),
  app_version: optional(list(appVersion, 'App versions', { max: 20 })),
  from: optional(instant('Earliest time of receipt')),
  to: optional(instant('Latest time of receipt (exclusive)')),
  q: optional(text('Text to search for in names and messages', { max: 200, example: 'quota' })),
  ...paging,
})
export type LineQuery = Static<typeof LineQuery>
