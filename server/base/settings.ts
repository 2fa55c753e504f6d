// The only file that reads the environment: it reads settings, sets defaults and refuses contradictions. `operations.md` describes each setting.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { Algorithms } from '../../shared/proof/algorithms.ts'
import { type ScannerPlace, scannerPlace } from './scanner.ts'
import { algorithmsOf, isSecret, secretsKeys, withSecrets } from './secrets.ts'
import { type TraceSettings, traceSettings } from './trace-settings.ts'
import { vapidKeys } from './vapid-keys.ts'

/** Settings of a process, read once, at startup. */
export type Settings = {
  /** Address and port to listen on. */
  host: string
  port: number
  /** How people reach the service, without a trailing slash. */
  public_url: string
  /** Directory for the embedded database, stored files and keys; null: the default, which the engine chooses. */
  data_dir: string | null
  /** An external PostgreSQL server; null: the embedded one. */
  database_url: string | null
  /** `file:` or `s3://bucket/prefix?endpoint=…&region=…`; null: in the data directory. */
  storage_url: string | null
  storage_key: string | null
  storage_secret: string | null
  /** The malware scanner for uploaded files, and the longest time for one file; null: files aren't scanned. */
  scanner: { place: ScannerPlace; seconds: number } | null
  /** An external OpenID Connect provider; null: the built-in one under `/oidc`. */
  oidc_issuer: string | null
  oidc_audience: string
  oidc_client_id: string
  /** Shortest RSA key of the external provider that is accepted, in bits. */
  oidc_min_rsa_bits: number
  superadmin_subjects: string[]
  superadmin_emails: string[]
  /** Who can create sites: superadmins, or everyone who is signed in. */
  site_creation: 'superadmin' | 'anyone'
  /** Shortest password in code points (NIST SP 800-63B-4), at least 8. */
  password_min_length: number
  /** Whether everyone who signs in with the built-in provider needs a second factor. */
  second_factor: 'optional' | 'required'
  smtp_url: string | null
  mail_from: string
  /** Address for reports of undelivered email, with the id of each email before the @; null: the address of `mail_from`. */
  mail_return_path: string | null
  roles: { web: boolean; worker: boolean }
  /** Make the demo site on an empty database; null: only with the embedded database. */
  demo: boolean | null
  clock: 'system' | 'manual'
  log_level: string
  /** IP addresses that can see the checks of `/health` without a token. */
  health_trusted: string[]
  /** Whose `X-Forwarded-*` headers are trusted: nobody's, those of this number of proxies, or those of these IP addresses and networks. */
  trust_proxy: false | number | string[]
  /** Key of the signature on reports of the mail relay (`site-and-people.md` §10); null: only superadmins can send them. */
  bounce_secret: string | null
  /** Algorithms of what is stored from now on (decision 842). */
  algorithms: Algorithms
  /** Token with which `/metrics` can be read; null: nobody can. */
  metrics_token: string | null
  /** The OpenTelemetry collector that traces are sent to; null: none are recorded. */
  traces: TraceSettings | null
  /** Keys that encrypt the installation's own secrets in the database: the present one, then earlier ones that can still decrypt. Empty: they aren’t encrypted. */
  secrets_keys: Buffer[]
  /** Who gives support, as shown in the app; null if nobody is named. */
  support: { name: string | null; email: string | null; url: string | null }
  /** Page about the privacy of people's data. */
  privacy_url: string | null
  /** Oldest version of the app that can continue: older ones reload themselves. */
  min_app_version: string | null
  /** Base map of the installation: a style or raster tiles, the URL of its glyphs, and its attribution. */
  map: { style_url: string | null; tiles_url: string | null; glyphs_url: string | null; attribution: string | null }
  /** Search endpoint of a geocoder that works like Nominatim; null: no search by address. */
  geocoder_url: string | null
  /** Where the weather comes from: Open-Meteo or a service that works like it, example data, or nowhere; and how often it can be asked in a day. */
  weather: { provider: 'open_meteo' | 'fixture' | 'demo' | 'none'; url: string | null; key: string | null; daily_calls: number }
  /** Where the heads of the audit logs are sent each day: an https URL (POST), or `s3://bucket/prefix?endpoint=…&region=…`; null: nowhere. */
  audit_witness_url: string | null
  /** Key pair of Web Push (RFC 8292), base64url; null: made once and stored in the database. `subject`: the contact for push services. */
  vapid: { keys: { public_key: string; private_key: string } | null; subject: string }
  /** Push services that can be called; those on the installation's own network; the certificates of their authority. */
  push: { services: string[]; own_services: string[]; ca_file: string | null }
  /** How long a process that was asked to stop keeps serving while `/health/ready` already fails, so that a load balancer sends nothing more. */
  drain_seconds: number
  /** Requests a minute from one person (or one IP address, until a token is verified) before 429. */
  rate_limit_per_minute: number
}

