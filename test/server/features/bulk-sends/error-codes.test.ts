/**
 * Error codes of Meta's, said of one message of a bulk send, with the simulator as Meta: by day one of each kind of code,
 * at night all of them.
 */
import t from 'tap'
import {
  blocksAccount,
  limitsWholeNumber,
  mayKnowOtherSpelling,
  mayRetryMany,
  refusesMarketing,
  whyManyStop,
} from '#server/whatsapp/code-meanings.ts'
import { catalogue } from '#server/whatsapp/error-catalogue.ts'
import type { BulkSend } from '#shared/bulk-sends/api.ts'
import { testNumberFaults } from '#shared/simulator/faults.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { casesOfEachKind } from '#test/helpers/night.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs * 3)

const people = 4
/** One is left to be stopped. */
const perSecond = people - 1
/** Longer than WhatsApp holds anything back. */
const longMs = 7 * 3_600_000
const got = new Set(['sent', 'delivered', 'read'])
/** A limit lasts longer than somebody should wait for a message: it fails, and nothing of the send is lost by it. */
const tooLong = ['131048', '131064', '132069', '133016']
/** Codes that a bulk send answers differently are of different kinds. */
const codes = casesOfEachKind(catalogue, ([code, { retry }]) =>
  JSON.stringify([
    ...[retry, whyManyStop(code), mayRetryMany(code), mayKnowOtherSpelling(code, true)],
    ...[tooLong.includes(code), limitsWholeNumber(code), blocksAccount(code), refusesMarketing(code)],
  ]),
)

t.test('each of a send has one outcome and at most one message, whatever WhatsApp says of one of them', async t => {
  const { ask, create, backend, later, report, recipients, taken } = await stage(t)
  await ask('PUT' as 'POST', '/whatsapp/bulk-pace', { perSecond })
  let from = 0
  for (const [code, { retry }] of codes) {
    const stops = retry === 'credentials' || whyManyStop(code) !== undefined
    from += people
    const armed = await ask('POST', '/sandbox/fail', { code, mode: 'sync' })
    t.equal(armed.status, 200, `${code}: the simulator knows it`)
    const send: BulkSend = await create({
      audience: { numbers: phones(people, from).join('\n') },
      startIfPlanned: people,
      limits: { failedPercent: null, optedOutPercent: null },
    })
    await later(1_000)
    for (const ms of [5_000, 60_000, 400_000, 1_900_000]) await later(ms)
    const after = await report(send)
    t.ok(!stops || after.state === 'blocked' || retry === 'later', `${code}: it stops the send`)
    if (retry === 'credentials' || after.state === 'blocked') {
      // Somebody mends it, and the send goes on where it stood.
      await ask('POST', '/whatsapp/connection/sandbox')
      if (after.state === 'blocked') await ask('POST', `/whatsapp/bulk-sends/${send.id}/resume`)
      for (const ms of [1_000, 60_000]) await later(ms)
    }
    await later(longMs)
    const rows = await recipients(send)
    const { state, counts, groups } = await report(send)
    t.equal(state, 'completed', `${code}: it comes to its end`)
    t.equal(rows.length, people)
    const failed = rows.filter(row => row.state === 'failed')
    t.equal(rows.filter(row => got.has(row.state)).length + failed.length, people, `${code}: each has an outcome`)
    t.ok(counts.planned + counts.queued === 0, code)
    for (const group of groups)
      if (group.state === 'failed') t.equal(group.mayRetry, mayRetryMany(group.reason), group.reason)
    // The other spelling of the number was tried, and it was right.
    if (mayKnowOtherSpelling(code, true)) t.equal(failed.length, 0, `${code}: it is tried as Meta may spell it`)
    else if (retry === 'never' || tooLong.includes(code)) {
      t.ok(failed.length >= 1, `${code}: whoever it was said of failed`)
      t.ok(
        failed.some(row => row.reason?.code === code),
        `${code}: and it says why`,
      )
      t.ok(whyManyStop(code) || failed.length === 1, `${code}: the others got theirs`)
    } else if (retry !== 'credentials') t.equal(failed.length, 0, `${code}: what passes is waited for`)
  }
  t.equal((await taken()).filter(({ count }) => count > 1).length, 0, 'nobody got it twice')
  t.same(backend.errors(), [])
})

t.test(
  'whoever is answered with a code whatever is sent fails by it, and the others of the send get theirs',
  async t => {
    const { create, report, recipients, backend, later, taken } = await stage(t)
    const met = testNumberFaults.flatMap(({ code, suffix }) => {
      const known = catalogue.get(code)
      if (!known || known.retry === 'credentials' || whyManyStop(code) !== undefined) return []
      return [{ code, phone: `5491155${suffix}` }]
    })
    t.ok(met.length > 1)
    const fine = phones(5)
    const numbers = [...met.map(({ phone }) => phone), ...fine]
    const limits = { failedPercent: null, optedOutPercent: null }
    const send = await create({ audience: { numbers: numbers.join('\n') }, limits, startIfPlanned: numbers.length })
    await backend.settle()
    for (let i = 0; i < 60 && (await report(send)).state === 'running'; i += 1) await later(300_000)
    t.match(await report(send), { state: 'completed', counts: { planned: 0, queued: 0, failed: met.length } })
    const found = new Map((await recipients(send)).map(row => [row.given, row]))
    for (const { code, phone } of met) t.match(found.get(phone), { state: 'failed', reason: { code } }, code)
    for (const phone of fine) t.ok(got.has(found.get(phone)?.state ?? ''), phone)
    t.ok((await taken()).every(({ count }) => Number(count) === 1))
    t.same(backend.errors(), [])
  },
)

t.test('said afterwards, by a status, each code is the outcome of the one it is said of, with its meaning', async t => {
  const { ask, create, backend, later, report, recipients, taken } = await stage(t)
  let from = 5_000
  const said = new Map<string, string>()
  for (const [code] of codes) {
    const armed = await ask('POST', '/sandbox/fail', { code, mode: 'async' })
    t.equal(armed.status, 200, `${code}: the simulator knows it`)
    const send: BulkSend = await create({
      audience: { numbers: phones(people, from).join('\n') },
      startIfPlanned: people,
      limits: { failedPercent: null, optedOutPercent: null },
    })
    from += people
    for (const ms of [2_000, 60_000, 400_000]) await later(ms)
    // What all of them would meet stops a send; by then all of these had left.
    const { state, counts, groups } = await report(send)
    t.equal(state, 'completed', `${code}: it comes to its end`)
    t.match(counts, { planned: 0, queued: 0, failed: 1 }, code)
    const rows = await recipients(send)
    const failed = rows.filter(row => row.state === 'failed')
    t.equal(failed.length, 1, code)
    t.equal(failed[0]?.reason?.code, code)
    t.equal(rows.filter(row => got.has(row.state)).length, people - 1, `${code}: the others got theirs`)
    t.match(groups, [{ state: 'failed', reason: code, count: 1, mayRetry: mayRetryMany(code) }], code)
    said.set(code, groups[0]?.message ?? '')
    if (whyManyStop(code) !== undefined) await ask('POST', '/whatsapp/connection/sandbox')
  }
  // What it means and what to do about it: two sentences at least, and never that nobody has described it.
  const unknown = (await ask<{ message: string }>('GET', '/nowhere')).json.message
  for (const [code, message] of said) t.ok((message.match(/[.;]/g) ?? []).length >= 2 && message !== unknown, code)
  t.equal((await taken()).filter(({ count }) => count > 1).length, 0, 'nobody got it twice')
  t.same(backend.errors(), [])
})
