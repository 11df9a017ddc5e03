import { BlockList, isIP, isIPv6 } from 'node:net'

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** `203.0.113.7`, or a range such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  if (rest.length || !isIP(address)) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32))
}

/** An IPv4 address counts also in IPv6's form. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (!isIP(address)) return false
  const list = new BlockList()
  for (const network of networks) {
    const [own = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(own, familyOf(own))
    else list.addSubnet(own, Number(bits), familyOf(own))
  }
  return list.check(address, familyOf(address))
}
