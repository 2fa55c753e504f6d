// A third-party OpenID provider, by an independent server (`oauth2-mock-server`), which counts its requests.
import { generateKeyPair } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server'
import type { House } from '../server/base/ctx.ts'
import { openTestHouse, type TestHouse } from './world.ts'

export type Issuer = {
  url: string
  issuer: OAuth2Issuer
  service: OAuth2Service
  /** How often each path was requested. */
  asked: Map<string, number>
  /** Paths that redirect to another one. */
  moved: Map<string, string>
  /** Returns a token by the service's clock; claims replace the defaults, and undefined ones are left out. */
  token(house: House, claims?: Record<string, unknown>, options?: { kid?: string; typ?: string }): Promise<string>
  stop(): Promise<void>
  start(): Promise<void>
}

/** Returns a new RSA key of this length, for RS256. */
export async function rsaKey(kid: string, modulusLength: number) {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength })
  return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }
}

/** Starts a provider with one key for each accepted algorithm. */
export async function startIssuer(options: { trailing_slash?: boolean } = {}): Promise<Issuer> {
  const issuer = new OAuth2Issuer(options.trailing_slash)
  await issuer.keys.add(await rsaKey('rsa-1', 3072))
  await issuer.keys.generate('ES256', { kid: 'ec-1' })
  await issuer.keys.generate('EdDSA', { kid: 'ed-1', crv: 'Ed25519' })
  const service = new OAuth2Service(issuer)
  const asked = new Map<string, number>()
  const moved = new Map<string, string>()
  let port = 0
  let server: Server | null = null
  const start = async () => {
    const made = createServer((request, response) => {
      const path = request.url ?? ''
      asked.set(path, (asked.get(path) ?? 0) + 1)
      const to = moved.get(path)
      if (to !== undefined) {
        response.writeHead(302, { location: to }).end()
        return
      }
      service.requestHandler(request, response)
    })
    await new Promise<void>(done => made.listen(port, '127.0.0.1', done))
    port = (made.address() as AddressInfo).port // a TCP server has a port
    server = made
    issuer.url = `http://127.0.0.1:${port}`
  }
  const stop = async () => {
    server?.closeAllConnections()
    await new Promise<void>(done => (server === null ? done() : server.close(() => done())))
    server = null
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    issuer,
    service,
    asked,
    moved,
    start,
    stop,
    token: (house, claims = {}, { kid = 'ec-1', typ } = {}) => {
      const now = Math.floor(Date.parse(house.clock.now()) / 1000)
      return issuer.buildToken({
        kid,
        scopesOrTransform: (header, payload) => {
          if (typ !== undefined) header.typ = typ
          Object.assign(payload, { aud: 'walkdown', sub: 'sub-1', name: 'Ana Ruiz', email: 'ana@firm.example', email_verified: true })
          Object.assign(payload, { iat: now, nbf: now, exp: now + 900 }, claims)
          for (const [name, value] of Object.entries(payload)) if (value === undefined) delete payload[name]
        },
      })
    },
  }
}

/** Runs a test with a provider and a service that trusts it, and closes both. */
export async function withIssuer(
  work: (issuer: Issuer, house: TestHouse) => Promise<void>,
  options: { trailing_slash?: boolean; env?: Record<string, string>; down?: boolean } = {},
): Promise<void> {
  const issuer = await startIssuer(options)
  if (options.down) await issuer.stop()
  const house = await openTestHouse({ OIDC_ISSUER: `${issuer.url}${options.trailing_slash ? '/' : ''}`, ...options.env })
  try {
    await work(issuer, house)
  } finally {
    await house.close()
    await issuer.stop()
  }
}
