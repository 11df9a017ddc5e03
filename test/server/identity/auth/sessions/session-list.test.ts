import t, { type Test } from 'tap'
import { createSessionList } from '#server/identity/auth/sessions/session-list.ts'
import { listSessionsOf } from '#server/identity/auth/sessions/session-store.ts'
import { type APerson, aPerson } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { allRows } from '#test/helpers/rows.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Ana signed in twice, and another person. */
const twoPlaces = async (t: Test) => {
  const backend = await startBackend(t)
  const { databases } = backend
  const here = await aPerson({ databases })
  const there = await aPerson({ databases })
  const other = await aPerson({ databases })
  await databases.write
    .updateTable('session')
    .set({ userId: here.user.id, userAgent: firefox, ipAddress: '203.0.113.9', updatedAt: '2036-11-01T10:00:00.000Z' })
    .where('id', '=', there.person.sessionId)
    .execute()
  const list = (who: APerson) =>
    backend.inject({ url: '/api/account/sessions', headers: { cookie: who.cookie, 'accept-language': 'es' } })
  const end = (who: APerson, id: string) =>
    backend.inject({
      method: 'DELETE',
      url: `/api/account/sessions/${id}`,
      headers: { cookie: who.cookie, 'accept-language': 'es' },
    })
  return { backend, databases, here, there, other, list, end }
}

t.test('a person sees their sessions, the current one first, without tokens', async t => {
  const { here, there, other, list } = await twoPlaces(t)
  const reply = await list(here)
  t.equal(reply.statusCode, 200)
  t.match(reply.json().items, [
    { id: here.person.sessionId, isCurrent: true, browser: null, address: null, isBorrowed: false },
    {
      id: there.person.sessionId,
      isCurrent: false,
      browser: 'Firefox',
      system: 'Linux',
      address: '203.0.113.9',
    },
  ])
  t.equal(reply.json().items.length, 2)
  for (const secret of [here.token, there.token, other.token, other.person.sessionId])
    t.notOk(reply.body.includes(secret))
})

t.test('an ended session is refused; the others work', async t => {
  const { here, there, list, end } = await twoPlaces(t)
  t.equal((await end(here, there.person.sessionId)).statusCode, 200)
  t.equal((await list(there)).statusCode, 401)
  t.equal((await list(here)).json().items.length, 1)
  const again = await end(here, there.person.sessionId)
  t.match([again.statusCode, again.json().code], [404, 'AUTH_SESSION_NOT_FOUND'])
})

t.test("another person's session answers 404", async t => {
  const { databases, here, other, list, end } = await twoPlaces(t)
  const before = JSON.stringify(await allRows(databases))
  const refused = await end(here, other.person.sessionId)
  t.match([refused.statusCode, refused.json().code], [404, 'AUTH_SESSION_NOT_FOUND'])
  t.ok(JSON.stringify(await allRows(databases)) === before)
  t.equal((await list(other)).statusCode, 200)
})

t.test('live streams end with their session, and only those', async t => {
  const dropped: string[] = []
  const streams = {
    dropUser: (userId: string, sessionId?: string) => void dropped.push(`${userId} ${sessionId ?? 'all'}`),
    dropMember: () => {},
  }
  const { databases, post, end } = await anInstallation({ streams })
  t.teardown(end)
  const [here, there] = [await aPerson({ databases }), await aPerson({ databases })]
  const moveToAna = databases.write.updateTable('session').set({ userId: here.user.id })
  await moveToAna.where('id', '=', there.person.sessionId).execute()
  t.equal((await post('/revoke-other-sessions', {}, { cookie: here.cookie })).statusCode, 200)
  t.same(dropped, [`${here.user.id} ${there.person.sessionId}`])
  const list = createSessionList({ databases, clock: handClock(), streams })
  await list.endSession(here.person, { params: { id: here.person.sessionId } })
  t.same(dropped.slice(1), [`${here.user.id} ${here.person.sessionId}`])
})

t.test('expired sessions are not listed, and the list is bounded', async t => {
  const { databases, here, there } = await twoPlaces(t)
  const ids = async (limit: number, now = '2026-01-01T00:00:00.000Z') =>
    (await listSessionsOf(databases.read, here.user.id, { now, limit })).map(({ id }) => id)
  t.same(await ids(1), [there.person.sessionId], 'the most recently used one')
  t.same(await ids(9), [there.person.sessionId, here.person.sessionId])
  t.same(await ids(9, '2999-01-01T00:00:00.000Z'), [])
})