/** Thrown if settings contradict each other or can't be read; it lists every fault. */
export class SettingsError extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(`Settings:\n${faults.map(f => `  - ${f}`).join('\n')}`)
    this.name = 'SettingsError'
    this.faults = faults
  }
}

const list = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map(s => s.trim())
    .filter(s => s !== '')

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Push services of the browsers (`messages.md` §4). */
const BROWSER_SERVICES = ['fcm.googleapis.com', '*.push.services.mozilla.com', '*.notify.windows.com', '*.push.apple.com']

/** Returns the address in `Name <address>`. */
const addressIn = (from: string | null): string => /<([^>]+)>/.exec(from ?? '')?.[1] ?? from ?? 'walkdown@localhost'

type Reading = { text(name: string): string | null; url(name: string, schemes: string[]): string | null; faults: string[] }

/** Reads the base map: BASEMAP_URL is a style, or raster tiles if it contains {z}, {x} and {y}. The earlier names still work (decision 681). */
function baseMap({ text, url, faults }: Reading): Settings['map'] {
  const first = (name: string, old: string): string => {
    if (text(name) !== null && text(old) !== null)
      faults.push(`${name} and ${old} are both set. ${old} is the old name of ${name}: remove ${old}.`)
    return text(name) === null && text(old) !== null ? old : name
  }
  const name = first('BASEMAP_URL', 'MAP_STYLE_URL')
  const found = url(name, ['https:', 'http:'])
  const attribution = text(first('BASEMAP_ATTRIBUTION', 'MAP_ATTRIBUTION'))
  const raster = found !== null && /\{[xyz]\}/.test(found)
  if (raster && !['{z}', '{x}', '{y}'].every(part => found.includes(part)))
    faults.push(`${name} looks like a URL of raster tiles, so it must contain {z}, {x} and {y}.`)
  if (found !== null && /\{(?![xyz]\})/.test(found)) faults.push(`${name} can contain no braces except {z}, {x} and {y}, not "${found}".`)
  if (raster && attribution === null) faults.push(`${name} is a URL of raster tiles, so BASEMAP_ATTRIBUTION must credit their source.`)
  return {
    style_url: raster ? null : found,
    tiles_url: raster ? found : null,
    glyphs_url: url(first('BASEMAP_GLYPHS_URL', 'MAP_GLYPHS_URL'), ['https:', 'http:']),
    attribution,
  }
}

/** Reads where the malware scanner is. */
function scannerOf({ url, faults }: Reading, seconds: number): Settings['scanner'] {
  const found = url('SCAN_URL', ['tcp:', 'unix:'])
  const place = found === null ? null : scannerPlace(found)
  if (found !== null && place === null)
    faults.push(`SCAN_URL must be like tcp://scanner.example.com:3310 or unix:///run/clamav/clamd.ctl, not "${found}".`)
  return place === null ? null : { place, seconds }
}

/** Reads the trusted proxies. Never "all", because the caller can write anything as the first address of the header. */
function proxies({ text, faults }: Reading): Settings['trust_proxy'] {
  const value = text('TRUST_PROXY') ?? '0'
  if (/^\d$/.test(value)) return value === '0' ? false : Number(value)
  const networks = list(value)
  for (const network of networks) {
    const [address = '', bits, ...more] = network.split('/')
    const most = isIP(address) === 4 ? 32 : 128
    if (isIP(address) === 0 || more.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)))
      faults.push(`TRUST_PROXY must be a number of proxies from 0 to 9, or their addresses and networks, not "${network}".`)
  }
  return networks
}

