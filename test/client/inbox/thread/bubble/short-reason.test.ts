import { readFileSync } from 'node:fs'
import t from 'tap'
import { shortReason } from '#client/inbox/thread/bubble/short-reason.ts'
import type { InboxT } from '#client/inbox/words.ts'

const words = ((key: string, params?: { reason: string; next: string }) =>
  params ? `${params.reason} ${params.next}` : key) as unknown as InboxT

/** Codes of number registration; no message fails with one. */
const ofRegistration = /^(13300[0589]|13301[56]|13602[45])$/

t.test('every failure of a message has a short reason and a next step for its row', async t => {
  const stories = JSON.parse(readFileSync('locales/es/failures.json', 'utf8')) as Record<string, string>
  const codes = Object.keys(stories).filter(
    code => !['unknown', 'textSaved'].includes(code) && !ofRegistration.test(code),
  )
  t.ok(codes.length > 70)
  for (const code of codes) t.notMatch(shortReason(code, words), /unknown/, code)
  for (const code of ['999999', 'toString', undefined])
    t.equal(shortReason(code, words), 'row.why.unknown failureNext.retry')
})

t.test('a message without confirmation is not called unsent', async t => {
  for (const code of ['UNCONFIRMED', 'TIMEOUT']) t.equal(shortReason(code, words), 'row.unconfirmed')
})
