import t from 'tap'
import { findExceeded, leftOfCanary, maxUnconfirmed } from '#server/features/bulk-sends/sending/limits.ts'

const none = {
  planned: 0,
  queued: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  replied: 0,
  unconfirmed: 0,
  failed: 0,
  omitted: 0,
}
const fromTheStart = { settled: 0, failed: 0, optedOut: 0, quality: null }
const send = (counts: Partial<typeof none>, facts: { optedOut?: number; judgedFrom?: typeof fromTheStart } = {}) => ({
  counts: { ...none, ...counts },
  optedOut: facts.optedOut ?? 0,
  judgedFrom: facts.judgedFrom ?? fromTheStart,
  care: {
    canary: { people: 10, waitMinutes: 5 },
    hours: null,
    limits: { failedPercent: 10, optedOutPercent: 5 },
    marketingCap: null,
  },
})

t.test('a limit is exceeded above its value, not at it, and only after enough results', async t => {
  t.equal(findExceeded(send({ delivered: 90, failed: 10 }), 20), undefined)
  t.equal(findExceeded(send({ delivered: 89, failed: 11 }), 20), 'tooManyFailed')
  t.equal(findExceeded(send({ delivered: 10, failed: 9 }), 20), undefined)
  t.equal(findExceeded(send({ delivered: 10, failed: 9 }), 1), 'tooManyFailed')
  t.equal(findExceeded(send({}), 1), undefined)
})

t.test('unsettled recipients count neither way', async t => {
  t.equal(findExceeded(send({ queued: 500, planned: 500, omitted: 50, read: 20, failed: 3 }), 20), 'tooManyFailed')
})

t.test('opt-outs have a limit of their own', async t => {
  t.equal(findExceeded(send({ read: 100 }, { optedOut: 5 }), 20), undefined)
  t.equal(findExceeded(send({ read: 100 }, { optedOut: 6 }), 20), 'tooManyOptedOut')
})

t.test('results known at resuming are not counted again', async t => {
  const judgedFrom = { settled: 30, failed: 15, optedOut: 0, quality: null }
  t.equal(findExceeded(send({ read: 35, failed: 15 }, { judgedFrom }), 20), undefined)
  t.equal(findExceeded(send({ read: 35, failed: 18 }, { judgedFrom }), 20), 'tooManyFailed')
})

t.test('the canary counts recipients whose turn has come, without omitted ones', async t => {
  t.equal(leftOfCanary(send({ planned: 20, omitted: 5, sent: 4 })), 6)
  t.equal(leftOfCanary(send({ planned: 14, sent: 10 })), null)
})

t.test('as many may be unconfirmed as may fail', async t => {
  t.equal(maxUnconfirmed(send({})), 0)
  t.equal(maxUnconfirmed(send({ delivered: 90, queued: 30 })), 10, 'were they to fail, it would be at its limit')
  t.equal(maxUnconfirmed(send({ delivered: 85, failed: 5 })), 4)
  t.equal(maxUnconfirmed(send({ delivered: 50, failed: 50 })), 0)
  const { care, ...rest } = send({ delivered: 80 })
  const limited = (failedPercent: number | null) => ({
    ...rest,
    care: { ...care, limits: { ...care.limits, failedPercent } },
  })
  t.equal(maxUnconfirmed(limited(null)), 20, 'without a limit of its own the usual one')
  t.equal(maxUnconfirmed(limited(100)), Number.POSITIVE_INFINITY)
})
