import { readFileSync } from 'node:fs'
import t from 'tap'
import { failsAgain, mayRetryMany } from '#server/whatsapp/errors/code-meanings.ts'
import { catalogue } from '#server/whatsapp/errors/error-catalogue.ts'
import { failureKey, ownCodes } from '#server/whatsapp/errors/errors.ts'
import { canRetryAfter, failureReason, failureStep, nextAfterFailure } from '#shared/inbox/failures.ts'

const failedAt = '2026-11-20T12:00:00.000Z'

t.test('the next step differs by reason, and Retry is offered only where it can help', async t => {
  t.same(nextAfterFailure('131047', failedAt), { step: 'template' })
  t.same(nextAfterFailure('131026', failedAt), { step: 'checkNumber' })
  t.same(nextAfterFailure('131049', failedAt), { step: 'wait', until: '2026-11-21T12:00:00.000Z' })
  t.same(nextAfterFailure('131050', failedAt), { step: 'optOut' })
  t.same(nextAfterFailure('190', failedAt), { step: 'reconnect' })
  t.same(nextAfterFailure('131042', failedAt), { step: 'pay' })
  t.same(nextAfterFailure('999999', failedAt), { step: 'retry' })
  t.equal(failureReason('toString'), 'unknown')
})

t.test('no step offers what the server would refuse or what cannot succeed yet', async t => {
  for (const [code, { retry, retryAfterMs = 0 }] of catalogue) {
    if (failureReason(code) === 'unknown') continue
    const { step, until } = nextAfterFailure(code, failedAt)
    if (failsAgain(code)) t.notOk(canRetryAfter(step), `${code}: a retry is refused`)
    if (retry === 'later') {
      t.equal(step, 'wait', code)
      t.ok(until && Date.parse(until) - Date.parse(failedAt) >= retryAfterMs, `${code}: not before Meta allows it`)
    }
    if (retry === 'quick' || retry === 'credentials') t.ok(canRetryAfter(step) && mayRetryMany(code), code)
  }
})

t.test('every reason has words of its own in both languages', async t => {
  for (const language of ['es', 'en']) {
    const { why, unconfirmed } = JSON.parse(readFileSync(`locales/${language}/inbox.json`, 'utf8')).row
    for (const code of [...catalogue.keys(), ...ownCodes, '470']) {
      if (failureReason(code) === 'unknown') continue
      t.not(failureKey(code), 'failures:unknown', code)
      t.ok({ ...why, unconfirmed }[failureReason(code)], `${language} ${code}`)
    }
  }
})

t.test('every step has words in both languages', async t => {
  for (const language of ['es', 'en']) {
    const { failureNext } = JSON.parse(readFileSync(`locales/${language}/inbox.json`, 'utf8'))
    for (const code of [...catalogue.keys(), ...ownCodes]) t.ok(failureNext[failureStep(code)], `${language} ${code}`)
  }
  t.equal(failureStep(undefined), 'retry')
})
