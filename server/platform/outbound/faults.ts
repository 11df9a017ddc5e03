/** Errors of DNS, connection and TLS, before anything of the request was written. */
const neverLeft = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
])
/** TLS alerts that occur only in a handshake; others may come during a connection. */
const handshakeFault =
  /^ERR_SSL_.*(WRONG_VERSION|HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNRECOGNIZED_NAME)/

/** An error of `fetch`, of the network or of the system. */
export type Fault = { code?: unknown; name?: unknown; message?: unknown; syscall?: unknown; cause?: unknown }

/** The error and its causes. `fetch` hides the reason in `cause`, sometimes two levels deep. */
export const faultsIn = (fault: unknown): Fault[] => {
  const chain: Fault[] = []
  for (let next = fault; typeof next === 'object' && next !== null && chain.length < 5; next = (next as Fault).cause)
    chain.push(next as Fault)
  return chain
}

/** Nothing of the request reached the other side. */
export const hasNeverLeft = ({ code, syscall, message }: Fault): boolean =>
  (typeof code === 'string' && (neverLeft.has(code) || handshakeFault.test(code))) ||
  syscall === 'connect' ||
  syscall === 'getaddrinfo' ||
  (code === 'ECONNRESET' && /before secure TLS connection/.test(String(message)))
