import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { examine, secretFindings } from '../commands/doctor.ts'
import { SECRETS } from './secrets.ts'
import { readSettings, SettingsError } from './settings.ts'

const pair = createECDH('prime256v1')
pair.setPrivateKey(Buffer.alloc(32, 7))
const VALID: Record<(typeof SECRETS)[number], string> = {
  DATABASE_URL: 'postgresql://walkdown:hunter2-hunter2@db.example.com/walkdown',
  AWS_ACCESS_KEY_ID: 'AKIAHUNTER2HUNTER2',
  AWS_SECRET_ACCESS_KEY: 'hunter2/hunter2+hunter2=',
  SMTP_URL: 'smtps://walkdown:hunter2-hunter2@mail.example.com',
  METRICS_TOKEN: 'hunter2-hunter2-hunter2',
  BOUNCE_SECRET: 'hunter2 hunter2 hunter2',
  VAPID_PRIVATE_KEY: pair.getPrivateKey().toString('base64url'),
  SECRETS_KEY: Buffer.alloc(32, 'hunter2').toString('base64'),
  GEOCODER_URL: 'https://geocoder.example.com/search?key=hunter2',
  WEATHER_API_KEY: 'hunter2-hunter2',
  AUDIT_WITNESS_URL: 'https://witness.example.com/heads/hunter2',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2-hunter2',
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=hunter2',
}
/** The settings without which some of these secrets are refused. */
const BESIDE = {
  MAIL_FROM: 'permits@example.com',
  VAPID_PUBLIC_KEY: pair.getPublicKey().toString('base64url'),
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com',
}

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readSettings(env)
    return []
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    return error.faults
  }
}

