import { createHmac, hash, timingSafeEqual } from 'node:crypto'

const signaturePattern = /^sha256=[0-9a-f]{64}$/i
const schemeLength = 'sha256='.length

const blockBytes = 64
const hashBytes = 32
/** Nearly all webhooks are smaller. */
const atOnceBytes = 64 * 1024

/** Reused buffers: the key followed by what is signed. */
const inner = Buffer.alloc(blockBytes + atOnceBytes)
const outer = Buffer.alloc(blockBytes + hashBytes)
const given = Buffer.alloc(hashBytes)
const ours = Buffer.alloc(hashBytes)

const fillBlock = (block: Buffer, key: Buffer, mask: number) => {
  block.fill(mask, 0, blockBytes)
  for (let i = 0; i < key.length; i += 1) block[i] = (key[i] as number) ^ mask
}

/**
 * HMAC by its definition, with two hashes that create no garbage: the object that Node makes for an HMAC costs as much
 * as both hashes, and as much again to collect.
 * @see RFC 2104 §2
 */
const hmacAtOnce = (key: Buffer, raw: Buffer) => {
  fillBlock(inner, key, 0x36)
  raw.copy(inner, blockBytes)
  fillBlock(outer, key, 0x5c)
  outer.write(hash('sha256', inner.subarray(0, blockBytes + raw.length)), blockBytes, 'hex')
  ours.write(hash('sha256', outer), 'hex')
}

const hmac = (appSecret: string, raw: Buffer) => {
  const key = Buffer.from(appSecret)
  if (key.length <= blockBytes && raw.length <= atOnceBytes) hmacAtOnce(key, raw)
  else createHmac('sha256', key).update(raw).digest().copy(ours)
}

/**
 * True if Meta signed exactly these bytes with the app's secret. Only the raw body works: parsed and serialized it
 * would differ (Meta escapes `/` and non-ASCII characters). Constant time. An empty secret never matches, and the old
 * SHA-1 header is ignored.
 * @see Meta, "Webhooks › Validating payloads"
 */
export function verifySignature(raw: Buffer, header: string | undefined, appSecret: string): boolean {
  if (header === undefined || appSecret === '' || !signaturePattern.test(header)) return false
  given.write(header.slice(schemeLength), 'hex')
  hmac(appSecret, raw)
  return timingSafeEqual(given, ours)
}
