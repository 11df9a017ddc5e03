import { BlockList, isIP } from 'node:net'
import { isInnerAddress, isOutboundAddress } from '#shared/outbound/address.ts'
import { isPublicAddress } from './address.ts'

/** Accepts ranges such as `10.0.0.0/8`. */
export const isAddressOrRange = (text: string): boolean => {
  const [ip = '', bits, ...rest] = text.split('/')
  const family = isIP(ip)
  if (!family || rest.length) return false
  return (
    bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 6 ? 128 : 32))
  )
}

/** Reads OUTBOUND_ALLOW: addresses and ranges, separated by commas. */
export function readAllowedAddresses(text: string): { addresses: readonly string[]; faults: readonly string[] } {
  const addresses = text
    .split(',')
    .map(one => one.trim())
    .filter(Boolean)
  const faults = addresses
    .filter(one => !isAddressOrRange(one))
    .map(
      one =>
        `OUTBOUND_ALLOW: "${one}" is no address; use IP addresses or ranges separated by commas, for example OUTBOUND_ALLOW=127.0.0.1,10.0.0.0/8`,
    )
  return { addresses, faults }
}

/** True if the operator allowed calls to this private IP address. */
export type IsAllowed = (ip: string) => boolean

/** @param addresses what `readAllowedAddresses` read without a fault */
export function allowedBy(addresses: readonly string[]): IsAllowed {
  if (!addresses.length) return () => false
  const list = new BlockList()
  for (const one of addresses) {
    const [ip = '', bits] = one.split('/')
    const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(ip, family)
    else list.addSubnet(ip, Number(bits), family)
  }
  return ip => isIP(ip) !== 0 && list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

/** The host of a URL as an IP address; undefined: it is a name. */
export const ipOf = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) ? host : undefined
}

/**
 * The returned function tells whether an address that people typed may be called. Beyond `isOutboundAddress`, a list of
 * the operator admits http, ports, IP addresses and inner names; the connection then reaches nothing outside that list.
 */
export function createMayCall(addresses: readonly string[]): (address: string) => boolean {
  const isAllowed = allowedBy(addresses)
  return address => {
    if (isOutboundAddress(address)) return true
    if (!addresses.length || !isInnerAddress(address)) return false
    const ip = ipOf(new URL(address))
    return ip === undefined || isAllowed(ip)
  }
}

/** Reads PRODUCT_API_URL. What a name resolves to is checked with every connection. */
export function readUpstreamUrl(text: string, allowed: readonly string[]): { url?: string; fault?: string } {
  const shown = text.replace(/\/\/[^@/]*@/, '//…@')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username || url.password)
    return {
      fault: `Invalid base URL: PRODUCT_API_URL="${shown}". Please provide a valid base URL, for example PRODUCT_API_URL=https://api.example.com`,
    }
  const ip = ipOf(url)
  const withoutPort = `https://${url.hostname}/`
  const isPublic = url.protocol === 'https:' && (ip ? isPublicAddress(ip) : isOutboundAddress(withoutPort))
  if (isPublic || createMayCall(allowed)(text)) return { url: text.replace(/\/+$/, '') }
  return {
    fault: `PRODUCT_API_URL="${shown}": use https and a public host, or allow its private address, for example OUTBOUND_ALLOW=${ip ?? '127.0.0.1'}`,
  }
}
