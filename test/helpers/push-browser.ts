import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'

/** A browser with its push keys, which decrypts the pushes that it receives. */
export const aBrowser = (host = 'push.example.com') => {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys()
  const auth = randomBytes(16)
  const subscription = {
    endpoint: `https://${host}/send/${randomBytes(8).toString('hex')}`,
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
  }
  /** Decrypts as in RFC 8291, with node:crypto only. @throws if the push is not encrypted for this browser */
  const open = (body: Buffer): unknown => {
    const salt = body.subarray(0, 16)
    const recordSize = body.readUInt32BE(16)
    const keyLength = body[20] as number
    const server = body.subarray(21, 21 + keyLength)
    const sealed = body.subarray(21 + keyLength)
    if (sealed.length > recordSize) throw new Error('The push has more than the one record that RFC 8291 allows')
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, server])
    const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(server), auth, info, 32))
    const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString())
  }
  return { subscription, open }
}

export interface Vapid {
  /** The public key of the header, base64url. */
  readonly key: string
  readonly algorithm: string
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string }
}

/**
 * Reads `vapid t={jwt}, k={public key}`.
 * @see RFC 8292
 * @throws if the token is not signed with that key
 */
export const openVapid = (authorization: string): Vapid => {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('The token is not signed with the key of its header')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { key, algorithm: read(head).alg, claims: read(claims) }
}
