import { sql } from 'kysely'
import t from 'tap'
import { createDice } from '#server/cli/seed-words.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { randomCases } from '#test/helpers/night.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { migratedPostgres, openUrl } from '#test/helpers/postgres-db.ts'
import { type PostgresWay, postgresWay } from '#test/helpers/postgres-way.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const rounds = randomCases({ day: 20, night: 40 })
const seed = 20_261_128

/** A fault during a call; `mend` ends it. */
const troubles = {
  slow: (way, below) => way.delay(1 + below(25)),
  dropped: way => way.drop(),
  'dropped on the way': (way, below) => way.dropAtAnswer(1 + below(30)),
  'slow and dropped on the way': (way, below) => {
    way.delay(1 + below(10))
    way.dropAtAnswer(1 + below(30))
  },
  cut: way => way.cut(),
} satisfies Record<string, (way: PostgresWay, below: (n: number) => number) => void>
const names = Object.keys(troubles) as (keyof typeof troubles)[]

const mend = (way: PostgresWay) => {
  way.delay(0)
  way.dropAtAnswer(0)
  way.mend()
}

t.test('over a slow and unreliable connection everything that was answered is stored once, in order', async t => {
  const server = await postgresServer()
  const way = await postgresWay(t, server.port)
  const url = new URL(server.urlOf(await server.createDatabase(await migratedPostgres())))
  url.port = String(way.port)
  const databases = openUrl(url.href)
  const { backend, owner, call } = await chatStage(t, { databases })
  await call('POST', '/sandbox/inbound', { from: '5491150000001', name: 'Ana', type: 'text', text: 'Hola' })
  await backend.settle()

  const dice = createDice(seed)
  const seen = new Map<string, number>()
  for (let round = 0; round < rounds; round += 1) {
    const name = names[round % names.length] as keyof typeof troubles
    const send = () =>
      backend.inject({
        method: 'POST',
        url: '/api/whatsapp/messages',
        headers: { cookie: owner.cookie, 'idempotency-key': `send ${round}` },
        payload: { type: 'text', message: `Número ${round}`, numberTel: '5491150000001' },
      })
    troubles[name](way, n => dice.below(n))
    const first = await send()
    mend(way)
    t.ok([202, 503].includes(first.statusCode), `${round}, ${name}: ${first.statusCode} ${first.body}`)
    seen.set(`${name} ${first.statusCode}`, (seen.get(`${name} ${first.statusCode}`) ?? 0) + 1)
    if (first.statusCode === 503) t.match(first.headers['retry-after'], /^\d+$/)
    // The key of an unanswered call is free again after a minute.
    backend.clock.advance(61_000)
    const again = await send()
    t.equal(again.statusCode, 202, `${round}, ${name}, again: ${again.body}`)
    await backend.settle()
  }
  t.ok(seen.get('slow 202'), 'slow calls are answered')
  t.ok(seen.get('cut 503'), 'interrupted ones are not')
  t.ok((seen.get('dropped on the way 503') ?? 0) + (seen.get('slow and dropped on the way 503') ?? 0) > 0)
  const { rows } = await sql<{ text: string; status: string }>`select text, status from message
    where text like 'Número %' order by seq`.execute(databases.read)
  t.same(
    rows.map(({ text }) => text),
    Array.from({ length: rounds }, (_, round) => `Número ${round}`),
  )
  await backend.close()
  await databases.close()
})
