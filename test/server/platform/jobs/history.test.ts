/**
 * Random histories against a simple model: whatever is added, cancelled, thrown, paused and killed, no job runs twice
 * at once, no two of a key run at the same time, jobs of a lane and key begin in order, higher lanes first among those
 * of a key that are due together, and none is lost.
 */
import fc from 'fast-check'
import t from 'tap'
import { inTransaction } from '#server/platform/db/db.ts'
import type { Lane } from '#server/platform/jobs/lane.ts'
import { lanes, rankOf } from '#server/platform/jobs/lane.ts'
import { randomCases } from '#test/helpers/night.ts'
import { aStage } from './stage.ts'

interface Planned {
  readonly kind: 'add'
  readonly org: string
  readonly lane: Lane
  readonly key: string | undefined
  /** How often it throws before it succeeds. */
  readonly throws: number
  readonly laterMs: number
}
/** Added in one transaction. */
interface Together {
  readonly kind: 'together'
  readonly org: string
  readonly key: string
  readonly jobs: readonly Pick<Planned, 'lane' | 'throws'>[]
}
type Step =
  | Planned
  | Together
  | { kind: 'run' }
  | { kind: 'pass'; ms: number }
  | { kind: 'cancel'; nth: number }
  | { kind: 'kill' }

const add = fc.record({
  kind: fc.constant('add' as const),
  org: fc.constantFrom('a', 'b'),
  lane: fc.constantFrom(...lanes),
  key: fc.constantFrom(undefined, 'k1', 'k2'),
  throws: fc.constantFrom(0, 0, 0, 1, 2),
  laterMs: fc.constantFrom(0, 0, 0, 5_000),
})
const together = fc.record({
  kind: fc.constant('together' as const),
  org: fc.constantFrom('a', 'b'),
  key: fc.constantFrom('k1', 'k2'),
  jobs: fc.array(fc.record({ lane: fc.constantFrom(...lanes), throws: fc.constantFrom(0, 0, 1) }), {
    minLength: 2,
    maxLength: 4,
  }),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: add },
  { weight: 2, arbitrary: together },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('run' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(500, 1_000, 6_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
)

t.test('no job runs twice at once or is lost, and order per key and lane holds, whatever happens', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async steps => {
      const s = await aStage({ teardown: () => undefined } as never)
      const planned: (Planned & { id: string; step: number })[] = []
      const running = new Set<string>()
      const keys = new Map<string, string>()
      const begun: string[] = []
      const tries = new Map<string, number>()
      const cancelled = new Set<string>()
      const faults: string[] = []
      /** Calls of a killed process never end: its promises hang and its writes are ignored. */
      const aWorker = () => {
        const life = { isDead: false }
        const made = s.aProcess({
          atOnce: 4,
          tries: 10,
          gapsMs: [1_000],
          async run(job) {
            const id = job.payload.word
            const plan = planned.find(one => one.id === id) as Planned
            const line = plan.key === undefined ? undefined : `${plan.org} ${plan.key}`
            if (running.has(id)) faults.push(`${id} runs twice at once`)
            if (line !== undefined && keys.has(line)) faults.push(`${id} runs beside ${keys.get(line)}`)
            running.add(id)
            if (line !== undefined) keys.set(line, id)
            begun.push(id)
            const count = (tries.get(id) ?? 0) + 1
            tries.set(id, count)
            await new Promise(resolve => setImmediate(resolve))
            if (life.isDead) return new Promise<never>(() => undefined)
            running.delete(id)
            if (line !== undefined) keys.delete(line)
            if (count <= plan.throws) throw new Error('again')
            return undefined
          },
        })
        return { ...made, life }
      }
      let workers = [aWorker(), aWorker()]
      for (const worker of workers) worker.jobs.start()
      const run = async () => {
        for (const { jobs } of workers) await jobs.idle()
      }
      const plan = (step: number, one: Planned) => {
        const id = `j${planned.length}`
        planned.push({ ...one, id, step })
        const dueAt = new Date(s.clock.now().getTime() + one.laterMs).toISOString()
        const { lane, key } = one
        return { word: id, uniqueKey: id, lane, dueAt, ...(key ? { orderKey: key } : {}) }
      }
      for (const [at, one] of steps.entries()) {
        const [first] = workers as [ReturnType<typeof aWorker>]
        if (one.kind === 'add') await first.add(one.org, [plan(at, one)])
        else if (one.kind === 'together') {
          const { org, key } = one
          const jobs = one.jobs.map(job => plan(at, { kind: 'add', org, key, laterMs: 0, ...job }))
          await first.add(org, jobs)
        } else if (one.kind === 'run') await run()
        else if (one.kind === 'pass') {
          s.clock.advance(one.ms)
          await run()
        } else if (one.kind === 'cancel') {
          const target = planned[one.nth]
          if (!target) continue
          await run()
          const count = await inTransaction(s.databases, trx => first.queue.cancel(trx, target.org, [target.id]))
          if (count) cancelled.add(target.id)
        } else {
          // The process is cut off; the next one may repeat what it was doing.
          first.life.isDead = true
          void first.jobs.stop()
          s.machine.die(first.host)
          running.clear()
          keys.clear()
          workers = [...workers.slice(1), aWorker()]
          workers.at(-1)?.jobs.start()
          for (const worker of workers) await worker.jobs.beat()
        }
      }
      for (let i = 0; i < 30; i += 1) {
        s.clock.advance(6_000)
        for (const { jobs } of workers) await jobs.beat()
        await run()
      }
      const rows = await s.rows()
      const stateOf = new Map(rows.map(row => [row.unique_key, row.state]))
      for (const plan of planned) {
        const expected = cancelled.has(plan.id) ? 'cancelled' : 'done'
        if (stateOf.get(plan.id) !== expected) faults.push(`${plan.id} is ${stateOf.get(plan.id)}, not ${expected}`)
      }
      // Jobs of one key that were added and due together begin in order of lane, and within a lane in the order of
      // adding.
      const places = new Map(planned.map(({ id }) => [id, begun.indexOf(id)]))
      for (const [i, one] of planned.entries())
        for (const other of planned.slice(i + 1)) {
          if (one.key === undefined || one.key !== other.key || one.org !== other.org) continue
          if (one.lane !== other.lane && one.step !== other.step) continue
          if (one.laterMs || other.laterMs || cancelled.has(one.id) || cancelled.has(other.id)) continue
          const [former, latter] = rankOf(one.lane) <= rankOf(other.lane) ? [one, other] : [other, one]
          if ((places.get(former.id) as number) > (places.get(latter.id) as number))
            faults.push(`${latter.id} before ${former.id}`)
        }
      for (const { jobs } of workers) await jobs.stop()
      await s.databases.close()
      if (faults.length) throw new Error(faults.join('; '))
    }),
    { numRuns: randomCases({ day: 12, night: 40 }), seed: 20261122 },
  )
  t.pass('held')
})

t.test("a person's reply overtakes fifty thousand waiting bulk jobs", async t => {
  const begun: string[] = []
  const s = await aStage(t)
  const { jobs, add } = s.aProcess({ atOnce: 16, run: async job => void begun.push(job.payload.word) })
  for (let i = 0; i < 50; i += 1)
    await add(
      'a',
      Array.from({ length: 1000 }, (_, n) => ({ word: 'bulk', lane: 'bulk' as const, orderKey: `c${i} ${n}` })),
    )
  await add('a', [{ word: 'bot', lane: 'bot', orderKey: 'c0 0' }])
  await add('a', [{ word: 'person', lane: 'person', orderKey: 'c0 0' }])
  jobs.start()
  while (!begun.includes('bot')) await new Promise(resolve => setImmediate(resolve))
  t.equal(begun.indexOf('person'), 0)
  t.ok(begun.indexOf('bot') <= 16, `the bot began as number ${begun.indexOf('bot')}`)
  await jobs.stop()
})
