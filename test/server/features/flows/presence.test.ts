import t from 'tap'
import { lookingMs, writingMs } from '#shared/inbox/presence.ts'
import { aMember } from '#test/helpers/actors.ts'
import { flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const nothing = graphOf([{ id: 'e', type: 'end' }], [['s', 'next', 'e']])

const stage = async (t: Parameters<typeof flowStage>[0]) => {
  const staged = await flowStage(t, nothing)
  const { databases, owner, backend, flow } = staged
  const marta = await aMember({ databases, org: owner.org, role: 'admin', name: 'Marta' })
  const say = async (who: { cookie: string }, state: string, id = flow) => {
    const reply = await backend.inject({
      method: 'PUT',
      url: `/api/whatsapp/flows/${id}/presence`,
      headers: { cookie: who.cookie },
      payload: { state },
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  /** The presence events that open tabs got, in order. */
  const heard = async () =>
    (
      await databases.read
        .selectFrom('event')
        .select('data')
        .where('org_id', '=', owner.org.id)
        .where('type', '=', 'flowPresence')
        .orderBy('seq')
        .execute()
    ).map(({ data }) => JSON.parse(data))
  return { ...staged, marta, say, heard }
}

t.test('two members with a flow open see each other, editing is shown, and leaving removes them', async t => {
  const { owner, marta, say, heard, backend } = await stage(t)
  t.same((await say(owner, 'looking')).body, { items: [] })
  t.match((await say(marta, 'looking')).body, { items: [{ name: 'Ana', isWriting: false }] })
  t.match((await say(owner, 'writing')).body, { items: [{ name: 'Marta', isWriting: false }] })
  t.match((await say(marta, 'looking')).body, { items: [{ name: 'Ana', isWriting: true }] })
  t.match(await heard(), [
    { person: { name: 'Ana' }, isGone: false },
    { person: { name: 'Marta' }, isGone: false },
    { person: { name: 'Ana', isWriting: true }, isGone: false },
  ])
  backend.clock.advance(writingMs)
  t.match((await say(marta, 'looking')).body, { items: [{ name: 'Ana', isWriting: false }] }, 'over by itself')
  await say(owner, 'gone')
  t.match((await heard()).at(-1), { person: { name: 'Ana' }, isGone: true })
  t.same((await say(marta, 'looking')).body, { items: [] })
  t.same(backend.errors(), [])
})

t.test('presence without a heartbeat expires, and expired rows are deleted', async t => {
  const { owner, marta, say, backend, databases } = await stage(t)
  await say(owner, 'looking')
  backend.clock.advance(lookingMs)
  t.same((await say(marta, 'looking')).body, { items: [] })
  backend.clock.advance(60 * 60_000 + lookingMs)
  await backend.settle()
  t.same(await databases.read.selectFrom('flow_presence').selectAll().execute(), [])
})

t.test('a deleted flow, or another organization’s, is refused', async t => {
  const { call, flow, owner, say, databases } = await stage(t)
  const stranger = await aMember({ databases, orgName: 'Ajena' })
  t.match(await say(stranger, 'looking'), { status: 404, body: { code: 'FLOWS_NOT_FOUND' } })
  await call('DELETE', `/whatsapp/flows/${flow}`)
  t.match(await say(owner, 'writing'), { status: 404, body: { code: 'FLOWS_NOT_FOUND' } })
})
