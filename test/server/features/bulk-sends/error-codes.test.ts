/**
 * Meta's error codes, each for one message of a bulk send, with the simulator as Meta: one code of each kind by day,
 * all of them at night.
 */
import t from 'tap'
import {
  blocksAccount,
  limitsWholeNumber,
  mayKnowOtherSpelling,
  mayRetryMany,
  refusesMarketing,
  whyManyStop,
} from '#server/whatsapp/errors/code-meanings.ts'
import { catalogue } from '#server/whatsapp/errors/error-catalogue.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { testNumberFaults } from '#shared/simulator/faults.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { casesOfEachKind } from '#test/helpers/night.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs * 3)

const people = 4
/** One recipient remains, so the send can still be stopped. */
const perSecond = people - 1
/** Longer than WhatsApp ever holds a message back. */
const longMs = 7 * 3_600_000
const got = new Set(['sent', 'delivered', 'read'])
/** The limit lasts longer than a message may wait: it fails, and the rest of the send is unaffected. */
const tooLong = ['131048', '131064', '132069', '133016']
/** Codes to which a bulk send reacts differently are of different kinds. */
const codes = casesOfEachKind(catalogue, ([code, { retry }]) =>
  JSON.stringify([
    ...[retry, whyManyStop(code), mayRetryMany(code), mayKnowOtherSpelling(code, true)],
    ...[tooLong.includes(code), limitsWholeNumber(code), blocksAccount(code), refusesMarketing(code)],
  ]),
)

t.test(
  'each recipient has one outcome and at most one message, whichever code WhatsApp returns for one of them',
  async t => {
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
        // The cause is fixed, and the send continues where it stopped.
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
        t.ok(failed.length >= 1, `${code}: the recipient failed`)
        t.ok(
          failed.some(row => row.reason?.code === code),
          `${code}: and it says why`,
        )
        t.ok(whyManyStop(code) || failed.length === 1, `${code}: the others got theirs`)
      } else if (retry !== 'credentials') t.equal(failed.length, 0, `${code}: what passes is waited for`)
    }
    t.equal((await taken()).filter(({ count }) => count > 1).length, 0, 'nobody got it twice')
    t.same(backend.errors(), [])
  },
)

t.test('a recipient refused at every attempt fails with the code, and the others get their message', async t => {
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
})

t.test('a code reported later by a status becomes its recipient’s outcome, with its explanation', async t => {
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
    // A shared failure stops a send; by then all these messages had been sent.
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
  // The explanation and the remedy: at least two sentences, and never the text for unknown codes.
  const unknown = (await ask<{ message: string }>('GET', '/nowhere')).json.message
  for (const [code, message] of said) t.ok((message.match(/[.;]/g) ?? []).length >= 2 && message !== unknown, code)
  t.equal((await taken()).filter(({ count }) => count > 1).length, 0, 'nobody got it twice')
  t.same(backend.errors(), [])
})
