import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { aHistory, lines } from '#test/helpers/segment-history.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const now = '2026-03-18T15:00:00.000Z'
const minute = 60_000
const start = Date.parse(now) - 60 * minute

/** Ana has a page of figures open; Beto answered customers, Carla did not, and both leave. */
const stage = async (t: Test) => {
  const backend = await startBackend(t, { clock: handClock(now) })
  const { databases } = backend
  const ana = await aMember({ databases, name: 'Ana' })
  const beto = await aMember({ databases, org: ana.org, role: 'member', name: 'Beto' })
  const carla = await aMember({ databases, org: ana.org, role: 'admin', name: 'Carla' })
  const ask = async (url: string, method: 'GET' | 'PUT' | 'POST' = 'GET', payload?: object, who: AMember = ana) => {
    const headers = { cookie: who.cookie, 'x-organization-id': who.org.id, 'accept-language': 'es' }
    const reply = await backend.inject({ method, url: `/api${url}`, headers, ...(payload ? { payload } : {}) })
    return { status: reply.statusCode, body: reply.json() }
  }
  const { conversation, say, read } = aHistory(databases, ana.org.id)
  for (let i = 0; i < 6; i += 1) {
    const { id } = await conversation()
    await say(id, start + i * minute, lines.customer)
    if (i < 5)
      await say(id, start + i * minute + 30_000, { direction: 'out', authorKind: 'person', authorId: beto.user.id })
  }
  await read(1_000)
  const leave = (...leavers: AMember[]) =>
    databases.write
      .deleteFrom('member')
      .where(
        'userId',
        'in',
        leavers.map(({ user }) => user.id),
      )
      .execute()
  return { backend, ana, beto, carla, ask, leave }
}

/** The call behind a link to the page that lists conversations. */
const listOf = (href: string) => `/stats/segments${new URL(href, 'http://x').search}`

t.test('figures by somebody who has left and did nothing: as by somebody who never was', async t => {
  const { backend, carla, ask, leave } = await stage(t)
  t.same((await ask(`/stats/summary?member=${carla.user.id}`)).body.unknown, [])
  await leave(carla)
  for (const id of [carla.user.id, 'nobody-ever']) {
    const { status, body } = await ask(`/stats/summary?member=${id}&compare=true`)
    t.match([status, body.unknown, body.figures.attended.value], [200, ['member'], 0])
    t.match(await ask(`/stats/segments?member=${id}`), { status: 200, body: { total: 0, unknown: ['member'] } })
    t.match(await ask(`/stats/segments?answeredBy=${id}`), { status: 200, body: { total: 0, unknown: ['member'] } })
    t.equal((await ask(`/stats/blocks/members/report?member=${id}`)).status, 200)
    t.equal((await ask('/stats/report', 'POST', { member: id })).status, 202)
    await backend.settle()
    const [file] = (await ask('/stats/report')).body.items
    t.match(file, { state: 'done', rows: 0, unknown: ['member'] })
  }
  t.same(backend.errors(), [])
})

t.test('who has left stays in the figures of what they did, and each link counts the same', async t => {
  const { backend, beto, ask, leave } = await stage(t)
  const before = (await ask('/stats/summary')).body
  await leave(beto)
  const after = (await ask('/stats/summary')).body
  t.same(after.figures, before.figures, 'the sums are as they were')
  for (const summary of [before, after]) {
    const row = summary.members.find(({ id }: { id: string | null }) => id === beto.user.id)
    t.match(row, { needsPerson: { count: 5 }, answered: { count: 5 } })
    for (const { count, href } of [row.needsPerson, row.answered, row.openNow])
      t.match(await ask(listOf(href)), { status: 200, body: { total: count, unknown: [] } })
  }
  const { body } = await ask(`/stats/segments?member=${beto.user.id}`)
  t.equal(body.items.length, 5, 'conversations that were assigned to them')
  t.match(await ask('/stats/now'), { status: 200, body: { unattended: { count: 1 } } })
  const people = (await ask('/stats/now')).body.people as { userId: string }[]
  t.notOk(people.some(({ userId }) => userId === beto.user.id))
  t.equal((await ask('/stats/summary', 'GET', undefined, beto)).status, 403, 'and sees nothing any more')
  t.same(backend.errors(), [])
})

t.test('a recipient who leaves gets no report, and the form can be saved without them', async t => {
  const { backend, ana, beto, carla, ask, leave } = await stage(t)
  const recipients = [ana, beto, carla].map(({ user }) => ({ userId: user.id }))
  t.equal((await ask('/stats/mail', 'PUT', { rhythm: 'weekly', recipients })).status, 200)
  await leave(beto, carla)
  const stale = await ask('/stats/mail', 'PUT', { rhythm: 'weekly', recipients })
  t.match(stale, { status: 400, body: { details: [{ field: 'body.recipients.1.userId' }] } })
  const shown = (await ask('/stats/mail')).body.recipients as { userId: string }[]
  t.same(
    shown.map(({ userId }) => userId),
    [ana.user.id],
  )
  backend.clock.set('2026-03-23T11:00:00.000Z')
  await backend.settle()
  t.equal(readdirSync(join(backend.dataDir, 'mail')).length, 1)
  t.same(backend.errors(), [])
})
