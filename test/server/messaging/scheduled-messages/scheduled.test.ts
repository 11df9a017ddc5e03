import t, { type Test } from 'tap'
import { scheduledLimits } from '#shared/scheduled-messages/api.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'

const customer = '5491155550101'
const later = '2026-11-20T20:00:00.000Z'
const hourMs = 3_600_000

const stage = async (t: Test) => {
  const clock = handClock('2026-11-20T13:00:00.000Z')
  const backend = await startBackend(t, { clock })
  const ana = await aMember({ databases: backend.databases, name: 'Ana' })
  const beto = await aMember({ databases: backend.databases, org: ana.org, role: 'member', name: 'Beto' })
  const call = async (
    who: AMember,
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
  ) => {
    const headers = { cookie: who.cookie, 'x-organization-id': who.org.id, 'accept-language': 'es' }
    const reply = await backend.inject({ method, url: `/api${url}`, headers, ...(body ? { payload: body } : {}) })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call(ana, 'POST', '/whatsapp/connection/sandbox')
  const say = async (text: string) => {
    await call(ana, 'POST', '/sandbox/inbound', { from: customer, name: 'Lucía Pérez', text })
    await backend.settle()
  }
  await say('Hola')
  const chat = `/whatsapp/conversations/${customer}`
  const path = `${chat}/scheduled`
  const list = async (who = ana) => (await call(who, 'GET', path)).body.items
  const schedule = async (body: object = {}, who = ana) =>
    (await call(who, 'POST', path, { text: 'Tu pedido está listo', at: later, ...body })).body
  const said = async () => {
    const { body } = await call(ana, 'GET', `/whatsapp/chats/${customer}`)
    return body.items.filter((one: { direction: string }) => one.direction === 'out')
  }
  const wait = async (ms: number) => {
    clock.advance(ms)
    await backend.settle()
  }
  const noticesOf = async (who: AMember) =>
    (await call(who, 'GET', '/notify')).body.map((one: { message: string }) => one.message)
  return { backend, clock, ana, beto, call, say, path, list, schedule, said, wait, noticesOf }
}

t.test('a scheduled message is sent at its time, once, in its author’s name', async t => {
  const { beto, list, schedule, said, wait } = await stage(t)
  const made = await schedule({ text: '  Tu pedido está listo  ', at: '2026-11-20T17:00:00-03:00' }, beto)
  t.match(made, { text: 'Tu pedido está listo', at: later, author: 'Beto', own: true, cancelOnReply: false })
  t.match(await list(), [{ id: made.id, own: false }], 'everybody who sees the chat sees it')
  await wait(6 * hourMs)
  t.same(await said(), [])
  await wait(hourMs)
  t.match(await said(), [{ text: 'Tu pedido está listo', author: { name: 'Beto' } }])
  t.same(await list(), [])
  await wait(24 * hourMs)
  t.equal((await said()).length, 1)
})

t.test('variables in a scheduled text are filled in at sending, and no braces are left', async t => {
  const { beto, schedule, said, wait } = await stage(t)
  await schedule({ text: 'Hola {{contacto.nombre|vos}}, soy {{agente.nombre}}{{flujo.nada}}' }, beto)
  await wait(7 * hourMs)
  t.match(await said(), [{ text: 'Hola Lucía Pérez, soy Beto' }])
})

t.test('the window is checked at the due time: a held message says why and is sent once it can be', async t => {
  const { backend, ana, call, path, say, list, schedule, said, wait, noticesOf } = await stage(t)
  const { id } = await schedule({ at: '2026-11-22T13:00:00Z' })
  await wait(48 * hourMs)
  t.same(await said(), [])
  t.match(await list(), [{ id, held: { code: 'INBOX_WINDOW_CLOSED', message: /24 h/ } }])
  t.ok((await noticesOf(ana)).includes('Tu mensaje para Lucía Pérez no salió a su hora'), 'and its author is notified')
  t.match(await call(ana, 'POST', `${path}/${id}/send`), { status: 409, body: { code: 'INBOX_WINDOW_CLOSED' } })
  t.equal((await list()).length, 1, 'refused, it is still there')
  await say('¿Hay novedades?')
  t.same(await said(), [], 'nothing leaves by itself that was held')
  t.match(await call(ana, 'POST', `${path}/${id}/send`), { status: 200, body: { text: 'Tu pedido está listo' } })
  t.same(await list(), [])
  t.equal((await said()).length, 1)
  await backend.settle()
})

t.test('a postponed message is sent only at its new time, with its new text', async t => {
  const { ana, call, path, list, schedule, said, wait } = await stage(t)
  const { id } = await schedule()
  const changed = await call(ana, 'PATCH', `${path}/${id}`, { text: 'Otra cosa', at: '2026-11-20T22:00:00Z' })
  t.match(changed, { status: 200, body: { text: 'Otra cosa', at: '2026-11-20T22:00:00.000Z' } })
  await wait(7 * hourMs)
  t.same(await said(), [])
  await call(ana, 'PATCH', `${path}/${id}`, { at: '2026-11-21T01:00:00Z' })
  t.match(await list(), [{ text: 'Otra cosa', at: '2026-11-21T01:00:00.000Z' }])
  await call(ana, 'PATCH', `${path}/${id}`, { at: '2026-11-20T22:00:00Z' })
  await wait(2 * hourMs)
  t.match(await said(), [{ text: 'Otra cosa' }])
  await wait(5 * hourMs)
  t.equal((await said()).length, 1)
})

t.test('a message that waits for silence is cancelled when the customer writes, and its author is told', async t => {
  const { ana, say, list, schedule, said, wait, noticesOf } = await stage(t)
  await schedule({ cancelOnReply: true })
  const kept = await schedule({ text: 'De todos modos' })
  await say('Ya lo vi, gracias')
  t.match(await list(), [{ id: kept.id }])
  t.ok((await noticesOf(ana)).includes('Lucía Pérez escribió antes: tu mensaje ya no sale'))
  await wait(8 * hourMs)
  t.match(await said(), [{ text: 'De todos modos' }])
})

t.test('its author edits and sends it; administrators may cancel it, others not', async t => {
  const { backend, ana, beto, call, path, list, schedule, said, wait } = await stage(t)
  const hers = await schedule()
  for (const [method, url, body] of [
    ['PATCH', '', { text: 'Ajena' }],
    ['POST', '/send', undefined],
    ['DELETE', '', undefined],
  ] as const)
    t.match(await call(beto, method, `${path}/${hers.id}${url}`, body), {
      status: 403,
      body: { code: 'SCHEDULED_NOT_YOURS' },
    })
  const his = await schedule({}, beto)
  t.match(await call(ana, 'PATCH', `${path}/${his.id}`, { text: 'Ajena' }), { status: 403 })
  t.match(await call(ana, 'DELETE', `${path}/${his.id}`), { status: 200 })
  t.match(await call(ana, 'DELETE', `${path}/${his.id}`), { status: 404, body: { code: 'SCHEDULED_NOT_FOUND' } })
  t.equal((await list()).length, 1)
  const reader = await aMember({ databases: backend.databases, org: ana.org, role: 'viewer' })
  t.equal((await call(reader, 'POST', path, { text: 'x', at: later })).status, 403)
  t.equal((await list(reader)).length, 1)
  await wait(8 * hourMs)
  t.equal((await said()).length, 1)
})

t.test('if the author left or the contact is blocked, it is held and a present member is notified', async t => {
  const { backend, ana, beto, call, list, schedule, said, wait, noticesOf } = await stage(t)
  await schedule({ text: 'De Beto' }, beto)
  await backend.databases.write.deleteFrom('member').where('userId', '=', beto.user.id).execute()
  await wait(8 * hourMs)
  t.match(await list(), [{ text: 'De Beto', held: { code: 'SCHEDULED_AUTHOR_GONE' } }])
  t.ok((await noticesOf(ana)).some((one: string) => one.endsWith('quien lo escribió ya no puede enviarlo')))
  await call(ana, 'POST', `/whatsapp/conversations/${customer}/block`)
  await schedule({ text: 'De Ana', at: '2026-11-20T23:00:00Z' })
  await wait(3 * hourMs)
  t.match(await list(), [{}, { text: 'De Ana', held: { code: 'SCHEDULED_CONTACT_BLOCKED' } }])
  t.same(await said(), [])
})

t.test('invalid, past and distant times, too many messages and unknown conversations are refused by name', async t => {
  const { backend, ana, call, path, schedule } = await stage(t)
  for (const [at, code] of [
    ['mañana', 'time'],
    ['2026-11-20T20:00:00', 'time'],
    ['2027-02-30T20:00:00Z', 'time'],
    ['2026-11-20T12:59:59Z', 'timePast'],
    ['2027-11-21T13:00:00Z', 'timeFar'],
  ])
    t.match(await call(ana, 'POST', path, { text: 'Hola', at }), {
      status: 400,
      body: { details: [{ field: 'body.at', code }] },
    })
  for (const text of [' \n ', '\u200b\u2060'])
    t.match(await call(ana, 'POST', path, { text, at: later }), {
      status: 400,
      body: { details: [{ field: 'body.text' }] },
    })
  t.match(await call(ana, 'POST', '/whatsapp/conversations/5491100000000/scheduled', { text: 'Hola', at: later }), {
    status: 404,
    body: { code: 'INBOX_CHAT_NOT_FOUND' },
  })
  const { id } = await schedule()
  const { databases } = backend
  const row = await databases.read.selectFrom('scheduled_message').selectAll().executeTakeFirstOrThrow()
  const copies = (count: number, more: object) =>
    databases.write
      .insertInto('scheduled_message')
      .values(Array.from({ length: count }, (_, i) => ({ ...row, ...more, id: `${id}-${JSON.stringify(more)}-${i}` })))
      .execute()
  await copies(scheduledLimits.ofChat - 1, {})
  t.match(await call(ana, 'POST', path, { text: 'Una más', at: later }), {
    status: 409,
    body: { code: 'SCHEDULED_TOO_MANY' },
  })
})

t.test('nothing is sent to an erased person', async t => {
  const { backend, ana, call, schedule, wait, list } = await stage(t)
  await schedule()
  t.equal((await list()).length, 1)
  const erased = await call(ana, 'POST', `/whatsapp/conversations/${customer}/erasure`, {
    reason: 'asked',
    confirm: `+${customer}`,
  })
  t.equal(erased.status, 200)
  t.same(await backend.databases.read.selectFrom('scheduled_message').select('id').execute(), [])
  await wait(8 * hourMs)
})
