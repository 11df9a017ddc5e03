import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Databases } from '#server/platform/db/db.ts'
import { openSnapshot } from '#server/platform/db/sqlite/open.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { handClock } from '#test/helpers/clock.ts'
import { migratedSnapshot } from '#test/helpers/db.ts'
import { randomCases } from '#test/helpers/night.ts'
import { freshPostgres } from '#test/helpers/postgres-db.ts'
import { alwaysClosed } from '#test/helpers/promising.ts'
import { stateOf } from '#test/helpers/same-state.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const runs = randomCases({ day: 2, night: 12 })
const fewest = 12
const most = 24
const people = 3
const phoneOf = (who: number) => `549115500000${who + 1}`

interface Operation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `#`: the id of the created thing number `which` of this kind, if there is one. */
  readonly path: string
  readonly thing?: readonly [kind: string, which: number]
  readonly body?: object
  /** Time to pass before. */
  readonly afterMs: number
}

const texts = fc.oneof(
  fc.constantFrom('Hola', '¿Tenés medialunas?', 'ñandú ÁÉÍ 🥐', 'O\'Higgins % _ \\ "', ' ', 'İstanbul ﬁn'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)
const who = fc.nat(people - 1)
const which = fc.nat(4)

const called = (
  method: Operation['method'],
  path: fc.Arbitrary<string>,
  body: fc.Arbitrary<object | undefined> = fc.constant(undefined),
  thing: fc.Arbitrary<Operation['thing']> = fc.constant(undefined),
): fc.Arbitrary<Operation> =>
  fc.record({
    method: fc.constant(method),
    path,
    body,
    thing,
    afterMs: fc.constantFrom(1, 1, 1, 997, 61_003, 3_600_007, 86_400_011),
  }) as fc.Arbitrary<Operation>

const chat = (rest: string) => who.map(n => `/whatsapp/chats/${phoneOf(n)}/${rest}`)
const conversation = (rest: string) => who.map(n => `/whatsapp/conversations/${phoneOf(n)}/${rest}`)
const aTag = which.map(n => ['tag', n] as const)

const operations: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: called(
      'POST',
      fc.constant('/sandbox/inbound'),
      fc.record({ from: who.map(phoneOf), name: texts, type: fc.constant('text'), text: texts }),
    ),
  },
  {
    weight: 4,
    arbitrary: called(
      'POST',
      fc.constant('/whatsapp/messages'),
      fc.record({ type: fc.constant('text'), message: texts, numberTel: who.map(phoneOf) }),
    ),
  },
  called('POST', fc.constant('/whatsapp/tags'), fc.record({ label: texts })),
  called('PATCH', fc.constant('/whatsapp/tags/#'), fc.record({ label: texts }), aTag),
  called('DELETE', fc.constant('/whatsapp/tags/#'), undefined, aTag),
  { weight: 2, arbitrary: called('PUT', chat('tags/#'), undefined, aTag) },
  called('DELETE', chat('tags/#'), undefined, aTag),
  called('POST', chat('read')),
  called('POST', chat('unread')),
  called('PUT', chat('opt-out'), fc.record({ reason: texts })),
  called('DELETE', chat('opt-out')),
  called(
    'POST',
    fc.constant('/whatsapp/chat/archive'),
    fc.record({ phoneNumber: who.map(phoneOf), archived: fc.boolean() }),
  ),
  called('POST', conversation('notes'), fc.record({ text: texts })),
  called('PUT', conversation('draft'), fc.record({ text: texts })),
  called('POST', conversation('scheduled'), fc.record({ text: texts, at: fc.constant('2026-11-22T12:00:00.000Z') })),
  called('PATCH', conversation('contact'), fc.record({ name: texts })),
  called(
    'POST',
    fc.constant('/whatsapp/ready-answers'),
    fc.record({ title: texts, shortcut: fc.constantFrom('precio', 'horario', 'con espacio'), text: texts }),
  ),
  called(
    'POST',
    conversation('erasure'),
    fc.record({ reason: fc.constantFrom('asked', 'unlawful'), confirm: who.map(phoneOf) }),
  ),
)

/** Inserted by the helper at the machine's own time. */
const except = ['user', 'session', 'member', 'organization']

