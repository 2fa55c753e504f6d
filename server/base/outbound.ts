// Calls to addresses that a user entered: names are resolved here, and private or local addresses are not called.
import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const closed = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  closed.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  closed.addSubnet(network, prefix, 'ipv6')

/** Returns whether an IP address can't belong to a public service: private, local, shared, reserved, or one of these written as IPv6. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return true
  return closed.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Thrown if a name leads to an address that must never be called. */
export class PrivateAddress extends Error {
  constructor(host: string) {
    super(`${host} is a private or local address.`)
    this.name = 'PrivateAddress'
  }
}

/**
 * Resolves a name for a connection that is about to be made, and refuses it if any of its addresses is private: the address that was checked is the one
 * that is called.
 */
export const publicLookup: LookupFunction = (host, options, done) => {
  resolve(host, { ...options, all: true }, (error, found) => {
    if (error !== null) return done(error, [])
    if (found.length === 0 || found.some(one => isPrivateAddress(one.address))) return done(new PrivateAddress(host), [])
    const [first] = found
    if (options.all || first === undefined) done(null, found)
    else done(null, first.address, first.family)
  })
}
