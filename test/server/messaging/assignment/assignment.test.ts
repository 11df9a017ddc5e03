import t, { type Test } from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import type { AssignmentRule } from '#shared/inbox/assignment.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const turn: AssignmentRule = { way: 'turn', most: null, toLast: false }

/** Ana is the owner; Beto and Caro are members. */
const stage = async (t: Test) => {
  // A Friday, 10:00 in Buenos Aires.
  const clock = handClock('2026-11-20T13:00:00.000Z')
  const backend = await startBackend(t, { clock })
  const { databases } = backend
  const ana = await aMember({ databases, name: 'Ana' })
  const beto = await aMember({ databases, org: ana.org, role: 'member', name: 'Beto' })
  const caro = await aMember({ databases, org: ana.org, role: 'member', name: 'Caro' })
  const call = async (who: AMember, method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, body?: object) => {
    const headers = { cookie: who.cookie, 'x-organization-id': who.org.id, 'accept-language': 'es' }
    const reply = await backend.inject({ method, url: `/api${url}`, headers, ...(body ? { payload: body } : {}) })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call(ana, 'POST', '/whatsapp/connection/sandbox')
  const phoneOf = (i: number) => `549115555${String(i).padStart(4, '0')}`
  const says = async (i: number, text = 'Hola') => {
    await call(ana, 'POST', '/sandbox/inbound', { from: phoneOf(i), name: `Cliente ${i}`, text })
    await backend.settle()
    return owner(i)
  }
  const chat = async (i: number) => (await call(ana, 'GET', `/whatsapp/conversations/${phoneOf(i)}`)).body
  const owner = async (i: number) => (await chat(i)).assignee?.name ?? null
  const setRule = (rule: AssignmentRule | null, teamId: string | null = null) =>
    call(ana, 'PUT', '/whatsapp/assignment-rules', { teamId, rule })
  const be = (who: AMember, state: string) => call(who, 'PUT', '/whatsapp/availability', { state })
  const noticesOf = async (who: AMember) =>
    (await call(who, 'GET', '/notify')).body.map((one: { title: string }) => one.title)
  return { backend, clock, ana, beto, caro, call, says, chat, owner, setRule, be, noticesOf, phoneOf }
}

t.test('without a rule no conversation is assigned automatically', async t => {
  const { says, chat } = await stage(t)
  t.equal(await says(1), null)
  t.equal((await chat(1)).control, 'needsHuman')
})

t.test(
  'present members get conversations in turn, in the message’s own commit, and only they are notified',
  async t => {
    const { ana, beto, caro, says, chat, setRule, be, noticesOf, call, phoneOf, backend } = await stage(t)
    await setRule(turn)
    await be(ana, 'away')
    const got = [await says(1), await says(2), await says(3)]
    t.same([...new Set(got)].sort(), ['Beto', 'Caro'])
    t.equal(got[0], got[2])
    t.equal((await chat(1)).control, 'human')
    t.same(await noticesOf(ana), [], 'nobody else is called')
    t.equal((await noticesOf(beto)).length + (await noticesOf(caro)).length, 3)
    const { body } = await call(ana, 'GET', `/whatsapp/chats/${phoneOf(1)}`)
    t.match(
      body.items.map((one: { type: string }) => one.type),
      ['text', 'activity'],
    )
    t.match(body.items[1].activity, { kind: 'assigned', by: { kind: 'system' }, assignee: { name: got[0] as string } })
    const events = await backend.databases.read.selectFrom('event').select('type').execute()
    t.notOk(events.some(({ type }) => type === 'human'))
    await says(1, 'Otra cosa')
    t.equal(await says(1), got[0], 'what somebody has stays theirs')
  },
)

t.test('nobody who is away is assigned; if all are away the conversation waits for the first who returns', async t => {
  const { ana, beto, caro, says, owner, chat, setRule, be } = await stage(t)
  await setRule(turn)
  for (const who of [ana, beto, caro]) await be(who, 'away')
  t.equal(await says(1), null)
  t.equal((await chat(1)).control, 'needsHuman')
  t.match(await be(caro, 'available'), { status: 200, body: { state: 'available', isAvailable: true } })
  t.equal(await owner(1), 'Caro')
  t.equal((await chat(1)).control, 'human')
})

t.test('availability follows the organization’s hours unless a member overrides it', async t => {
  const { ana, beto, caro, says, setRule, be, call, clock, owner } = await stage(t)
  await setRule(turn)
  const closed = { monday: [], tuesday: [], wednesday: [], thursday: [], saturday: [], sunday: [] }
  const hours = { week: { ...closed, friday: [{ from: '09:00', to: '11:00' }] }, exceptions: [] }
  t.equal((await call(ana, 'PUT', '/organization/business-hours', { hours })).status, 200)
  await be(ana, 'away')
  await be(caro, 'away')
  t.equal(await says(1), 'Beto')
  clock.advance(2 * 3_600_000)
  t.equal(await says(2), null, 'closed, nobody is there')
  const list = (await call(ana, 'GET', '/whatsapp/availability')).body.items
  t.same(
    list.filter((one: { isAvailable: boolean }) => one.isAvailable),
    [],
  )
  await be(beto, 'available')
  t.equal(await owner(2), 'Beto', 'there by hand')
})

t.test('nobody is assigned past the limit; the member with the fewest conversations is next', async t => {
  const { ana, beto, caro, says, chat, owner, setRule, be, call, phoneOf } = await stage(t)
  await be(ana, 'away')
  await setRule({ way: 'leastBusy', most: 2, toLast: false })
  const got = [await says(1), await says(2), await says(3), await says(4)]
  t.same(got.toSorted(), ['Beto', 'Beto', 'Caro', 'Caro'])
  t.equal(await says(5), null)
  await call(ana, 'POST', '/whatsapp/chat/archive', { phoneNumber: phoneOf(1) })
  t.equal(await owner(5), got[0], 'who waits gets the place that was freed')
  t.equal((await chat(5)).control, 'human')
  t.equal(await says(6), null)
  await call(ana, 'PUT', `/whatsapp/conversations/${phoneOf(5)}/assignee`, { userId: ana.user.id })
  t.equal(await owner(6), got[0], 'also where one was given to somebody else')
  t.ok(beto && caro)
})

t.test('the member who answered a customer last is preferred', async t => {
  const { ana, beto, caro, says, setRule, be, call, phoneOf, backend } = await stage(t)
  await be(ana, 'away')
  await says(1)
  await call(caro, 'POST', '/whatsapp/messages', { type: 'text', message: 'Buen día', numberTel: phoneOf(1) })
  await backend.settle()
  await call(caro, 'PUT', `/whatsapp/conversations/${phoneOf(1)}/assignee`, { userId: null })
  await call(ana, 'POST', '/whatsapp/chat/archive', { phoneNumber: phoneOf(1) })
  for (const way of ['turn', 'leastBusy'] as const) {
    await setRule({ way, most: null, toLast: true })
    t.equal(await says(1, 'Volví'), 'Caro')
    await call(caro, 'PUT', `/whatsapp/conversations/${phoneOf(1)}/assignee`, { userId: null })
    await call(ana, 'POST', '/whatsapp/chat/archive', { phoneNumber: phoneOf(1) })
  }
  await be(caro, 'away')
  t.equal(await says(1, 'Otra vez'), 'Beto', 'away, it is somebody else’s')
  t.ok(beto)
})

t.test(
  'a conversation assigned to a team goes to one of its members, by the team’s rule or the organization’s',
  async t => {
    const { backend, ana, beto, caro, says, owner, setRule, be, call, phoneOf, chat } = await stage(t)
    const team = newId()
    const { write } = backend.databases
    const at = '2026-11-20T13:00:00.000Z'
    await write
      .insertInto('team')
      .values({ id: team, name: 'Ventas', organizationId: ana.org.id, memberCount: 1, createdAt: at, updatedAt: null })
      .execute()
    await write
      .insertInto('teamMember')
      .values({ id: newId(), teamId: team, userId: caro.user.id, createdAt: at })
      .execute()
    await says(1)
    const give = (i: number) => call(ana, 'PUT', `/whatsapp/conversations/${phoneOf(i)}/assignee`, { teamId: team })
    await give(1)
    t.equal(await owner(1), null, 'there is no rule')
    await setRule(turn, team)
    t.equal(await owner(1), 'Caro', 'the new rule assigns waiting conversations')
    await be(caro, 'away')
    await says(2)
    await give(2)
    t.equal(await owner(2), null, 'nobody of the team is there')
    await setRule(null, team)
    await setRule(turn)
    t.equal((await chat(2)).team.name, 'Ventas')
    t.equal(await owner(2), null, 'nor by the organization’s rule to anybody else')
    await be(caro, 'hours')
    t.equal(await owner(2), 'Caro')
    await says(3)
    t.match(await call(ana, 'PUT', '/whatsapp/assignment-rules', { teamId: 'nope', rule: turn }), {
      status: 404,
      body: { code: 'INBOX_TEAM_NOT_FOUND' },
    })
    t.ok(beto)
  },
)

t.test('administrators change rules, which is audited; each member changes their own availability', async t => {
  const { ana, beto, call, setRule, be } = await stage(t)
  t.equal((await call(beto, 'PUT', '/whatsapp/assignment-rules', { teamId: null, rule: turn })).status, 403)
  t.equal((await call(beto, 'GET', '/whatsapp/assignment-rules')).status, 403)
  t.match(await setRule({ ...turn, most: 5 }), { status: 200, body: { organization: { way: 'turn', most: 5 } } })
  const { body } = await call(ana, 'GET', '/organization/audit')
  t.match(body.items[0], { action: 'assignmentChanged' })
  await be(beto, 'away')
  const list = (await call(ana, 'GET', '/whatsapp/availability')).body.items
  t.match(
    list.find((one: { userId: string }) => one.userId === beto.user.id),
    { state: 'away', isAvailable: false },
  )
  t.equal((await be(beto, 'quizás')).status, 400)
  t.equal((await setRule({ ...turn, most: 0 })).status, 400)
})

t.test('a member who may not see a conversation is not assigned to it', async t => {
  const { backend, ana, beto, caro, says, setRule, be, call, phoneOf } = await stage(t)
  await be(ana, 'away')
  await says(1)
  const tag = newId()
  const { write } = backend.databases
  await write.insertInto('tag').values({ id: tag, org_id: ana.org.id, label: 'VIP', created_at: '' }).execute()
  await call(ana, 'PUT', '/members/content-access', { conversations: true })
  await setRule(turn)
  t.equal(await says(2), null, 'no role was granted a tag: none of them sees it')
  await call(ana, 'PUT', `/whatsapp/chats/${phoneOf(1)}/tags/${tag}`)
  await call(ana, 'POST', '/members/content-permissions', { role: 'member', phoneTagId: tag, granted: true })
  t.ok(await says(1, 'Hola de nuevo'))
  t.ok(beto && caro)
})

t.test('a conversation is handed over with a note in one call, or neither happens', async t => {
  const { ana, beto, says, chat, call, phoneOf, backend } = await stage(t)
  await says(1)
  const give = (body: object) => call(ana, 'PUT', `/whatsapp/conversations/${phoneOf(1)}/assignee`, body)
  const notes = async (): Promise<string[]> =>
    (await call(ana, 'GET', `/whatsapp/chats/${phoneOf(1)}`)).body.items
      .filter(({ type }: { type: string }) => type === 'note')
      .map(({ text }: { text: string }) => text)
  t.equal((await give({ userId: 'nadie', note: 'Quiere factura A' })).status >= 400, true)
  t.same(await notes(), [])
  t.equal((await give({ userId: beto.user.id, note: '   ' })).status, 400)
  t.equal((await give({ userId: beto.user.id, note: 'Quiere factura A' })).status, 200)
  t.same(await notes(), ['Quiere factura A'])
  t.equal((await chat(1)).assignee.name, 'Beto')
  t.same(backend.errors(), [])
})
