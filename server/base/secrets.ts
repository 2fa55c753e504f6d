// Secrets from files, as Docker, Kubernetes, systemd and the agents of vaults deliver them: each setting that can contain a secret can also be given as
// NAME_FILE, the path of a file with its value. A secret then appears neither in the environment of a process nor in the definition of a unit or container.
import { readFileSync, statSync } from 'node:fs'
import { codeIn } from '../../shared/narrow.ts'
import type { Algorithms } from '../../shared/proof/algorithms.ts'

/** The settings that can contain a secret. Their values never appear in a message. */
export const SECRETS = [
  'DATABASE_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'METRICS_TOKEN',
  'BOUNCE_SECRET',
  'VAPID_PRIVATE_KEY',
  'SECRETS_KEY',
  // Some services expect a key of theirs in the URL.
  'GEOCODER_URL',
  'WEATHER_API_KEY',
  'AUDIT_WITNESS_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
] as const

type Env = Record<string, string | undefined>

/** Returns whether a setting can contain a secret. */
export const isSecret = (name: string): boolean => SECRETS.some(secret => secret === name)

/** Size of a file in bytes that no secret needs: a larger file is another one, named by mistake. */
const MOST_BYTES = 64 * 1024

const pathIn = (env: Env, name: string): string | null => env[`${name}_FILE`]?.trim() || null

/** Returns the environment in which each secret that is given as a file has the content of that file. Adds a fault for each that can't be read. */
export function withSecrets(env: Env, faults: string[]): Env {
  const filled = { ...env }
  for (const name of SECRETS) {
    const path = pathIn(env, name)
    if (path === null) continue
    if ((env[name] ?? '').trim() !== '') {
      faults.push(`${name} and ${name}_FILE are both set. Remove one of them.`)
      continue
    }
    const { value, fault } = contentOf(path)
    if (fault === null) filled[name] = value
    // The reason contains the path, and never what is in the file.
    else faults.push(`${name}_FILE is ${path}, but ${fault}`)
  }
  return filled
}

type Content = { value: string; fault: null } | { value: null; fault: string }

/** Returns the one line of a file, without the end of the line. */
function contentOf(path: string): Content {
  const unusable = (fault: string): Content => ({ value: null, fault })
  let bytes: Buffer
  try {
    const info = statSync(path)
    // A pipe can be read only once, and reading one that nobody writes to never ends.
    if (!info.isFile()) return unusable('that isn’t a regular file. Set it to the path of a file that contains only the value.')
    if (info.size > MOST_BYTES)
      return unusable('that file is larger than 64 kB. Set it to the path of a file that contains only the value.')
    bytes = readFileSync(path)
  } catch (error) {
    return unusable(whyNot(error))
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return unusable('that file isn’t text. Write the value into it as one line of text.')
  }
  const value = text.replace(/(\r?\n)+$/, '')
  if (value.trim() === '') return unusable('that file is empty. Write the value into it.')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that no value contains.
  if (/[\u0000-\u001f\u007f]/.test(value))
    return unusable('that file has more than one line. Write only the value into it, as one line of text.')
  return { value, fault: null }
}

function whyNot(error: unknown): string {
  const code = codeIn(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file. Create it, or correct the path.'
  if (code === 'EACCES' || code === 'EPERM') return 'this account can’t read that file. Give this account access to it, and nobody else.'
  return 'that file can’t be read. Check the file and its disk.'
}

/** A secret that is read from a file. `open`: every account of the machine can read the file. */
export type SecretFile = { name: string; path: string; mode: string; open: boolean }

/** Lists the secrets that are given as files which exist. */
export const secretFiles = (env: Env): SecretFile[] =>
  SECRETS.flatMap(name => {
    const path = pathIn(env, name)
    const mode = path === null ? undefined : statSync(path, { throwIfNoEntry: false })?.mode
    if (path === null || mode === undefined) return []
    return { name, path, mode: (mode & 0o777).toString(8).padStart(4, '0'), open: (mode & 0o004) !== 0 }
  })

/** Reads the keys in SECRETS_KEY: the present one, then earlier ones that can still decrypt. */
export function secretsKeys(given: readonly string[], faults: string[]): Buffer[] {
  const keys = given.map(one => Buffer.from(one, 'base64'))
  if (given.some((one, i) => !/^[A-Za-z0-9+/]{43}=$/.test(one) || keys[i]?.length !== 32))
    faults.push(
      'SECRETS_KEY must be 32 random bytes in base64, as “openssl rand -base64 32” prints them. Earlier keys follow after a comma.',
    )
  return keys
}

/** Reads with which algorithms new values are made. */
export const algorithmsOf = (choice: <T extends string>(name: string, fallback: T, allowed: readonly T[]) => T): Algorithms => ({
  audit_hash: choice('AUDIT_HASH', 'sha-256', ['sha-256', 'sha-512']),
  key_cipher: choice('KEY_CIPHER', 'aes-256-gcm', ['aes-256-gcm', 'chacha20-poly1305']),
  signing_keys: choice('SIGNING_KEYS', 'Ed25519', ['Ed25519', 'P-256']),
})