describe('secrets from files', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'walkdown-secrets-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))
  const put = async (name: string, content: string | Buffer, mode = 0o400): Promise<string> => {
    const path = join(folder, name)
    await rm(path, { force: true })
    await writeFile(path, content)
    await chmod(path, mode)
    return path
  }

  test('10.4 each secret can be given as a file, with or without the end of a line, and means the same as in the environment', async () => {
    const files: Record<string, string> = {}
    for (const [n, name] of SECRETS.entries()) files[`${name}_FILE`] = await put(name, `${VALID[name]}${['', '\n', '\r\n', '\n\n'][n % 4]}`)
    assert.deepEqual(readSettings({ ...BESIDE, ...files }), readSettings({ ...BESIDE, ...VALID }))
    for (const name of SECRETS) {
      const { [name]: _, ...others } = VALID
      const one = readSettings({ ...BESIDE, ...others, [`${name}_FILE`]: files[`${name}_FILE`] })
      assert.deepEqual(one, readSettings({ ...BESIDE, ...VALID }), name)
    }
  })

  test('10.4 a link to a file, as Kubernetes makes it, is followed', async () => {
    const link = join(folder, 'link')
    await symlink(await put('linked', `${VALID.METRICS_TOKEN}\n`), link)
    assert.equal(readSettings({ METRICS_TOKEN_FILE: link }).metrics_token, VALID.METRICS_TOKEN)
  })

  test('10.4 a secret that is given twice is refused, even if both are the same', async () => {
    const METRICS_TOKEN_FILE = await put('twice', VALID.METRICS_TOKEN)
    assert.deepEqual(faultsOf({ METRICS_TOKEN: VALID.METRICS_TOKEN, METRICS_TOKEN_FILE }), [
      'METRICS_TOKEN and METRICS_TOKEN_FILE are both set. Remove one of them.',
    ])
    assert.equal(readSettings({ METRICS_TOKEN: ' ', METRICS_TOKEN_FILE }).metrics_token, VALID.METRICS_TOKEN)
  })

  test('10.4 a file that can’t be used is refused with the name of the setting and the path, all faults at once', async () => {
    const missing = join(folder, 'missing')
    const below = join(await put('plain', 'x'), 'below')
    const empty = await put('empty', ' \n')
    const lines = await put('lines', 'hunter2-one-hunter2\nhunter2-two-hunter2\n')
    const bytes = await put('bytes', Buffer.from([0xc3, 0x28, 0xff]))
    const large = await put('large', 'x'.repeat(65_537))
    const found = faultsOf({
      METRICS_TOKEN_FILE: missing,
      BOUNCE_SECRET_FILE: below,
      SMTP_URL_FILE: empty,
      DATABASE_URL_FILE: lines,
      VAPID_PRIVATE_KEY_FILE: bytes,
      GEOCODER_URL_FILE: large,
      AUDIT_WITNESS_URL_FILE: folder,
    })
    for (const [name, path, why] of [
      ['METRICS_TOKEN', missing, /there is no such file\. Create it/],
      ['BOUNCE_SECRET', below, /there is no such file/],
      ['SMTP_URL', empty, /is empty\. Write the value into it/],
      ['DATABASE_URL', lines, /more than one line/],
      ['VAPID_PRIVATE_KEY', bytes, /isn’t text/],
      ['GEOCODER_URL', large, /larger than 64 kB/],
      ['AUDIT_WITNESS_URL', folder, /isn’t a regular file/],
    ] as const) {
      const said = found.find(fault => fault.startsWith(`${name}_FILE is ${path}, but `)) ?? ''
      assert.match(said, why, name)
    }
    assert.equal(found.length, 7)
    assert.doesNotMatch(found.join(), /hunter2/)
  })

  test('10.4 a file that this account can’t read is refused with advice', async () => {
    const METRICS_TOKEN_FILE = await put('closed', VALID.METRICS_TOKEN, 0)
    // Root can read every file, so for a moment this process has no rights.
    const root = process.geteuid?.() === 0
    if (root) process.seteuid?.(65534)
    try {
      assert.match(
        faultsOf({ METRICS_TOKEN_FILE }).join(),
        /^METRICS_TOKEN_FILE is \S+closed, but this account can’t read that file\. Give this/,
      )
    } finally {
      if (root) process.seteuid?.(0)
    }
  })

  test('10.4 a secret that isn’t what the setting needs is refused without its value, from a file and from the environment', async () => {
    for (const name of ['DATABASE_URL', 'SMTP_URL', 'GEOCODER_URL', 'AUDIT_WITNESS_URL', 'VAPID_PRIVATE_KEY'] as const)
      for (const env of [{ [name]: 'ftp://hunter2@wrong' }, { [`${name}_FILE`]: await put('wrong', 'ftp://hunter2@wrong') }]) {
        const said = faultsOf({ ...BESIDE, ...env }).join()
        assert.match(said, new RegExp(name))
        assert.doesNotMatch(said, /hunter2/)
      }
  })

  test('10.4 the doctor says which secrets come from files, and warns of a file that everyone can read', async () => {
    const METRICS_TOKEN_FILE = await put('token', VALID.METRICS_TOKEN, 0o440)
    const BOUNCE_SECRET_FILE = await put('bounce', VALID.BOUNCE_SECRET, 0o644)
    assert.deepEqual(
      secretFindings({ METRICS_TOKEN_FILE, BOUNCE_SECRET_FILE }).map(f => [f.how, f.says.replace(/\. Let.*$/, '')]),
      [
        ['well', `METRICS_TOKEN is read from ${METRICS_TOKEN_FILE}`],
        ['look', `BOUNCE_SECRET_FILE: every account of this machine can read ${BOUNCE_SECRET_FILE} (mode 0644)`],
      ],
    )
    const DATA_DIR = join(folder, 'data')
    const found = await examine({ DATA_DIR, PORT: '0', METRICS_TOKEN_FILE, BOUNCE_SECRET_FILE })
    assert.deepEqual(
      found.filter(f => f.of === 'secrets').map(f => f.how),
      ['well', 'look'],
    )
    const faults = await examine({ DATA_DIR, METRICS_TOKEN_FILE: join(folder, 'nothing') })
    assert.deepEqual([faults.length, faults[0]?.how], [1, 'wrong'])
    assert.match(faults[0]?.says ?? '', /^METRICS_TOKEN_FILE is .*nothing, but there is no such file/)
  })
})