/** Reads settings from an environment, and secrets also from the files that it names (`NAME_FILE`). Throws `SettingsError` with every fault at once. */
export function readSettings(given: Record<string, string | undefined>): Settings {
  const faults: string[] = []
  const env = withSecrets(given, faults)
  const text = (name: string): string | null => (env[name] === undefined || env[name]?.trim() === '' ? null : (env[name]?.trim() ?? null))
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name)
    if (value === null) return fallback
    const number = Number(value)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    faults.push(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
    return fallback
  }
  const choice = <T extends string>(name: string, fallback: T, allowed: readonly T[]): T => {
    const value = text(name)
    if (value === null) return fallback
    const found = allowed.find(a => a === value)
    if (found === undefined) faults.push(`${name} must be ${allowed.join(' or ')}, not "${value}".`)
    return found ?? fallback
  }
  const url = (name: string, schemes: string[]): string | null => {
    const value = text(name)
    if (value === null) return null
    if (URL.canParse(value) && schemes.includes(new URL(value).protocol)) return value.replace(/\/$/, '')
    faults.push(
      `${name} must be a URL that starts with ${schemes.map(s => (s === 'mailto:' ? s : `${s}//`)).join(' or ')}${isSecret(name) ? '' : `, not "${value}"`}.`,
    )
    return null
  }
  const version = (name: string): string | null => {
    const value = text(name)
    if (value !== null && !/^\d{1,4}(\.\d{1,4}){0,2}$/.test(value)) faults.push(`${name} must be a version like 1.2.0, not "${value}".`)
    return value
  }
  const host = text('HOST') ?? '127.0.0.1'
  const port = integer('PORT', 8080, 0, 65535)
  const database_url = url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const roles = list(env.ROLES ?? 'web,worker')
  for (const role of roles) if (role !== 'web' && role !== 'worker') faults.push(`ROLES can contain only web and worker. Remove “${role}”.`)
  if (roles.length === 0) faults.push('ROLES is empty, so this process would do nothing. Set ROLES to web, worker or both.')
  const demo = choice('DEMO', 'auto', ['0', '1', 'auto'])
  const storage_url = text('STORAGE_URL')
  if (storage_url !== null && !/^(file:|s3:\/\/)/.test(storage_url)) faults.push('STORAGE_URL must start with file: or s3://.')
  const storage_key = text('AWS_ACCESS_KEY_ID')
  const storage_secret = text('AWS_SECRET_ACCESS_KEY')
  if (storage_url?.startsWith('s3:') && (storage_key === null || storage_secret === null)) {
    faults.push('STORAGE_URL is an S3 URL, so AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required.')
  }
  if (text('AUDIT_WITNESS_URL')?.startsWith('s3:') && (storage_key === null || storage_secret === null))
    faults.push('AUDIT_WITNESS_URL is an S3 URL, so AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required.')
  const oidc_issuer = url('OIDC_ISSUER', ['https:', 'http:'])
  const clock = choice('CLOCK', 'system', ['system', 'manual'])

  const settings: Settings = {
    host,
    port,
    public_url:
      url('PUBLIC_URL', ['https:', 'http:']) ?? `http://${host === '0.0.0.0' || host === '127.0.0.1' ? 'localhost' : host}:${port}`,
    data_dir: text('DATA_DIR') === null ? null : resolve(text('DATA_DIR') ?? ''),
    database_url,
    storage_url,
    storage_key,
    storage_secret,
    scanner: scannerOf({ text, url, faults }, integer('SCAN_SECONDS', 20, 1, 300)),
    oidc_issuer,
    oidc_audience: text('OIDC_AUDIENCE') ?? 'walkdown',
    oidc_client_id: text('OIDC_CLIENT_ID') ?? 'walkdown-web',
    oidc_min_rsa_bits: integer('OIDC_MIN_RSA_BITS', 3072, 2048, 16_384),
    superadmin_subjects: list(env.SUPERADMIN_SUBJECTS),
    superadmin_emails: list(env.SUPERADMIN_EMAILS).map(e => e.toLowerCase()),
    site_creation: choice('SITE_CREATION', 'superadmin', ['superadmin', 'anyone']),
    password_min_length: integer('PASSWORD_MIN_LENGTH', 15, 8, 64),
    second_factor: choice('SECOND_FACTOR', 'optional', ['optional', 'required']),
    smtp_url: url('SMTP_URL', ['smtp:', 'smtps:']),
    mail_from: text('MAIL_FROM') ?? 'Walkdown <walkdown@localhost>',
    mail_return_path: text('MAIL_RETURN_PATH'),
    roles: { web: roles.includes('web'), worker: roles.includes('worker') },
    demo: demo === 'auto' ? null : demo === '1',
    clock,
    log_level: choice('LOG_LEVEL', 'info', LEVELS),
    health_trusted: list(env.HEALTH_TRUSTED),
    trust_proxy: proxies({ text, url, faults }),
    bounce_secret: text('BOUNCE_SECRET'),
    algorithms: algorithmsOf(choice),
    metrics_token: text('METRICS_TOKEN'),
    traces: traceSettings({ text, url, integer, choice, faults }),
    secrets_keys: secretsKeys(list(env.SECRETS_KEY), faults),
    support: { name: text('SUPPORT_NAME'), email: text('SUPPORT_EMAIL'), url: url('SUPPORT_URL', ['https:', 'http:', 'mailto:']) },
    privacy_url: url('PRIVACY_URL', ['https:', 'http:']),
    min_app_version: version('MIN_APP_VERSION'),
    map: baseMap({ text, url, faults }),
    geocoder_url: url('GEOCODER_URL', ['https:', 'http:']),
    weather: {
      provider: choice('WEATHER_PROVIDER', database_url === null ? 'demo' : 'none', ['open_meteo', 'fixture', 'demo', 'none']),
      url: url('WEATHER_URL', ['https:', 'http:']),
      key: text('WEATHER_API_KEY'),
      daily_calls: integer('WEATHER_DAILY_CALLS', 9000, 1, 1_000_000),
    },
    audit_witness_url: url('AUDIT_WITNESS_URL', ['https:', 'http:', 's3:']),
    vapid: {
      keys: vapidKeys(text('VAPID_PUBLIC_KEY'), text('VAPID_PRIVATE_KEY'), faults),
      subject: text('VAPID_SUBJECT') ?? `mailto:${addressIn(text('MAIL_FROM'))}`,
    },
    push: {
      services: text('PUSH_SERVICES') === 'none' ? [] : text('PUSH_SERVICES') === null ? BROWSER_SERVICES : list(env.PUSH_SERVICES),
      own_services: list(env.PUSH_OWN_SERVICES),
      ca_file: text('PUSH_CA_FILE'),
    },
    // Only with a server of its own can there be another process that takes over meanwhile.
    drain_seconds: integer('DRAIN_SECONDS', database_url === null ? 0 : 5, 0, 300),
    rate_limit_per_minute: integer('RATE_LIMIT_PER_MINUTE', 1200, 10, 1_000_000),
  }
  if (settings.metrics_token !== null && !/^\S{16,}$/.test(settings.metrics_token))
    faults.push('METRICS_TOKEN must have at least 16 characters and no spaces.')
  if (settings.bounce_secret !== null && settings.bounce_secret.length < 16) faults.push('BOUNCE_SECRET must have at least 16 characters.')
  if (!/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/.test(settings.vapid.subject))
    faults.push(`VAPID_SUBJECT must be a contact for push services, such as mailto:you@example.com, not "${settings.vapid.subject}".`)
  for (const [name, services, pattern] of [
    ['PUSH_SERVICES', settings.push.services, /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/i],
    ['PUSH_OWN_SERVICES', settings.push.own_services, /^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i],
  ] as const)
    for (const service of services) if (!pattern.test(service)) faults.push(`${name} must be a list of host names, not "${service}".`)
  if (oidc_issuer !== null && settings.second_factor === 'required')
    faults.push('OIDC_ISSUER is set, so SECOND_FACTOR has no effect. Require a second factor at that provider, and remove SECOND_FACTOR.')
  if (settings.smtp_url !== null && text('MAIL_FROM') === null) faults.push('SMTP_URL is set, so MAIL_FROM must be set too.')
  if (faults.length > 0) throw new SettingsError(faults)
  return settings
}
