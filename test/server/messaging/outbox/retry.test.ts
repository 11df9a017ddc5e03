import t from 'tap'
import { addressFor, decide } from '#server/messaging/outbox/retry.ts'
import { type RetryClass, WhatsAppError } from '#server/whatsapp/provider.ts'

const error = (retry: RetryClass, code = '131000', retryAfterMs?: number) =>
  new WhatsAppError({ code, retry, retryAfterMs, message: 'x', detail: 'd' })
const facts = { tries: 1, to: '5491155551234', lastErrorCode: null, isUnconfirmedContact: false }

t.test('a send that may have arrived is never repeated, however many tries', async t => {
  for (const tries of [1, 5, 50])
    t.same(decide(error('unknown', 'TIMEOUT'), { ...facts, tries }), { kind: 'unknown', code: 'TIMEOUT', detail: 'd' })
})

t.test('`never` and `credentials` fail at once', async t => {
  for (const retry of ['never', 'credentials'] as const)
    t.same(decide(error(retry, '190'), facts), { kind: 'failed', code: '190', detail: 'd' })
})

t.test('`quick` is tried four times, each wait four times the last', async t => {
  const waits = [1, 2, 3].map(tries => decide(error('quick'), { ...facts, tries }))
  t.same(
    waits,
    [1000, 4000, 16_000].map(afterMs => ({ kind: 'retry', afterMs })),
  )
  t.equal(decide(error('quick'), { ...facts, tries: 4 }).kind, 'failed')
})

t.test('`later` waits as long as Meta asks, at least the backoff, but never silently for hours', async t => {
  t.same(decide(error('later', '131056', 60_000), facts), { kind: 'retry', afterMs: 60_000 })
  t.same(decide(error('later', '131056'), { ...facts, tries: 7 }), { kind: 'retry', afterMs: 900_000 })
  t.equal(decide(error('later', '131056'), { ...facts, tries: 8 }).kind, 'failed')
  t.equal(decide(error('later', '131048', 6 * 3_600_000), facts).kind, 'failed')
})

t.test('only a limit of the whole number pauses the whole number', async t => {
  t.match(decide(error('later', '130429', 5000), facts), { kind: 'retry', pausesNumberMs: 5000 })
  t.notMatch(decide(error('later', '131056', 5000), facts), { pausesNumberMs: 5000 })
})

t.test('the other spelling is tried once, at once, and never for a user id', async t => {
  t.same(decide(error('never', '131030'), facts), { kind: 'retry', afterMs: 0 })
  t.equal(decide(error('never', '131030'), { ...facts, tries: 2, lastErrorCode: '131030' }).kind, 'failed')
  t.equal(decide(error('never', '131030'), { ...facts, to: 'AR.13491208655302741918' }).kind, 'failed')
  t.equal(decide(error('never', '131026'), facts).kind, 'failed')
  t.equal(decide(error('never', '131026'), { ...facts, isUnconfirmedContact: true }).kind, 'retry')
  t.equal(
    decide(error('never', '131030'), { ...facts, tries: 9, lastErrorCode: '131000' }).kind,
    'failed',
    'not for ever',
  )
})

t.test('the address follows the last refusal', async t => {
  const base = { to: '5491155551234', isUnconfirmedContact: false }
  t.equal(
    addressFor({ ...base, attempts: 0, lastErrorCode: '131030' }),
    '5491155551234',
    'a person who retries starts over',
  )
  t.equal(addressFor({ ...base, attempts: 1, lastErrorCode: '131030' }), '541155551234')
  t.equal(addressFor({ ...base, attempts: 1, lastErrorCode: '131000' }), '5491155551234')
  t.equal(addressFor({ ...base, attempts: 1, lastErrorCode: '131026' }), '5491155551234')
})
