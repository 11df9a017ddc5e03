import { createHmac } from 'node:crypto'
import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { upstreamStage } from '#test/helpers/upstream-stage.ts'

type Stage = Awaited<ReturnType<typeof upstreamStage>>

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`

/** Posts an event as the upstream does. */
const poster =
  ({ backend }: Stage) =>
  async (body: object | string, { key = secret, at = backend.clock.now() }: { key?: string; at?: Date } = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const seconds = String(Math.floor(at.getTime() / 1000))
    const mac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
    const signature = mac.update(`msg_1.${seconds}.${text}`).digest('base64')
    const reply = await backend.inject({
      method: 'POST',
      url: '/upstream/events',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'msg_1',
        'webhook-timestamp': seconds,
        'webhook-signature': `v1,bm9uZQ== v1,${signature}`,
      },
      payload: text,
    })
    return { status: reply.statusCode, body: reply.json() }
  }

const aStage = async (t: Parameters<typeof upstreamStage>[0]) => {
  const stage = await upstreamStage(t, { secret })
  const { owner } = stage
  const post = poster(stage)
  let count = 0
  const say = (event: string, data: object, id?: string) => {
    count += 1
    return post({ event, data, org: owner.org.id, id: id ?? `e${count}` })
  }
  const liveEvents = async () =>
    (await stage.databases.read.selectFrom('event').select(['type', 'data']).orderBy('seq').execute()).map(row => ({
      event: row.type,
      data: JSON.parse(row.data),
    }))
  return { ...stage, post, say, liveEvents }
}
const phone = '5491155550101'
const message = (id: string, text: string, at: string) => ({ id, direction: 'in', type: 'text', text, at })

t.test('a message that is posted twice reaches the list and open pages once', async t => {
  const { say, call, liveEvents } = await aStage(t)
  const at = new Date().toISOString()
  t.equal(
    (await say('message', { number: phone, name: 'Lucía', message: message('m1', 'Hola', at) }, 'same')).status,
    200,
  )
  t.equal(
    (await say('message', { number: phone, name: 'Lucía', message: message('m1', 'Hola', at) }, 'same')).status,
    200,
  )
  const { items } = (await call('GET', '/whatsapp/conversations?unread=true')).body
  t.match(items, [{ phone, name: 'Lucía', unread: 1, lastMessage: { text: 'Hola', direction: 'in' } }])
  t.ok(items[0].windowClosesAt > at)
  const events = await liveEvents()
  t.match(
    events.filter(({ event }) => event === 'messageChanged'),
    [{ data: { number: phone, message: { id: 'm1', text: 'Hola', status: 'received' } } }],
  )
})

t.test('events out of order leave the newest message in the list', async t => {
  const { say, call } = await aStage(t)
  const base = Date.now() - 60_000
  const at = (s: number) => new Date(base + s * 1000).toISOString()
  await say('message', { number: phone, message: message('m2', 'segundo', at(2)) })
  await say('message', { number: phone, message: message('m1', 'primero', at(1)) })
  const { items } = (await call('GET', '/whatsapp/conversations?unread=true')).body
  t.match(items, [{ lastMessage: { text: 'segundo', at: at(2) } }])
})

t.test('times are stored in UTC, and what is no time is refused', async t => {
  const { say, call } = await aStage(t)
  const reply = await say('message', { number: phone, message: message('m1', 'Hola', '2026-03-01T10:00:00-03:00') })
  t.equal(reply.status, 200)
  t.equal(
    (await call('GET', `/whatsapp/conversations?page=1&unread=true`)).body.items[0].lastMessage.at,
    '2026-03-01T13:00:00.000Z',
  )
  for (const at of ['yesterday at about noon', '2016-12-31T23:59:60Z', '+275760-09-13T00:00:00Z']) {
    const refused = await say('message', { number: phone, message: message('m2', 'Hola', at) })
    t.equal(refused.status, 400, at)
    t.match(JSON.stringify(refused.body), 'data.message.at')
    const status = await say('status', { number: phone, id: 'm1', status: 'read', at })
    t.equal(status.status, 200, 'of a status the time it came counts')
  }
})

t.test('human and notify are as the calls of the product have them, with notifications', async t => {
  const { say, call, liveEvents } = await aStage(t)
  await say('human', { number: phone, message: 'Lucía pide hablar con una persona' })
  t.match((await call('GET', '/whatsapp/conversations?needsHuman=true')).body.items, [{ phone, control: 'needsHuman' }])
  await say('notify', {
    id: 'notify-7',
    title: 'Stock',
    message: 'Queda poca harina',
    viewed: false,
    redirect: `/${phone}`,
  })
  const events = await liveEvents()
  t.match(events.find(({ event }) => event === 'human')?.data, {
    number: phone,
    message: 'Lucía pide hablar con una persona',
  })
  t.match(events.filter(({ event }) => event === 'notify').at(-1)?.data, {
    title: 'Stock',
    message: 'Queda poca harina',
    redirect: `/${phone}`,
  })
  const notices = (await call('GET', '/notify')).body
  t.ok(notices.some((one: { title: string }) => one.title === 'Stock'))
  t.ok(notices.some((one: { redirect?: string }) => one.redirect === `/${phone}`))
})

t.test('a person who answers ends the wait of a customer', async t => {
  const { say, call, aChat } = await aStage(t)
  aChat(phone, 'Lucía', ['Hola'])
  await call('GET', '/whatsapp/conversations')
  await say('human', { number: phone, message: 'Pide una persona' })
  t.equal((await call('GET', '/whatsapp/lanes')).body.needsHuman.count, 1)
  t.equal((await call('POST', '/whatsapp/messages', { message: 'Acá estoy', numberTel: phone })).status, 202)
  t.equal((await call('GET', '/whatsapp/lanes')).body.needsHuman.count, 0)
  t.match((await call('GET', `/whatsapp/conversations/${phone}`)).body, { control: 'human', assignee: null })
})

t.test('statuses, changed messages and conversations are passed to open pages', async t => {
  const { say, aChat, call, liveEvents } = await aStage(t)
  aChat(phone, 'Lucía', ['Hola'])
  await call('GET', '/whatsapp/conversations')
  const at = new Date().toISOString()
  await say('status', { number: phone, id: `${phone}-0`, status: 'sent', unconfirmed: true, at })
  await say('messageChanged', { number: phone, message: message(`${phone}-0`, 'Hola, editado', at) })
  t.equal((await say('messageChanged', { number: phone, message: { id: 'x' } })).status, 400)
  await say('conversation', { conversation: { phone, name: 'Lucía M.', archived: true } })
  const events = await liveEvents()
  t.match(events.find(({ event }) => event === 'status')?.data, {
    ...{ number: phone, id: `${phone}-0`, status: 'sent', unconfirmed: true },
  })
  t.match(events.find(({ event }) => event === 'messageChanged')?.data, {
    ...{ number: phone, message: { id: `${phone}-0`, text: 'Hola, editado' } },
  })
  t.match(events.filter(({ event }) => event === 'conversation').at(-1)?.data.conversation, { phone, archived: true })
})

t.test('what is not signed, too old, of nobody or of another form is refused', async t => {
  const { post, say, owner, backend, liveEvents, databases } = await aStage(t)
  const event = { event: 'human', data: { number: phone, message: 'x' }, org: owner.org.id, id: 'e' }
  const another = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  t.match(await post(event, { key: another }), { status: 401, body: { code: 'UPSTREAM_SIGNATURE_REFUSED' } })
  t.equal((await post(event, { at: new Date(backend.clock.now().getTime() - 6 * 60_000) })).status, 401)
  t.equal((await post(event, { at: new Date(backend.clock.now().getTime() + 6 * 60_000) })).status, 401)
  t.equal((await backend.inject({ method: 'POST', url: '/upstream/events', payload: event })).statusCode, 401)
  t.match(await post('{"event":'), { status: 400, body: { code: 'UPSTREAM_EVENT_REFUSED' } })
  t.match(await post({ ...event, org: 'nobody' }), { status: 400, body: { message: /org$/ } })
  t.match(await say('message', { number: phone, message: { id: 1 } }), {
    status: 400,
    body: { message: /data\.message\./ },
  })
  t.match(await say('human', { number: 'nobody', message: 'x' }), { status: 400, body: { message: /data\.number$/ } })
  t.equal((await say('weather', {})).status, 200, 'an unknown event is taken')
  t.equal((await say('human', { number: phone, message: `a\u0000b\ud800` })).status, 200)
  t.same((await liveEvents()).map(({ event }) => event).filter(name => name === 'human').length, 1)
  const other = await aMember({ databases, orgName: 'Otra' })
  const rows = await databases.read.selectFrom('conversation').selectAll().where('org_id', '=', other.org.id).execute()
  t.same(rows, [])
  t.same(backend.errors(), [])
})

t.test('without a secret there is no such address', async t => {
  const stage = await upstreamStage(t)
  t.equal((await poster(stage)({ event: 'x' })).status, 404)
})
