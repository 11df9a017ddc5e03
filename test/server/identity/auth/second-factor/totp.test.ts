import t from 'tap'
import { createTotpSecret, findStep, stepAt, totpAddress } from '#server/identity/auth/second-factor/totp.ts'
import { totpCode } from '#test/helpers/second-factor.ts'

/** The key of RFC 6238, appendix B, for SHA-1. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

t.test('the codes are those of RFC 6238, to six digits', async t => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const)
    t.equal(totpCode(rfcSecret, stepAt(new Date(seconds * 1000))), code, `${seconds}`)
})

t.test('a code is valid in its half minute, the one before and the one after', async t => {
  const now = new Date('2026-11-22T15:00:10.000Z')
  const step = stepAt(now)
  for (const [distance, counts] of [
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ] as const)
    t.equal(findStep(rfcSecret, totpCode(rfcSecret, step + distance), now), counts ? step + distance : undefined)
  for (const odd of ['', '12345', '1234567', 'abcdef', '12 345']) t.equal(findStep(rfcSecret, odd, now), undefined)
})

t.test('a secret has 160 bits, and the address names product and person', async t => {
  const secret = createTotpSecret()
  t.match(secret, /^[A-Z2-7]{32}$/)
  t.not(secret, createTotpSecret())
  const address = new URL(totpAddress(secret, 'ana+1@example.com'))
  t.equal(address.protocol, 'otpauth:')
  t.equal(decodeURIComponent(address.pathname).replace(/^\/+(totp\/)?/, ''), 'Recado:ana+1@example.com')
  t.same(Object.fromEntries(address.searchParams), { secret, issuer: 'Recado' })
})
