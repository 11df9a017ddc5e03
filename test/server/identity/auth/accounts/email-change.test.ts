import t, { type Test } from 'tap'
import { handClock } from '#test/helpers/clock.ts'
import { enableSecondFactor } from '#test/helpers/second-factor.ts'
import { anInstallation, newestCode } from '#test/helpers/sign-in.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const backend = async (t: Test) => {
  const clock = handClock(new Date().toISOString())
  const one = await anInstallation({ env: { SIGNUP: 'open' }, clock })
  t.teardown(() => one.end())
  const call = (method: 'POST' | 'PUT', path: string, cookie: string, body: object) =>
    one.app.inject({
      method,
      url: `/api/account/email${path}`,
      headers: { cookie, 'content-type': 'application/json', 'accept-language': 'es' },
      payload: JSON.stringify(body),
    })
  const lastTo = (address: string) => newestCode(one.letters().filter(letter => letter.includes(`To: ${address}`)))
  /** Requests the codes of a change and reads both from the mails. */
  const codesFor = async (cookie: string, from: string, to: string) => {
    const reply = await call('POST', '/codes', cookie, { email: to })
    if (reply.statusCode !== 200) throw new Error(reply.body)
    return { email: to, oldCode: lastTo(from), newCode: lastTo(to.toLowerCase()) }
  }
  const change = (cookie: string, body: object) => call('PUT', '', cookie, body)
  const emailOf = async (cookie: string) => {
    const reply = await one.app.inject({ url: '/api/viewer', headers: { cookie } })
    return reply.statusCode === 200 ? reply.json().user.email : reply.statusCode
  }
  return { ...one, clock, call, codesFor, change, emailOf }
}

const facts = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code]
const [old, fresh] = ['ana@example.com', 'ana.nueva@example.com']

t.test('an address changes with the codes of both mails; both addresses are notified, and sessions stay', async t => {
  const { signIn, codesFor, change, emailOf, sentLetters } = await backend(t)
  const [cookie, there, stranger] = [await signIn(old), await signIn(old), await signIn('otra@example.com')]
  const codes = await codesFor(cookie, old, 'Ana.Nueva@Example.com')
  t.equal(await emailOf(cookie), old, 'requesting does not change it')
  t.equal((await change(cookie, codes)).statusCode, 200)
  t.same([await emailOf(cookie), await emailOf(there), await emailOf(stranger)], [fresh, fresh, 'otra@example.com'])
  const notices = (await sentLetters()).filter(letter => /El correo de tu cuenta de Recado cambi/.test(letter))
  t.same(notices.map(letter => letter.match(/^To: (\S+)/m)?.[1]).sort(), [fresh, old])
  t.equal(await emailOf(await signIn(fresh)), fresh, 'and the new address signs in')
  t.same(facts(await change(cookie, codes)), [400, 'AUTH_EMAIL_SAME'])
})

t.test('one code is not enough, nor is one for another address, session or hour', async t => {
  const { signIn, codesFor, change, emailOf, clock } = await backend(t)
  const [cookie, there] = [await signIn(old), await signIn(old)]
  const codes = await codesFor(cookie, old, fresh)
  for (const [wrong, field] of [
    [{ ...codes, oldCode: '000000' }, 'body.oldCode'],
    [{ ...codes, newCode: '000000' }, 'body.newCode'],
    [{ ...codes, oldCode: codes.newCode }, 'body.oldCode'],
    [{ ...codes, newCode: codes.oldCode }, 'body.newCode'],
    [{ ...codes, email: 'eva@example.com' }, 'body.oldCode'],
  ] as const) {
    const reply = await change(cookie, wrong)
    t.same(facts(reply), [400, 'AUTH_INVALID_OTP'])
    t.equal(reply.json().details[0].field, field)
  }
  t.same(facts(await change(there, codes)), [400, 'AUTH_INVALID_OTP'])
  clock.advance(10 * 60_000 + 1)
  t.same(facts(await change(cookie, codes)), [400, 'AUTH_INVALID_OTP'])
  t.equal(await emailOf(cookie), old)
})

