/** Interruptions of a running send: it stops when it must, says why, and continues from there. */
import t, { type Test } from 'tap'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { up as countApart } from '../../../../../migrations/0045-unconfirmed-recipients.ts'
import { up as countAsSent } from '../../../../../migrations/0047-unconfirmed-in-sums.ts'

t.setTimeout(fileTimeoutMs)

/** More than two batches at the usual rate. */
const people = 50

/** A send whose first batch has been sent. */
const underWay = async (t: Test) => {
  const s = await stage(t)
  const send = await s.create({ audience: { numbers: phones(people).join('\n') }, startIfPlanned: people })
  await s.backend.settle()
  const call = (method: 'POST' | 'DELETE', path: string, body?: object) => s.ask(method as 'POST', path, body)
  const turns = async (times: number) => {
    for (let i = 0; i < times; i += 1) await s.later(1_100)
  }
  const isTakenOnce = async (said: string) => {
    const taken = await s.taken()
    t.equal(taken.length, people, said)
    t.ok(
      taken.every(({ count }) => Number(count) === 1),
      'nobody twice',
    )
    t.same(s.backend.errors(), [])
  }
  return { ...s, send, call, turns, isTakenOnce }
}

for (const [status, reason] of [
  ['DISABLED', 'templateDisabled'],
  ['REJECTED', 'templateNotApproved'],
] as const)
  t.test(
    `a template that becomes ${status} stops it, and it continues once the template can be sent again`,
    async t => {
      const { backend, send, id, call, turns, report, taken, isTakenOnce } = await underWay(t)
      await call('POST', `/sandbox/template/${id}`, { status, ...(status === 'REJECTED' ? { reason: 'SCAM' } : {}) })
      await backend.settle()
      await turns(2)
      t.match(await report(send), { state: 'blocked', reason })
      const before = (await taken()).length
      await turns(2)
      t.equal((await taken()).length, before, 'no more of it leaves')
      await call('POST', `/sandbox/template/${id}`, { status: 'APPROVED' })
      await backend.settle()
      await call('POST', `/whatsapp/bulk-sends/${send.id}/resume`)
      await turns(4)
      await isTakenOnce('and the rest got it')
    },
  )

t.test('a deleted template stops it permanently, and it can be cancelled', async t => {
  const { backend, send, id, call, turns, report, taken } = await underWay(t)
  const name = send.template.name
  t.equal((await call('DELETE', `/whatsapp/template/${id}/${name}`)).status, 200)
  await backend.settle()
  await turns(2)
  t.match(await report(send), { state: 'blocked', reason: 'templateGone' })
  const before = (await taken()).length
  t.ok(before < people)
  await call('POST', `/whatsapp/bulk-sends/${send.id}/resume`)
  await turns(2)
  t.match(await report(send), { state: 'blocked', reason: 'templateGone' }, 'resumed, it says so again')
  t.equal((await taken()).length, before)
  t.match((await call('POST', `/whatsapp/bulk-sends/${send.id}/cancel`)).json, { state: 'cancelled' })
  t.same(backend.errors(), [])
})

t.test('a disconnected number stops it, and it continues after reconnecting', async t => {
  const { backend, send, call, turns, report, taken, isTakenOnce } = await underWay(t)
  t.equal((await call('DELETE', '/whatsapp/connection')).status, 200)
  await backend.settle()
  await turns(2)
  t.match(await report(send), { state: 'blocked', reason: 'notConnected' })
  t.ok((await taken()).length < people)
  await call('POST', '/whatsapp/connection/sandbox')
  await backend.settle()
  await call('POST', `/whatsapp/bulk-sends/${send.id}/resume`)
  await turns(4)
  await isTakenOnce('the remaining recipients got it')
})

t.test('a token revoked by Meta stops it, and waiting recipients get it with a new token', async t => {
  const { backend, send, call, turns, report, recipients } = await underWay(t)
  await call('POST', '/sandbox/fail', { code: '190' })
  await turns(2)
  t.match(await report(send), { state: 'blocked', reason: 'tokenLost' })
  await call('POST', '/whatsapp/connection/sandbox')
  await backend.settle()
  await call('POST', `/whatsapp/bulk-sends/${send.id}/resume`)
  await turns(5)
  const { state, counts } = await report(send)
  t.same([state, counts.planned + counts.queued], ['completed', 0])
  t.equal(
    (await recipients(send, '?state=failed')).every(({ reason }) => reason?.code === '190'),
    true,
  )
  t.same(backend.errors(), [])
})

