/** Every code that Meta refuses a message with, met in the middle of a send, with the simulator as Meta. */
import t, { type Test } from 'tap'
import { mayRetryMany, whyManyStop } from '#server/whatsapp/code-meanings.ts'
import { catalogue } from '#server/whatsapp/error-catalogue.ts'
import type { BulkSend } from '#shared/bulk-sends.ts'
import { magicFaults } from '#shared/sandbox.ts'
import { aBulkStage, phones } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const minuteMs = 60_000
const lasts = (code: string) => catalogue.get(code)?.retry
const codes = magicFaults.filter(({ code }) => catalogue.has(code))
const stops = ({ code }: { code: string }) => whyManyStop(code) !== undefined || lasts(code) === 'credentials'
/** A number that is answered with this code, always. */
const phoneOf = (suffix: string) => `5491155${suffix}`

const stage = async (t: Test) => {
  const made = await aBulkStage(t)
  const limits = { failedPercent: null, optedOutPercent: null }
  const send = async (numbers: readonly string[]) => {
    const audience = { numbers: numbers.join('\n') }
    const created = await made.create({ audience, limits, startIfPlanned: numbers.length })
    await made.house.settle()
    return created
  }
  /** People of whom it is known what became of them, each in one place. */
  const outcomes = async (of: BulkSend) =>
    new Map((await made.recipients(of)).map(({ given, state, reason }) => [given, { state, code: reason?.code }]))
  return { ...made, send, outcomes }
}

t.test('a code that stops nothing is the outcome of who met it, and the others get theirs', async t => {
  const { send, report, outcomes, later, taken, house } = await stage(t)
  const met = codes.filter(code => !stops(code))
  const fine = phones(5)
  const sent = await send([...met.map(({ suffix }) => phoneOf(suffix)), ...fine])
  for (let i = 0; i < 60 && (await report(sent)).state === 'running'; i += 1) await later(5 * minuteMs)
  const done = await report(sent)
  t.match(done, { state: 'completed', counts: { planned: 0, queued: 0, failed: met.length } })
  const found = await outcomes(sent)
  for (const { code, suffix } of met) t.match(found.get(phoneOf(suffix)), { state: 'failed', code }, code)
  for (const phone of fine) t.match(found.get(phone)?.state, /sent|delivered|read/, phone)
  for (const { state, reason, mayRetry } of done.groups)
    if (state === 'failed') t.equal(mayRetry, mayRetryMany(reason), reason)
  t.ok((await taken()).every(({ count }) => Number(count) === 1))
  t.same(house.errors(), [])
})

t.test('a code that is about the number, the account or the template stops the send where it is', async t => {
  const { send, report, later, taken, ask } = await stage(t)
  let places = 0
  for (const { code, suffix } of codes.filter(stops)) {
    const rest = phones(40, places)
    places += rest.length
    const sent = await send([phoneOf(suffix), ...rest])
    for (let i = 0; i < 3; i += 1) await later(1_000)
    const stopped = await report(sent)
    const people = Object.values(stopped.counts).reduce((sum, count) => sum + count, 0)
    t.equal(people, 41, `${code}: nobody is lost`)
    const isStopped = stopped.state === 'blocked' || lasts(code) === 'later'
    t.ok(isStopped, `${code}: ${stopped.state} ${stopped.reason}`)
    await ask('POST', `/whatsapp/bulk-sends/${sent.id}/cancel`)
    await ask('POST', '/whatsapp/connection/sandbox')
    await later(30 * minuteMs)
  }
  t.ok((await taken()).every(({ count }) => Number(count) === 1))
})
