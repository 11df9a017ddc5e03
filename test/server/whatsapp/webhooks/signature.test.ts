import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { verifySignature } from '#server/whatsapp/webhooks/signature.ts'

const secret = 'sandbox-app-secret'
const sign = (raw: Uint8Array, key: string) => `sha256=${createHmac('sha256', key).update(raw).digest('hex')}`

t.test('only the exact bytes that were signed are accepted', async t => {
  const short = Buffer.from(String.raw`{"a":"\u00e1\/"}`)
  const shortSignature = 'sha256=2486a463d9b0ef19abce421642aa988e94efc61420c13e6cc5d188079f409d50'
  t.ok(verifySignature(short, shortSignature, secret))
  const line = Buffer.from(
    String.raw`{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","changes":[{"value":{"messaging_product":"whatsapp","metadata":{"display_phone_number":"15550783881","phone_number_id":"106540352242922"},"contacts":[{"profile":{"name":"Jos\u00e9 \u00d1and\u00fa"},"wa_id":"5491155551234"}],"messages":[{"from":"5491155551234","id":"wamid.HBgNNTQ5MTE1NTU1MTIzNBUCABIYFDNBNEE2NTk5QUVFMDM4MTAxNDRGAA==","timestamp":"1763632800","type":"text","text":{"body":"\u00bfHola? \ud83d\udc4d http:\/\/x.y\/z"}}]},"field":"messages"}]}]}`,
  )
  const signature = 'sha256=72673dfe4f91635c0bef4ba28b3cd4681b92e3d6d2bf4575911c4e181755c5d8'
  t.equal(line.length, 529)
  t.ok(verifySignature(line, signature, secret))

  const rewritten = Buffer.from(JSON.stringify(JSON.parse(line.toString())))
  t.equal(rewritten.length, 502)
  t.notOk(verifySignature(rewritten, signature, secret), 'the same JSON serialized again has another signature')
  const own = `sha256=${createHmac('sha256', secret).update(rewritten).digest('hex')}`
  t.equal(own, 'sha256=9cbbcc331e6e7792888327149d5c82b5493ce74188614e80c7ec217823745487')
  t.notOk(verifySignature(line, own, secret), 'a signature over reserialized bytes is refused')
})

t.test('what is not a signature is refused without an exception', async t => {
  const raw = Buffer.from('{}')
  const good = createHmac('sha256', secret).update(raw).digest('hex')
  t.ok(verifySignature(raw, `sha256=${good}`, secret))
  const headers = [
    undefined,
    '',
    good,
    `sha1=${good.slice(0, 40)}`,
    `sha256=${good.slice(1)}`,
    `sha256=${good}0`,
    `sha256=${'z'.repeat(64)}`,
    `sha256= ${good}`,
  ]
  for (const header of headers) t.notOk(verifySignature(raw, header, secret), String(header))
  t.notOk(verifySignature(raw, `sha256=${good}`, 'another secret'))
  t.notOk(verifySignature(Buffer.from('{} '), `sha256=${good}`, secret))
  const unsigned = createHmac('sha256', '').update(raw).digest('hex')
  t.notOk(verifySignature(raw, `sha256=${unsigned}`, ''), 'an empty secret is never valid')
})

t.test('the HMAC equals that of Node, for bodies and secrets of any length', async t => {
  const secrets = fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ minLength: 60, maxLength: 70 }))
  fc.assert(
    fc.property(secrets, fc.uint8Array({ maxLength: 3000 }), (key, bytes) => {
      const raw = Buffer.from(bytes)
      const header = sign(raw, key)
      return verifySignature(raw, header, key) && verifySignature(raw, header.toUpperCase(), key)
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), fc.nat({ max: 7 }), (bytes, at, bit) => {
      const raw = Buffer.from(bytes)
      const header = sign(raw, secret)
      raw[at % raw.length] = (raw[at % raw.length] as number) ^ (1 << bit)
      return !verifySignature(raw, header, secret)
    }),
  )
  for (const length of [0, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 3 * 1024 * 1024])
    for (const key of ['k', 'k'.repeat(64), 'k'.repeat(65), 'ñ'.repeat(33)]) {
      const raw = Buffer.alloc(length, 'a')
      t.ok(verifySignature(raw, sign(raw, key), key), `${length} bytes, a key of ${key.length} letters`)
      t.notOk(verifySignature(raw, sign(raw, `${key}k`), key))
    }
})

t.test('a longer webhook or secret leaves nothing behind that affects the next', async t => {
  const long = Buffer.alloc(5000, 'x')
  t.ok(verifySignature(long, sign(long, 's'.repeat(64)), 's'.repeat(64)))
  const short = Buffer.from('{}')
  t.ok(verifySignature(short, sign(short, 's'), 's'))
  t.notOk(verifySignature(short, sign(short, 's'.repeat(64)), 's'))
})
