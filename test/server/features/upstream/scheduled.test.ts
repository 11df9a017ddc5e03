import t, { type Test } from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { upstreamStage } from '#test/helpers/upstream-stage.ts'

const customer = '5491155550101'
const path = `/whatsapp/conversations/${customer}/scheduled`
const minuteMs = 60_000

const stage = async (t: Test) => {
  const clock = handClock(new Date().toISOString())
  const staged = await upstreamStage(t, { clock })
  const { call, aChat, backend, example } = staged
  aChat(customer, 'Lucía Méndez', ['Hola'])
  const schedule = async (body: object = {}, who = staged.owner) => {
    const at = new Date(clock.now().getTime() + 60 * minuteMs).toISOString()
    const made = await call('POST', path, { text: 'Tu pedido está listo', at, ...body }, { who })
    t.equal(made.status, 201)
    return made.body as { id: string; at: string }
  }
  const wait = async (minutes: number) => {
    clock.advance(minutes * minuteMs)
    await backend.settle()
  }
  const list = async () => (await call('GET', path)).body.items
  const chat = () => example.bookOf(staged.owner.org.id).conversations.get(customer)
  const said = () =>
    chat()
      ?.messages.filter(one => one.direction === 'out')
      .map(one => one.text)
  const sends = () => example.asked.filter(one => one.call === 'POST /whatsapp/messages')
  const notices = async (who = staged.owner) =>
    (await call('GET', '/notify', undefined, { who })).body.map((one: { message: string }) => one.message)
  return { ...staged, clock, schedule, wait, list, chat, said, sends, notices }
}

t.test('a scheduled message goes through the upstream at its time, once, in its author’s name', async t => {
  const { databases, owner, schedule, wait, list, said, sends } = await stage(t)
  const ana = await aMember({ databases, org: owner.org, role: 'member', name: 'Ana' })
  await schedule({ text: 'Hola {{contacto.nombre}}, soy {{agente.nombre}}' }, ana)
  t.equal((await list()).length, 1, 'kept here by number')
  await wait(30)
  t.same(said(), [])
  await wait(31)
  t.same(said(), ['Hola Lucía Méndez, soy Ana'])
  t.same(await list(), [])
  t.match(sends()[0], { claims: { sub: `person:${ana.user.id}`, role: 'member', org: owner.org.id } })
  await wait(24 * 60)
  t.equal(sends().length, 1)
})

t.test('it is not sent if the customer wrote, whether an event told so or not', async t => {
  const { schedule, wait, list, chat, said, sends, call, clock } = await stage(t)
  await call('GET', '/whatsapp/conversations')
  await schedule({ cancelOnReply: true })
  clock.advance(minuteMs)
  const at = new Date(clock.now().getTime()).toISOString()
  chat()?.messages.push({
    ...{ id: 'in2', wamid: 'wamid.in2', direction: 'in', type: 'text', text: 'Ya no', status: 'received', at },
  })
  await wait(60)
  t.same([said(), await list(), sends().length], [[], [], 0])
})

t.test('what the upstream refuses stays and says so; its author changes and sends it', async t => {
  const { schedule, wait, list, chat, said, sends, notices, call, owner, example } = await stage(t)
  const { id } = await schedule()
  const known = chat()
  example.bookOf(owner.org.id).conversations.clear()
  await wait(61)
  t.match(await list(), [{ id, held: { code: 'SCHEDULED_REFUSED' } }])
  t.match(await notices(), [/Lucía Méndez/])
  await wait(24 * 60)
  t.equal(sends().length, 1, 'a write is not repeated')
  example.bookOf(owner.org.id).conversations.set(customer, known as NonNullable<typeof known>)
  t.match(await call('POST', `${path}/${id}/send`), { status: 200, body: { text: 'Tu pedido está listo' } })
  t.same([said(), await list()], [['Tu pedido está listo'], []])
})

t.test('an upstream that cannot be reached is asked for ten minutes', async t => {
  const { schedule, wait, list, example } = await stage(t)
  const { id } = await schedule()
  example.server.closeAllConnections()
  await new Promise(resolve => example.server.close(resolve))
  await wait(61)
  t.match(await list(), [{ id, held: undefined }])
  for (let minute = 0; minute < 12; minute += 1) await wait(1)
  t.match(await list(), [{ id, held: { code: 'UPSTREAM_UNREACHABLE' } }])
})

t.test('an answer that never comes is not taken for a failure: nothing is sent twice', async t => {
  const { schedule, wait, list, said, sends, example, notices } = await stage(t)
  const { id } = await schedule()
  // It sends the message and cuts the line before it answers.
  example.server.on('request', (request, reply) => {
    if (request.method === 'POST') reply.end = () => reply.destroy() as never
  })
  await wait(61)
  t.match(await list(), [{ id, held: { code: 'SCHEDULED_UNCERTAIN', message: /puede que haya salido/ } }])
  t.equal((await notices()).length, 1)
  await wait(60)
  t.same([said(), sends().length], [['Tu pedido está listo'], 1])
})

t.test('a crash while the upstream is asked leaves a row that says so, and its author is told', async t => {
  const { schedule, wait, list, sends, notices, databases } = await stage(t)
  const { id } = await schedule()
  await databases.write
    .updateTable('scheduled_message')
    .set({ held_code: 'SCHEDULED_UNCERTAIN' })
    .where('id', '=', id)
    .execute()
  await wait(61)
  t.match(await list(), [{ id, held: { code: 'SCHEDULED_UNCERTAIN' } }])
  t.same([sends().length, (await notices()).length], [0, 1])
})

t.test('the author’s rights are those of the moment it is sent', async t => {
  const { databases, owner, schedule, wait, list, sends } = await stage(t)
  const ana = await aMember({ databases, org: owner.org, role: 'member', name: 'Ana' })
  const { id } = await schedule({}, ana)
  await databases.write.deleteFrom('member').where('userId', '=', ana.user.id).execute()
  await wait(61)
  t.match(await list(), [{ id, held: { code: 'SCHEDULED_AUTHOR_GONE' } }])
  t.equal(sends().length, 0)
})
