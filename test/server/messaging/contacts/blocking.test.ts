import t, { type Test } from 'tap'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { handClock } from '#test/helpers/clock.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const customer = '5491155550101'

const stage = async (t: Test) => {
  const { clock, backend, databases, owner, call } = await chatStage(t, {
    clock: handClock('2026-11-20T13:00:00.000Z'),
  })
  const orgId = owner.org.id
  const say = async (text: string, from = customer) => {
    const reply = await call('POST', '/sandbox/inbound', { from, name: 'Lucía', text })
    await backend.settle()
    return reply
  }
  const chat = `/whatsapp/conversations/${customer}`
  const block = async (isOn = true, who?: AMember) => {
    const reply = await call(isOn ? 'POST' : 'DELETE', `${chat}/block`, undefined, who)
    await backend.settle()
    return reply
  }
  const listed = async (archived: boolean) =>
    (await call('GET', `/whatsapp/conversations?archived=${archived}`)).body.items as {
      unread: number
      control: string
      lastMessage: { text: string }
    }[]
  const notices = () =>
    databases.read.selectFrom('notification').select(['id', 'count']).where('org_id', '=', orgId).execute()
  const atWhatsApp = async () =>
    (
      await databases.read
        .selectFrom('sandbox_customer')
        .select('blocked_by_us')
        .where('org_id', '=', orgId)
        .where('wa_id', '=', customer)
        .executeTakeFirstOrThrow()
    ).blocked_by_us === 1
  /**
   * Delivers a message around the simulator, which drops messages of blocked contacts: like a number that WhatsApp
   * could not block.
   */
  const letThrough = () =>
    databases.write.updateTable('sandbox_customer').set({ blocked_by_us: 0 }).where('org_id', '=', orgId).execute()
  return { clock, backend, databases, owner, orgId, call, say, chat, block, listed, notices, atWhatsApp, letThrough }
}

t.test(
  'a blocked contact leaves the inbox; their messages are stored but change no list and notify nobody',
  async t => {
    const { backend, call, say, chat, block, listed, notices, atWhatsApp, letThrough } = await stage(t)
    await say('Hola')
    t.equal((await listed(false)).length, 1)
    const before = await notices()
    t.equal((await call('GET', `${chat}/contact`)).body.block, null)
    t.same(await block(), { status: 200, body: { success: true } })
    t.same(await listed(false), [])
    t.match((await call('GET', `${chat}/contact`)).body.block, { at: '2026-11-20T13:00:00.000Z', by: /./ })
    t.ok(await atWhatsApp(), 'WhatsApp was told')
    await letThrough()
    await say('Insisto')
    t.same(await listed(false), [], 'it stays away')
    t.match(await listed(true), [{ lastMessage: { text: 'Insisto' }, unread: 1, control: 'bot' }])
    t.same(await notices(), before, 'nobody hears of it')
    t.equal((await block()).status, 200, 'the same again')

    t.equal((await block(false)).status, 200)
    t.notOk(await atWhatsApp())
    t.equal((await call('GET', `${chat}/contact`)).body.block, null)
    await say('¿Ahora sí?')
    t.match(await listed(false), [{ lastMessage: { text: '¿Ahora sí?' }, unread: 2, control: 'needsHuman' }])
    t.same(backend.errors(), [])
  },
)

t.test('no flow answers a blocked contact', async t => {
  const { databases, call, say, block, letThrough } = await stage(t)
  const { id } = (
    await call('POST', '/whatsapp/flows', {
      name: 'Bienvenida',
      graph: {
        nodes: [
          { id: 'a', type: 'start' },
          { id: 'b', type: 'end', position: { x: 0, y: 100 } },
        ],
        edges: [{ id: 'e', source: 'a', target: 'b' }],
      },
      triggers: [{ id: 't', kind: 'default' }],
    })
  ).body
  t.equal((await call('POST', `/whatsapp/flows/${id}/publish`, { revision: 1 })).status, 200)
  await say('Hola')
  const sessions = async () => (await databases.read.selectFrom('flow_session').select('id').execute()).length
  t.equal(await sessions(), 1)
  await block()
  await letThrough()
  await say('Hola otra vez')
  t.equal(await sessions(), 1)
  await block(false)
  await say('¿Y ahora?')
  t.equal(await sessions(), 2, 'it would have answered')
})

t.test('a contact who last wrote more than a day ago is blocked here only, not at WhatsApp', async t => {
  const { clock, backend, say, block, listed, atWhatsApp } = await stage(t)
  await say('Hola')
  clock.advance(25 * 3_600_000)
  t.equal((await block()).status, 200)
  t.notOk(await atWhatsApp())
  t.same(await listed(false), [])
  t.same(backend.errors(), [])
  t.same(
    backend.lines.filter(({ msg }) => /block/.test(msg)),
    [],
    'WhatsApp, which would refuse it, was not asked',
  )
})

t.test('only owners and administrators block; an unknown contact is 404; every block is audited', async t => {
  const { databases, owner, call, say, chat, block } = await stage(t)
  t.equal((await block()).status, 404)
  await say('Hola')
  const member = await aMember({ databases, org: owner.org, role: 'member' })
  const admin = await aMember({ databases, org: owner.org, role: 'admin' })
  t.equal((await block(true, member)).status, 403)
  t.equal((await block(true, admin)).status, 200)
  t.equal((await call('GET', `${chat}/contact`, undefined, member)).status, 200)
  await block(false)
  t.match((await call('GET', '/organization/audit?kind=contacts')).body.items, [
    { action: 'contactUnblocked', subject: customer },
    { action: 'contactBlocked', subject: customer },
  ])
})

t.test('when two contacts are merged, the result is blocked if either was', async t => {
  const { clock, call, say, block, letThrough, backend } = await stage(t)
  const other = '5491155550202'
  await say('Hola')
  await block()
  await letThrough()
  clock.advance(60_000)
  await say('Soy yo', other)
  await call('POST', '/sandbox/inbound', { from: customer, type: 'system', newNumber: other })
  await backend.settle()
  t.match((await call('GET', `/whatsapp/conversations/${other}/contact`)).body.block, { by: /./ })
})