/** Makes the calls one after another; returns their answers and the final rows. */
const playOn = async (t: Test, databases: Databases, all: readonly Operation[]) => {
  const clock = handClock()
  const { backend, call } = await chatStage(t, { databases, clock })
  const made: Record<string, string[]> = { tag: [] }
  const answers: string[] = []
  await call('PUT', '/organization/business-hours', alwaysClosed)
  for (const label of ['VIP', 'Mayorista']) made.tag?.push((await call('POST', '/whatsapp/tags', { label })).body.id)
  for (let n = 0; n < people; n += 1) {
    await call('POST', '/sandbox/inbound', { from: phoneOf(n), name: `Ana ${n}`, type: 'text', text: 'Buen día' })
    // How they share commits depends on timing, and with it the order of their events.
    await backend.settle()
  }
  /** Stops at each time at which something is due, because jobs due together have no fixed order. */
  const pass = async (ms: number) => {
    const end = new Date(clock.now().getTime() + ms).toISOString()
    for (;;) {
      await backend.settle()
      const { next } = await databases.read
        .selectFrom('job')
        .select(eb => eb.fn.min('due_at').as('next'))
        .where('state', '=', 'scheduled')
        .where(eb => eb.or([eb('kind', 'like', 'simulator.%'), eb('kind', 'like', 'outbox.%')]))
        .where('due_at', '>', clock.now().toISOString())
        .executeTakeFirstOrThrow()
      if (!next || next >= end) break
      clock.set(next)
    }
    clock.set(end)
    await backend.settle()
  }
  for (const { method, path, thing, body, afterMs } of all) {
    await pass(afterMs)
    const ids = thing && made[thing[0]]
    const id = ids?.length ? ids[(thing?.[1] ?? 0) % ids.length] : 'none'
    const reply = await call(method, path.replace('#', id as string), body)
    answers.push(`${method} ${path} ${reply.status} ${reply.status < 400 ? '' : reply.body.code}`)
    if (path === '/whatsapp/tags' && reply.status === 201) made.tag?.push(reply.body.id)
    await backend.settle()
  }
  // Jobs that count messages wait for the newest ones, and then have nothing left to do.
  for (let i = 0; i < 2; i += 1) await pass(10_000)
  const searched: unknown[] = []
  for (const words of ['hola', 'medialunas', 'nandu', "o'higgins", '%', 'istanbul']) {
    const found = await call('GET', `/whatsapp/search?q=${encodeURIComponent(words)}`)
    const list = await call('GET', `/whatsapp/conversations?q=${encodeURIComponent(words)}`)
    searched.push([
      words,
      found.status,
      found.body.items?.length,
      list.status,
      list.body.items?.map((one: { phone?: string }) => one.phone),
    ])
  }
  const plain = await stateOf(databases, except, 0)
  const state = await stateOf(databases, except)
  const errors = backend.errors()
  await backend.close()
  await databases.close()
  return { answers, searched, plain, state, errors }
}

const differencesOf = (here: Record<string, string[]>, there: Record<string, string[]>) =>
  Object.keys({ ...here, ...there })
    .filter(table => JSON.stringify(here[table]) !== JSON.stringify(there[table]))
    .map(table => {
      const [mine = [], theirs = []] = [here[table], there[table]]
      return {
        table,
        sqlite: mine.filter(row => !theirs.includes(row)),
        postgres: theirs.filter(row => !mine.includes(row)),
      }
    })

t.test('both engines give the same answers and end in the same state', async t => {
  let seen = new Set<string>()
  const result = await fc.check(
    fc.asyncProperty(fc.array(operations, { minLength: fewest, maxLength: most }), async all => {
      const here = await playOn(t, openSnapshot(await migratedSnapshot()), all)
      const there = await playOn(t, await freshPostgres(), all)
      for (const answer of here.answers) seen = seen.add(answer.replace(/549\d+/, ':phone'))
      for (const key of ['plain', 'state'] as const) {
        const differences = differencesOf(here[key], there[key])
        if (differences.length) throw new Error(JSON.stringify(differences, null, 1))
      }
      for (const key of ['answers', 'searched', 'errors'] as const)
        if (JSON.stringify(here[key]) !== JSON.stringify(there[key]))
          throw new Error(`${key}:\n${JSON.stringify(here[key])}\n${JSON.stringify(there[key])}`)
    }),
    { numRuns: runs, seed: Number(process.env.SAME_STATE_SEED ?? 20_261_128), endOnFailure: true },
  )
  t.notOk(
    result.failed,
    `seed ${result.seed}, ${JSON.stringify(result.counterexample)}: ${(result.errorInstance as Error | undefined)?.message}`,
  )
  t.ok([...seen].filter(answer => / 20\d /.test(answer)).length >= 12, 'most calls succeeded')
  t.ok(
    [...seen].some(answer => / 4\d\d /.test(answer)),
    'and some were refused',
  )
})
