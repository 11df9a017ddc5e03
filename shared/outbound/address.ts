/** Names that only mean something inside a network. */
const innerName = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|onion)$/

const maxAddressChars = 2048

/**
 * Whether an address that somebody typed may be called at all: https on the usual port, a full name, nobody's password.
 * No number stands for a name, in whatever spelling. What the name means is looked at again when connecting.
 */
export const isOutboundAddress = (address: string): boolean => {
  if (address.length > maxAddressChars || !URL.canParse(address)) return false
  const { protocol, hostname, port, username, password } = new URL(address)
  if (protocol !== 'https:' || port || username || password) return false
  // The last part of a number, as the parser spells it, is digits; that of IPv6 a bracket.
  return /^[a-z0-9.-]+\.[a-z][a-z0-9-]*\.?$/.test(hostname) && !innerName.test(hostname.replace(/\.$/, ''))
}