t.test('a taken address is refused only after its code was entered, so that nobody else learns of it', async t => {
  const { signIn, codesFor, change, emailOf, call } = await backend(t)
  const taken = 'otra@example.com'
  const [cookie, other] = [await signIn(old), await signIn(taken)]
  const known = await call('POST', '/codes', cookie, { email: taken })
  const unknown = await call('POST', '/codes', cookie, { email: 'nobody@example.com' })
  t.same([known.statusCode, known.body], [unknown.statusCode, unknown.body])
  const codes = await codesFor(cookie, old, taken)
  const refused = await change(cookie, codes)
  t.same(facts(refused), [409, 'AUTH_EMAIL_TAKEN'])
  t.same([await emailOf(cookie), await emailOf(other)], [old, taken])
  const again = await change(cookie, codes)
  t.same(facts(again), [409, 'AUTH_EMAIL_TAKEN'], 'the codes stay valid until the change')
})

t.test('of two concurrent changes to one address one succeeds', async t => {
  const { signIn, codesFor, change, emailOf } = await backend(t)
  const [ana, beto] = [await signIn(old), await signIn('beto@example.com')]
  const first = await codesFor(ana, old, fresh)
  const second = await codesFor(beto, 'beto@example.com', fresh)
  const replies = await Promise.all([change(ana, first), change(beto, second)])
  t.same(replies.map(reply => reply.statusCode).sort(), [200, 409])
  t.equal([await emailOf(ana), await emailOf(beto)].filter(email => email === fresh).length, 1)
})

t.test('a person with a second factor must give a code of it, too', async t => {
  const { signIn, codesFor, change, app, clock, lastCode } = await backend(t)
  const cookie = await signIn(old)
  await app.inject({ method: 'POST', url: '/api/account/password/code', headers: { cookie }, payload: {} })
  const mine = await enableSecondFactor(app, { cookie, proof: { code: lastCode() }, clock })
  const codes = await codesFor(cookie, old, fresh)
  t.same(facts(await change(cookie, codes)), [400, 'AUTH_SECOND_CODE_REQUIRED'])
  t.same(facts(await change(cookie, { ...codes, secondCode: '000000' })), [400, 'AUTH_SECOND_CODE_WRONG'])
  clock.advance(30_000)
  t.equal((await change(cookie, { ...codes, secondCode: mine.app.code() })).statusCode, 200)
})

t.test('codes are mailed at most five times an hour, and can be guessed at most ten times', async t => {
  const { signIn, codesFor, change, call } = await backend(t)
  const cookie = await signIn(old)
  let codes = { email: '', oldCode: '', newCode: '' }
  for (let i = 0; i < 5; i += 1) codes = await codesFor(cookie, old, fresh)
  t.same(facts(await call('POST', '/codes', cookie, { email: fresh })), [429, 'AUTH_TOO_MANY_LETTERS'])
  for (let i = 0; i < 10; i += 1) await change(cookie, { ...codes, newCode: `${100_000 + i}` })
  t.same(facts(await change(cookie, codes)), [429, 'AUTH_TOO_MANY_CHANGES'])
})

t.test('an invalid address changes nothing', async t => {
  const { signIn, call, letters } = await backend(t)
  const cookie = await signIn(old)
  const before = letters().length
  for (const email of [
    '',
    'ana',
    'ana@',
    '@x.com',
    'a b@x.com',
    'a@x.com,b@x.com',
    '<a@x.com>',
    `${'a'.repeat(10_000)}@x.com`,
    7,
  ])
    t.same(facts(await call('POST', '/codes', cookie, { email })), [400, 'APP_VALIDATION'], String(email).slice(0, 20))
  t.same(facts(await call('POST', '/codes', cookie, { email: 'ANA@example.com' })), [400, 'AUTH_EMAIL_SAME'])
  t.equal(letters().length, before)
})
