// An instance of the service for tests, and sites with people. A file starts with `const house = useHouse()` inside its `describe`.
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { InjectOptions } from 'fastify'
import pg from 'pg'
import { openEdge, openHouse } from '../server/app.ts'
import { jobActor, ROLES, type Role } from '../server/base/actor.ts'
import type { House } from '../server/base/ctx.ts'
import type { Edge } from '../server/base/edge.ts'
import type { Engine } from '../server/base/engine.ts'
import type { Route } from '../server/base/http.ts'
import { type Id, ids } from '../server/base/ids.ts'
import { remembered } from '../server/base/memo.ts'
import { readSettings } from '../server/base/settings.ts'
import { type Mint, openMint } from '../server/kernel/identity/door.ts'
import { closeQueue } from '../server/kernel/jobs/door.ts'
import { writingOn } from '../server/kernel/site/door.ts'
import { admit } from '../server/rooms/site/memberships/door.ts'
import { mustBeDocumented } from './documented.ts'
import { copyDatabase, dropCopy, STOCKED, TEMPLATE, testEngine } from './engine.ts'
import { type Claims, type Stocked, TAKING, takeOut, type WorldFacts } from './stock.ts'

/** A response: status, headers, and the body, parsed where it is JSON. The type of the body depends on the test. */
export type Reply = {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
  body: any
  text: string
}

