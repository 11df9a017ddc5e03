/** Host names that exist only inside a network. */
const innerName = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|onion)$/

const maxAddressChars = 2048

/**
 * A typed address may be called if it has https on the default port, and a full host name without credentials, not an
 * IP address in any spelling. The connection checks what the name resolves to.
 */
export const isOutboundAddress = (address: string): boolean => {
  if (address.length > maxAddressChars || !URL.canParse(address)) return false
  const { protocol, hostname, port, username, password } = new URL(address)
  if (protocol !== 'https:' || port || username || password) return false
  // A host's last label is digits for an IPv4 address as the parser writes it; an IPv6 address ends with a bracket.
  return /^[a-z0-9.-]+\.[a-z][a-z0-9-]*\.?$/.test(hostname) && !innerName.test(hostname.replace(/\.$/, ''))
}

/**
 * The operator may have allowed such a typed address inside the network: http, ports, IP addresses and inner names.
 * Which of them are allowed, only the server knows.
 */
export const isInnerAddress = (address: string): boolean => {
  if (address.length > maxAddressChars || !URL.canParse(address)) return false
  const { protocol, username, password } = new URL(address)
  return (protocol === 'https:' || protocol === 'http:') && !username && !password
}