t.test('moving the clock a day ahead during a send skips nobody and repeats nobody', async t => {
  const { send, turns, later, report, taken, isTakenOnce } = await underWay(t)
  await turns(1)
  t.ok((await taken()).length < people, 'it is under way')
  await later(86_400_000)
  await turns(4)
  t.equal((await report(send)).state, 'completed')
  await isTakenOnce('all of them got it')
})

t.test('moving the clock back an hour during a send does not delay it', async t => {
  const { backend, send, turns, later, report, taken, isTakenOnce } = await underWay(t)
  await turns(1)
  t.ok((await taken()).length < people, 'it is under way')
  const { jobs } = backend.parts
  await jobs.beat()
  await later(-3_600_000)
  await jobs.beat()
  await turns(6)
  t.equal((await report(send)).state, 'completed', 'not an hour later')
  await isTakenOnce('all of them got it')
})

t.test('a clock that jumps a day ahead and back within a second does not stop it', async t => {
  const { backend, send, turns, later, report, taken, isTakenOnce } = await underWay(t)
  await turns(1)
  t.ok((await taken()).length < people, 'it is under way')
  await later(86_400_000)
  backend.clock.advance(-86_400_000)
  await turns(6)
  t.equal((await report(send)).state, 'completed', 'not a day later')
  await isTakenOnce('all of them got it')
})

/** Their request is cut off: nobody knows whether WhatsApp accepted it. */
const brokenOff = (count: number) => Array.from({ length: count }, (_, i) => `549${1100 + i}900601`)

t.test('unconfirmed sends do not delay the others', async t => {
  const { create, report, recipients, backend, later, taken } = await stage(t)
  const broken = brokenOff(50)
  const numbers = phones(350).flatMap((phone, i) => (i % 7 ? [phone] : [phone, broken[i / 7] as string]))
  const send = await create({ audience: { numbers: numbers.join('\n') }, startIfPlanned: 400 })
  await backend.settle()
  for (let i = 0; i < 26; i += 1) await later(1_100)
  t.match(await report(send), { state: 'running', counts: { planned: 0, queued: broken.length } })
  t.equal((await taken()).length, 350)
  const [one] = await recipients(send, '?state=queued')
  t.match(one, { reason: { code: 'UNCONFIRMED', message: /it may have arrived/ } })
  await later(11 * 60_000)
  t.match(await report(send), {
    state: 'completed',
    counts: { queued: 0, unconfirmed: broken.length, failed: 0 },
    groups: [{ state: 'unconfirmed', reason: 'UNCONFIRMED', mayRetry: false, count: broken.length }],
  })
  t.same(await recipients(send, '?state=failed'), [], 'they are not among the failed ones')
  const [unconfirmed] = await recipients(send, '?state=unconfirmed&reason=UNCONFIRMED')
  t.match(unconfirmed, { state: 'unconfirmed', reason: { code: 'UNCONFIRMED', next: { step: 'checkChat' } } })

  // As earlier versions stored them.
  const now = await report(send)
  const { write } = backend.databases
  await write.updateTable('bulk_recipient').set({ state: 'failed' }).where('state', '=', 'unconfirmed').execute()
  await write.updateTable('bulk_send').set({ failed: broken.length }).execute()
  const end = write.selectFrom('bulk_send_curve').select(eb => eb.fn.max('until').as('until'))
  await write
    .updateTable('bulk_send_curve')
    .set(eb => ({ failed: broken.length, sent: eb('sent', '-', broken.length) }))
    .where('until', '=', end)
    .execute()
  await write.schema.alterTable('bulk_send').dropColumn('unconfirmed').execute()
  await countApart(write as never)
  await countAsSent(write as never)
  t.same(await report(send), now, 'migrations count them apart and as sent, in the curve, too')
  t.match(now.curve.at(-1), { sent: 400, failed: 0 })
})

t.test(
  'if all sends are unconfirmed, the connection is broken and no more are sent until they are settled',
  async t => {
    const { create, report, backend, later } = await stage(t)
    const send = await create({ audience: { numbers: brokenOff(80).join('\n') }, startIfPlanned: 80 })
    await backend.settle()
    for (let i = 0; i < 10; i += 1) await later(1_100)
    t.match(await report(send), { state: 'running', counts: { queued: 40, planned: 40 } })
    await later(11 * 60_000)
    t.match(await report(send), { state: 'blocked', reason: 'tooManyFailed' })
  },
)
