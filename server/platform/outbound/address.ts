import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Addresses that are not public: this machine, private networks, multicast and reserved ranges. @see IANA special-purpose registries */
const inside = new BlockList()
for (const [net, bits] of [
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
  inside.addSubnet(net, bits, 'ipv4')
/** The public addresses of IPv6: global unicast, without tunnels that lead to IPv4 and without documentation ranges. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inside.addSubnet(net, bits, 'ipv6')

export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !inside.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !inside.check(address, 'ipv6')
}

export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
}

type Lookup = typeof systemLookup

/**
 * Resolves a name for a connection and refuses it if any of its addresses is private. The connection uses this very
 * answer, so a name that resolves differently a moment later (DNS rebinding) gains nothing. `admits`: absent, public
 * addresses.
 */
export const publicLookup =
  (lookup: Lookup = systemLookup, admits: (ip: string) => boolean = isPublicAddress): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? []
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '', 0)
      const refused = addresses.find(({ address }) => !admits(address))
      if (refused) return callback(new PrivateAddress(`${hostname} leads inside`), '', 0)
      if (options.all) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