/** A person who calls the API. */
export type Caller = {
  token: string | null
  user_id: Id
  /** What the token says; null for a caller without one, or with one that a test made. */
  claims: Claims | null
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  del(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  send(method: string, path: string, parts: Part[], headers?: Record<string, string>): Promise<Reply>
}

/** A part of a multipart body. */
export type Part = { name: string; value: string | Buffer; filename?: string; type?: string }

/** A new site with one person in every role, and contractors. */
export type World = {
  site_id: Id
  facts: WorldFacts
  /** The person who created the site: a superadmin, and not a member. */
  superadmin: Caller
  as(role: Role): Caller
  /** Adds another person with this role and contractor. */
  join(role: Role, contractor_id?: Id | null, name?: string): Promise<Caller>
  /** A signed-in person who is a member of no site. */
  stranger(name?: string): Promise<Caller>
  contractor(name: string): Promise<Id>
}

/** An instance of the service on its own database, cloned from the template, with the clock on a Monday morning in March. */
export type TestHouse = {
  house: House
  edge: Edge
  /** A person with an account; the user is created by the first call. */
  person(
    name: string,
    options?: { email?: string | null; email_verified?: boolean; superadmin?: boolean; subject?: string },
  ): Promise<Caller>
  nobody: Caller
  withToken(token: string): Caller
  world(options?: { timezone?: string; name?: string }): Promise<World>
  /** Takes a site of this kind out of the stock; null if there is none, or if the settings or the clock of this house are not those of the stock. */
  stocked<Kind extends keyof Stocked>(kind: Kind): Promise<Stocked[Kind] | null>
  /** Returns a person of a site that was taken out of the stock. */
  again(claims: Claims): Promise<Caller>
  /** Starts another node on the same database and files, with its own pool, caches, queue and clock. The caller closes it. */
  beside(): Promise<TestHouse & { close(): Promise<void> }>
  /** Moves the clock. */
  clock(at: string): void
  /** Queries the stored rows directly. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
  rows(query: string, values?: unknown[]): Promise<any[]>
}

export const MONDAY = '2026-03-16T09:00:00.000Z'

/**
 * Connections of a node of a test: one listens for events, and as many as it admits requests at once on two processors serve them, so calls that race meet in the database
 * as they do in the service. Each further connection costs much: its server process reads the catalogue and plans every statement again (decision 1118).
 */
const CONNECTIONS = 4

let counter = 0

/** Settings as tests use them. */
export const testSettings = (env: Record<string, string> = {}) =>
  readSettings({
    CLOCK: 'manual',
    LOG_LEVEL: 'error',
    PUBLIC_URL: 'http://walkdown.test',
    SUPERADMIN_EMAILS: 'root@walkdown.test',
    RATE_LIMIT_PER_MINUTE: '1000000',
    // Every site has a forecast, which isn't that of its place.
    WEATHER_PROVIDER: 'fixture',
    ...env,
  })

/** A database and the directory of its files, which a test copies. */
export type Prepared = { database: string; files: string }

/** How a node of a test is opened. `without_stock`: on a database in which nothing was ever written. `prepared`: on copies of what this returns. */
export type NodeOptions = {
  strict_replies?: boolean
  /** Connections, where more calls than usual have to wait in the database at the same time. */
  pool?: number
  web?: boolean
  patient?: boolean
  more_routes?: readonly Route[]
  without_stock?: boolean
  prepared?: (engine: Engine) => Promise<Prepared | null>
}

/** Opens an instance of the service for the tests of a `describe`; what it returns is ready once they run. */
export function useHouse(env: Record<string, string> = {}, options: NodeOptions = {}): TestHouse {
  const opened: { it: (TestHouse & { close(): Promise<void> }) | null } = { it: null }
  before(async () => {
    opened.it = await openTestHouse(env, options)
  })
  after(async () => {
    await opened.it?.close()
  })
  return new Proxy({} as TestHouse, {
    get(_, name) {
      if (opened.it === null) throw new Error('The house is there once the tests run, not while they are described.')
      return Reflect.get(opened.it, name)
    },
  })
}

/** Opens an instance for a test that closes it itself. */
export async function openTestHouse(
  env: Record<string, string> = {},
  options: NodeOptions = {},
): Promise<TestHouse & { close(): Promise<void> }> {
  const engine = await testEngine()
  const database = `walkdown_test_${process.pid}_${++counter}`
  const prepared = (await options.prepared?.(engine)) ?? null
  const stock =
    prepared === null &&
    process.env.WALKDOWN_TEST_STOCK === STOCKED &&
    !options.without_stock &&
    Object.keys(env).every(name => !/^(CLOCK|OIDC|SUPERADMIN)/.test(name))
  await copyDatabase(engine, database, prepared?.database ?? (stock ? STOCKED : TEMPLATE))
  const data_dir = await mkdtemp(join(tmpdir(), 'walkdown-files-'))
  if (prepared !== null) await cp(prepared.files, data_dir, { recursive: true })
  const first = await openNode(engine, env, database, data_dir, options, stock)
  return {
    ...first,
    async close() {
      await first.close()
      await dropCopy(engine, database)
      await rm(data_dir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Opens a node on a database that exists. */
export async function openNode(
  engine: Engine,
  env: Record<string, string>,
  database: string,
  data_dir: string,
  options: NodeOptions,
  stock: boolean,
): Promise<TestHouse & { close(): Promise<void> }> {
  const house = await openHouse(testSettings(env), engine, {
    database,
    data_dir,
    pool: options.pool ?? CONNECTIONS,
    patient: options.patient ?? true,
    traces: true,
  })
  if (house.settings.clock === 'manual') house.clock.set(MONDAY)
  const edge = await openEdge(house, {
    strict_replies: options.strict_replies ?? true,
    web: options.web ?? false,
    mount: async app => mustBeDocumented(app, options.more_routes),
    more_routes: options.more_routes ?? [],
  })
  await edge.app.ready()
  const taking = stock ? new pg.Pool({ ...engine.connection, database, max: 1, idleTimeoutMillis: 0, options: TAKING }) : null
  taking?.on('error', () => {}) // a test disconnects everyone
  return {
    ...inside(house, edge, () => openNode(engine, env, database, data_dir, options, stock), taking),
    async close() {
      await taking?.end()
      await edge.app.close()
      await closeQueue(house)
      await house.database.close()
      await house.tracing?.close()
    },
  }
}

function inside(house: House, edge: Edge, beside: TestHouse['beside'], taking: pg.Pool | null): TestHouse {
  const withToken = (token: string | null, user_id: Id = ''): Caller => caller(edge, token, user_id, null)
  // Every site has a person in every role, each with a token: the key is read for the first of them.
  let minting: Promise<Mint> | null = null
  const token = async ({ subject, name, email, email_verified }: Omit<Claims, 'user_id'>) => {
    minting ??= openMint(house)
    return (await minting)({ subject, name, email, email_verified }, { seconds: 3600 * 24 * 3650 })
  }
  const person: TestHouse['person'] = async (name, options = {}) => {
    const subject = options.subject ?? ids.next()
    const email = options.superadmin ? 'root@walkdown.test' : options.email === undefined ? `${subject}@people.test` : options.email
    const says = { subject, name, email, email_verified: options.email_verified ?? true }
    const signed = await token(says)
    const me = await withToken(signed).get('/auth/me')
    const user_id: Id = me.body?.user?.id ?? ''
    return caller(edge, signed, user_id, { ...says, user_id })
  }
  const it: TestHouse = {
    house,
    edge,
    person,
    beside,
    nobody: withToken(null),
    withToken: token => withToken(token),
    clock: at => house.clock.set(at),
    rows: async (query, values = []) => (await house.database.pool.query(query, values)).rows,
    world: async (options = {}) => {
      const facts = Object.keys(options).length === 0 ? await it.stocked('world') : null
      return worldOf(it, facts ?? (await makeWorld(it, options)))
    },
    stocked: async kind => (taking !== null && house.clock.now() === MONDAY ? takeOut(taking, kind) : null),
    again: async claims =>
      caller(edge, await (taking === null ? token(claims) : stockedToken(house, claims, token)), claims.user_id, claims),
  }
  return it
}

const stockedTokens = new Map<string, Promise<string>>()

/**
 * Returns a token of a person in the stock. The same people and the same signing key are in every copy of it, so a process signs one token for each person at the
 * hour when tests begin, with each setting that a token contains.
 */
function stockedToken(house: House, claims: Claims, sign: (claims: Claims) => Promise<string>): Promise<string> {
  if (house.clock.now() !== MONDAY) return sign(claims)
  const { public_url, oidc_audience, oidc_client_id } = house.settings
  return remembered(stockedTokens, [claims.subject, public_url, oidc_audience, oidc_client_id].join(' '), () => sign(claims))
}

/** Returns what is known about a person that a test made. */
export const claimsOf = ({ claims }: Caller): Claims => {
  if (claims === null) throw new Error('This person has no account.')
  return claims
}

const enter = async ({ house, person }: TestHouse, site_id: Id, role: Role, contractor_id: Id | null, name: string): Promise<Caller> => {
  const who = await person(name)
  await writingOn(house, { actor: jobActor('test'), cause: 'test.join' }, site_id, ctx =>
    admit(ctx, site_id, {
      user_id: who.user_id,
      role,
      contractor_id,
      requested_contractor_name: null,
      invite_id: null,
      why_pending: null,
      label: name,
    }),
  )
  return who
}

/** Makes a site through the API. */
async function makeWorld(house: TestHouse, options: { timezone?: string; name?: string }): Promise<WorldFacts> {
  const superadmin = await house.person('Sam Root', { superadmin: true, subject: `root-${ids.next()}` })
  // A code that no site in the stock has: the first free code can belong to a site that is taken out later.
  const code = options.name === undefined ? { code: `RQ-${randomBytes(3).toString('hex').toUpperCase()}` } : {}
  const made = await superadmin.post('/sites/', {
    name: options.name ?? 'Riverside Quarter',
    timezone: options.timezone ?? 'Europe/London',
    ...code,
  })
  if (made.status !== 201) throw new Error(`No site: ${made.text}`)
  const site_id: Id = made.body.id
  const [own] = (await superadmin.get(`/sites/${site_id}/members`)).body
  const acme: Id = (await superadmin.post('/contractors/', { site_id, name: 'Acme Scaffolding Ltd', confirm_similar: true })).body.id
  const people: [Role, Claims][] = []
  for (const role of ROLES) {
    const who = await enter(house, site_id, role, role === 'member' || role === 'contractor_hse' ? acme : null, NAMES[role])
    people.push([role, claimsOf(who)])
  }
  // The person who created the site became an administrator; here the superadmin is made a member of no site, so that the flag alone is tested.
  await superadmin.del(`/memberships/${own.membership_id}`)
  return { site_id, superadmin: claimsOf(superadmin), people: Object.fromEntries(people) as WorldFacts['people'] } // one for each role
}

/** Returns a site with callers for its people. */
export async function worldOf(house: TestHouse, facts: WorldFacts): Promise<World> {
  const { site_id } = facts
  const superadmin = await house.again(facts.superadmin)
  const people = new Map<Role, Caller>()
  for (const role of ROLES) people.set(role, await house.again(facts.people[role]))
  return {
    site_id,
    facts,
    superadmin,
    as: role => people.get(role) ?? superadmin,
    join: (role, contractor_id = null, name = `${NAMES[role]} the second`) => enter(house, site_id, role, contractor_id, name),
    stranger: (name = 'Sid Stranger') => house.person(name),
    contractor: async name => (await superadmin.post('/contractors/', { site_id, name, confirm_similar: true })).body.id,
  }
}

const NAMES: Record<Role, string> = {
  admin: 'Ada Admin',
  site_manager: 'Max Manager',
  coordinator: 'Cora Coordinator',
  hse: 'Hal Safety',
  member: 'Mia Member',
  viewer: 'Vic Viewer',
  client: 'Clem Client',
  commercial: 'Connie Commercial',
  contractor_hse: 'Chris Careful',
}

function caller(edge: Edge, token: string | null, user_id: Id, claims: Claims | null): Caller {
  const call = async (method: string, path: string, payload: unknown, headers: Record<string, string> = {}): Promise<Reply> => {
    const raw = typeof payload === 'string' || Buffer.isBuffer(payload)
    const options: InjectOptions = {
      method: method as 'GET', // inject has a method for each HTTP verb
      url: `/api${path}`,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload: raw ? payload : JSON.stringify(payload) }),
    }
    const answer = await edge.app.inject(options)
    let body: unknown
    try {
      body = answer.payload === '' ? undefined : JSON.parse(answer.payload)
    } catch {
      body = undefined
    }
    return { status: answer.statusCode, headers: answer.headers, body, text: answer.payload }
  }
  return {
    token,
    user_id,
    claims,
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
    del: (path, body, headers) => call('DELETE', path, body, headers),
    send: (method, path, parts, headers = {}) => {
      const { payload, type } = multipart(parts)
      return call(method, path, payload, { 'content-type': type, ...headers })
    },
  }
}

/** Returns a multipart body of these parts. */
export function multipart(parts: readonly Part[]): { payload: Buffer; type: string } {
  const boundary = `walkdown${ids.next().replaceAll('-', '')}`
  const chunks = parts.flatMap(part => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${part.name}"${part.filename === undefined ? '' : `; filename="${part.filename}"`}\r\n${part.filename === undefined ? '' : `content-type: ${part.type ?? 'application/octet-stream'}\r\n`}\r\n`,
    ),
    Buffer.isBuffer(part.value) ? part.value : Buffer.from(part.value),
    Buffer.from('\r\n'),
  ])
  return { payload: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]), type: `multipart/form-data; boundary=${boundary}` }
}
