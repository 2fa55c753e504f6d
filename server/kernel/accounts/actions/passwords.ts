import { argon2 as argon2Callback, randomBytes, type ScryptOptions, scrypt as scryptCallback, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { passwordText } from '../domain.ts'

const argon2 = promisify(argon2Callback)
const scrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scryptCallback)

/** OWASP's second choice for Argon2id: 19 MiB, two passes, one lane; about 40 ms on our test machine. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const AT_ONCE = 2

let running = 0
const waiting: (() => void)[] = []

/** Computes at most two hashes at a time, because each takes 19 MiB and a thread that other work needs, too. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>(go => waiting.push(go))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift() // the next caller takes over this place immediately, so that no newcomer can take it in between
    if (next === undefined) running--
    else next()
  }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** Ways to hash a password. The first is for new passwords; hashes of the others can still be checked (decision 842). */
const SCHEMES = ['argon2id', 'scrypt'] as const
/** OWASP's choice for scrypt, which needs 128 MiB: a stand-in should Argon2id be broken. */
const SCRYPT = { ln: 17, r: 8, p: 1 }

const scryptTag = (typed: string, nonce: Buffer, { ln, r, p }: typeof SCRYPT, length: number) =>
  inTurn(() => scrypt(passwordText(typed), nonce, length, { N: 2 ** ln, r, p, maxmem: 256 * 1024 * 1024 }))

/** Hashes a password for storage, in the PHC format: the scheme and the cost are part of the hash, so that both can change and older hashes can still be checked. */
export async function hashPassword(typed: string, scheme: (typeof SCHEMES)[number] = SCHEMES[0]): Promise<string> {
  const nonce = randomBytes(16)
  if (scheme === 'scrypt')
    return `$scrypt$ln=${SCRYPT.ln},r=${SCRYPT.r},p=${SCRYPT.p}$${base64(nonce)}$${base64(await scryptTag(typed, nonce, SCRYPT, 32))}`
  const tag = await inTurn(() => argon2('argon2id', { message: passwordText(typed), nonce, tagLength: 32, ...COST }))
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`
}

/** A hash that no password matches. It is checked if there is no account, so that the check takes just as long. */
const NOBODYS = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(randomBytes(16))}$${base64(randomBytes(32))}`

/** Returns whether this is the password of the hash; takes just as long if there is no hash. */
export async function passwordFits(typed: string, hash: string | null): Promise<boolean> {
  const other = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([^$]+)\$([^$]+)$/.exec(hash ?? '')
  if (other !== null) {
    const [, ln, r, p, salt = '', said = ''] = other
    const tag = Buffer.from(said, 'base64')
    return timingSafeEqual(
      await scryptTag(typed, Buffer.from(salt, 'base64'), { ln: Number(ln), r: Number(r), p: Number(p) }, tag.length),
      tag,
    )
  }
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash ?? NOBODYS)
  if (parts === null) throw new Error('The password hash has an unknown format.')
  const [, memory, passes, parallelism, nonce = '', tag = ''] = parts
  const kept = Buffer.from(tag, 'base64')
  const made = await inTurn(() =>
    argon2('argon2id', {
      message: passwordText(typed),
      nonce: Buffer.from(nonce, 'base64'),
      tagLength: kept.length,
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    }),
  )
  return timingSafeEqual(made, kept) && hash !== null
}

let list: ReadonlySet<string> | null = null

/** Returns the built-in list of common passwords in lower case, read on its first use. */
export function commonPasswords(): ReadonlySet<string> {
  list ??= new Set(
    readFileSync(new URL('../common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('# ')),
  )
  return list
}
