import t, { type Test } from 'tap'
import { seesSome } from '#server/identity/visibility/scope.ts'
import type { ContactActivity } from '#shared/contacts/chat-contact.ts'
import { aMember } from '#test/helpers/actors.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { handClock } from '#test/helpers/clock.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage, itemScope } from '#test/helpers/items.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const ana = '5491155550101'
const chat = `/whatsapp/conversations/${ana}`
const optOut = `/whatsapp/chats/${ana}/opt-out`
const anaAgain = '5491155550102'

interface Part {
  items: ContactActivity[]
  next: string | null
}

const setUp = async (t: Test) => {
  const stage = await chatStage(t, { clock: handClock('2026-11-20T13:00:00.000Z') })
  const { clock, backend, call } = stage
  const say = async (from: string, text: string) => {
    clock.advance(60_000)
    await call('POST', '/sandbox/inbound', { from, name: 'Ana', text })
    await backend.settle()
  }
  const path = `${chat}/activity`
  const part = async (query = '') => (await call('GET', path + query)).body as Part
  const kinds = async () => (await part()).items.map(({ activity: { kind, by } }) => `${kind} ${by.kind}`)
  const act = async (...asked: Parameters<typeof call>) => {
    clock.advance(60_000)
    const reply = await call(...asked)
    if (reply.status >= 400) throw new Error(`${asked.slice(0, 2).join(' ')}: ${reply.status}`)
    await backend.settle()
    return reply.body
  }
  return { ...stage, say, path, part, kinds, act }
}

t.test('the activity of a contact is listed newest first and appears in the thread', async t => {
  const { call, owner, say, part, kinds, act } = await setUp(t)
  await say(ana, 'Hola')
  await say(anaAgain, 'Hola, soy la otra')
  t.same(await part(), { items: [], next: null })
  const tag = await act('POST', '/whatsapp/tags', { label: 'VIP' })
  await act('PUT', `/whatsapp/chats/${ana}/tags/${tag.id}`)
  await act('PUT', optOut, { reason: 'Lo dijo por teléfono' })
  await act('DELETE', optOut)
  await say(ana, 'BAJA')
  await act('POST', `${chat}/block`)
  await act('POST', `${chat}/block`)
  await act('DELETE', `${chat}/block`)
  const made = await act('POST', `${chat}/merge`, { other: anaAgain })
  await act('POST', `/whatsapp/contact-merges/${made.id}/undo`)
  t.same(await kinds(), [
    'parted person',
    'merged person',
    'unblocked person',
    'archived person',
    'blocked person',
    'optedOut customer',
    'optedIn person',
    'optedOut person',
    'tagged person',
  ])
  const { items } = await part()
  t.match(items.at(-1), { chat: ana, activity: { by: { id: owner.user.id }, tag: { label: 'VIP' } } })
  const thread = (await call('GET', `/whatsapp/chats/${ana}?around=${items[0]?.id}`)).body.items
  t.same(
    thread.filter(({ type }: { type: string }) => type === 'activity').map(({ id }: { id: string }) => id),
    items.map(({ id }) => id).toReversed(),
  )
})

t.test('activity comes in pages, and new activity meanwhile shifts no page', async t => {
  const { call, say, path, part, act } = await setUp(t)
  await say(ana, 'Hola')
  for (let i = 0; i < 11; i += 1) {
    await act('PUT', optOut)
    await act('DELETE', optOut)
  }
  const first = await part()
  t.equal(first.items.length, 20)
  await act('PUT', optOut)
  const second = await part(`?after=${first.next}`)
  t.equal(second.items.length, 2)
  t.equal(second.next, null)
  t.same(
    [...first.items, ...second.items].map(({ activity }) => activity.kind),
    Array.from({ length: 11 }, () => ['optedIn', 'optedOut']).flat(),
  )
  for (const query of ['?after=', '?after=x', '?after=-1-1', '?after=1-1-1', '?after=99999999999999-1', '?page=2'])
    t.equal((await call('GET', path + query)).status, 400, query)
  t.same((await part('?after=0-0')).items, [])
  t.equal((await part('?after=9999999999999-999999999999999')).items.length, 20)
  t.equal((await call('GET', '/whatsapp/conversations/5491100000000/activity')).status, 404)
  t.equal((await call('GET', '/whatsapp/conversations/hola/activity')).status, 400)
})

t.test('activity covers every conversation the caller may see, each entry with its conversation id', async t => {
  const stage = await anInbox()
  t.teardown(() => stage.databases.close())
  const other = { phoneNumberId: '206540352242922' }
  await stage.connect('5491150000001', { kind: 'cloud' })
  await stage.connect('5491150000002', { kind: 'cloud', ...other })
  await stage.apply(aMessage({ sender: { waId: ana }, at: '2026-11-20T12:50:00.000Z' }))
  await stage.apply(aMessage({ ...other, sender: { waId: ana }, at: '2026-11-20T12:55:00.000Z' }))
  const { member } = stage.ana
  const rows = (await stage.inbox.listConversations(member, { query: {} })).items
  const [sales, support] = [itemScope.phoneNumberId, other.phoneNumberId].map((_, i) => rows[1 - i]?.id ?? '')
  const beto = await aMember({ databases: stage.databases, org: stage.ana.org, role: 'member' })
  const assign = (id: string, userId: string | null) => {
    stage.clock.advance(60_000)
    return stage.inbox.assignChat(member, { params: { phone: id }, body: { userId } })
  }
  await assign(sales ?? '', beto.user.id)
  await assign(support ?? '', stage.ana.user.id)
  await assign(sales ?? '', null)
  const { listActivity } = stage.contacts
  const seenBy = async (viewer: typeof member, phone: string) =>
    (await listActivity(viewer, { params: { phone }, query: {} })).items.map(
      ({ chat, activity }) => `${activity.kind} ${chat === sales ? 'sales' : chat === support ? 'support' : chat}`,
    )
  t.same(await seenBy(member, ana), ['unassigned sales', 'assigned support', 'assigned sales'])
  const own = {
    ...member,
    scope: seesSome({ tagIds: [], assigneeId: stage.ana.user.id }),
  }
  t.same(await seenBy(own, ana), ['assigned support'], 'nothing of the conversation that is not theirs')
})
