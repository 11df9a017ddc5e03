import t, { type Test } from 'tap'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { handClock } from '#test/helpers/clock.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const ana = '5491155550101'
const anaAgain = '5491155550102'

const stage = async (t: Test) => {
  const { clock, backend, databases, owner, call } = await chatStage(t, {
    clock: handClock('2026-11-20T13:00:00.000Z'),
  })
  const say = async (from: string, name: string, text: string) => {
    clock.advance(60_000)
    await call('POST', '/sandbox/inbound', { from, name, text })
    await backend.settle()
  }
  await say(ana, 'Ana', 'hola de ana')
  await say(anaAgain, 'Ana Otra', 'hola de la otra')
  const texts = async (phone: string) =>
    (await call('GET', `/whatsapp/chats/${phone}`)).body.items
      ?.filter(({ type }: { type: string }) => type === 'text')
      .map(({ text }: { text: string }) => text)
  const contact = async (phone: string) => (await call('GET', `/whatsapp/conversations/${phone}/contact`)).body
  const row = async (phone: string) => (await call('GET', `/whatsapp/conversations/${phone}`)).body
  const merge = (other = anaAgain, into = ana, who?: AMember) =>
    call('POST', `/whatsapp/conversations/${into}/merge`, { other }, who)
  const undo = (id: string, who?: AMember) => call('POST', `/whatsapp/contact-merges/${id}/undo`, undefined, who)
  return { clock, backend, databases, owner, call, say, texts, contact, row, merge, undo }
}

t.test('two contacts are merged with all their data, and undo restores both', async t => {
  const { backend, clock, call, say, texts, contact, row, merge, undo } = await stage(t)
  const field = (await call('POST', '/whatsapp/contact-fields', { label: 'Ciudad', kind: 'text' })).body
  const tagOf = async (label: string, phones: string[]) => {
    const { id } = (await call('POST', '/whatsapp/tags', { label })).body
    for (const phone of phones) await call('PUT', `/whatsapp/chats/${phone}/tags/${id}`)
  }
  await tagOf('Ambas', [ana, anaAgain])
  await tagOf('Solo otra', [anaAgain])
  await call('PATCH', `/whatsapp/conversations/${ana}/contact`, { name: 'Ana Paz', note: 'de ana' })
  await call('PATCH', `/whatsapp/conversations/${anaAgain}/contact`, {
    note: 'de la otra',
    fields: [{ id: field.id, value: 'Rosario' }],
  })
  await call('POST', `/whatsapp/conversations/${anaAgain}/notes`, { text: 'apunte' })
  await call('POST', `/whatsapp/conversations/${anaAgain}/scheduled`, { text: 'luego', at: '2026-11-25T12:00:00.000Z' })
  const before = { ana: await contact(ana), other: await contact(anaAgain) }
  const rows = { ana: await row(ana), other: await row(anaAgain) }

  const { status, body: made } = await merge()
  t.equal(status, 200, JSON.stringify(made))
  t.match(made, { name: 'Ana Otra', by: 'Ana Prueba', undoUntil: '2026-11-27T13:02:00.000Z' })
  t.strictSame(await texts(ana), ['hola de ana', 'hola de la otra'])
  t.equal((await row(anaAgain)).id, rows.ana.id, 'either number leads to the one thread')
  const one = await contact(ana)
  t.match(one, { name: 'Ana Paz', note: 'de ana\nde la otra', fields: [{ value: 'Rosario' }] })
  t.equal(one.identifiers.length, before.ana.identifiers.length + before.other.identifiers.length)
  t.equal(one.conversations.length, 1)
  t.strictSame(
    one.conversations[0].tags.map(({ label }: { label: string }) => label),
    ['Ambas', 'Solo otra'],
  )
  t.equal((await call('GET', `/whatsapp/conversations/${ana}/scheduled`)).body.items.length, 1)
  t.equal((await call('GET', '/whatsapp/contacts?search=otra')).body.items.length, 1)
  t.match((await call('GET', `/whatsapp/conversations/${ana}/merges`)).body.items, [{ id: made.id }])

  t.equal((await undo(made.id)).status, 200)
  // Messages are read into segments again, and then it is known until when an answer is due.
  clock.advance(5_000)
  await backend.settle()
  t.match(await contact(ana), before.ana)
  t.match(await contact(anaAgain), before.other)
  t.match(await row(ana), rows.ana)
  t.match(await row(anaAgain), rows.other)
  t.strictSame(await texts(ana), ['hola de ana'])
  t.strictSame(await texts(anaAgain), ['hola de la otra'])
  t.equal((await call('GET', `/whatsapp/conversations/${anaAgain}/scheduled`)).body.items.length, 1)
  t.equal((await call('GET', `/whatsapp/conversations/${ana}/scheduled`)).body.items.length, 0)
  t.equal((await call('GET', '/whatsapp/contacts?search=otra')).body.items.length, 1)
  t.equal((await undo(made.id)).status, 404, 'once')
  await say(anaAgain, 'Ana Otra', 'sigo acá')
  t.strictSame(await texts(anaAgain), ['hola de la otra', 'sigo acá'])
  t.strictSame(await texts(ana), ['hola de ana'])
  const { items } = (await call('GET', '/organization/audit')).body
  t.match(items.map(({ action }: { action: string }) => action).slice(0, 2), ['mergeUndone', 'contactsMerged'])
  t.same(backend.errors(), [])
})

t.test('a number that was only noted on a contact is not used to write to the customer', async t => {
  const { backend, databases, call, contact, row, merge } = await stage(t)
  const imported = '5491155550103'
  const begun = await call('POST', '/whatsapp/contact-imports', {
    ...{ columns: ['phone', 'name'], text: `telefono,nombre\n+${imported},Ana de la lista` },
  })
  t.ok(begun.status < 300, JSON.stringify(begun.body))
  await backend.settle()
  const { wa_id } = await databases.read
    .selectFrom('contact')
    .select('wa_id')
    .where('name', '=', 'Ana de la lista')
    .executeTakeFirstOrThrow()
  t.equal(wa_id, imported)
  t.equal((await merge(imported)).status, 200)
  t.match((await contact(ana)).identifiers, [{ value: ana }, { value: imported }])
  t.equal((await row(ana)).phone, ana)
  t.equal((await row(imported)).phone, ana)
})

t.test('after undo, everything received or changed since the merge stays with the surviving contact', async t => {
  const { backend, call, say, texts, contact, row, merge, undo } = await stage(t)
  const { body: made } = await merge()
  await say(anaAgain, 'Ana Otra', 'después')
  await call('PATCH', `/whatsapp/conversations/${ana}/contact`, { name: 'Ana, la de siempre' })
  t.equal((await row(ana)).phone, anaAgain, 'who wrote last is written to')
  t.equal((await undo(made.id)).status, 200)
  t.strictSame(await texts(ana), ['hola de ana', 'después'])
  t.strictSame(await texts(anaAgain), ['hola de la otra'])
  t.match(await contact(ana), { name: 'Ana, la de siempre', identifiers: [{ value: ana }] })
  t.match(await row(ana), { phone: ana, lastMessage: { text: 'después' } })
  t.match(await row(anaAgain), { phone: anaAgain, lastMessage: { text: 'hola de la otra' } })
  t.same(backend.errors(), [])
})

t.test(
  'undo is refused after seven days, to other organizations, and for contacts that are the same person',
  async t => {
    const { clock, backend, databases, owner, call, merge, undo } = await stage(t)
    t.match(await merge(ana), { status: 400, body: { details: [{ field: 'body.other' }] } })
    t.equal((await merge('5491100000000')).status, 404)
    const member = await aMember({ databases, org: owner.org, role: 'member' })
    t.equal((await merge(anaAgain, ana, member)).status, 403)
    const stranger = await aMember({ databases, orgName: 'Otra' })
    t.equal((await merge(anaAgain, ana, stranger)).status, 404)
    const { body: made } = await merge()
    t.equal((await undo(made.id, stranger)).status, 404)
    clock.advance(7 * 86_400_000 + 1000)
    t.equal((await undo(made.id)).status, 404)
    t.same((await call('GET', `/whatsapp/conversations/${ana}/merges`)).body.items, [])
    t.same(backend.errors(), [])
  },
)

t.test('an erased person is removed from merge records too', async t => {
  const { clock, backend, databases, call, merge } = await stage(t)
  await merge()
  const asked = { reason: 'asked', confirm: '+54 9 11 5555-0102' }
  const erased = await call('POST', `/whatsapp/conversations/${ana}/erasure`, asked)
  t.equal(erased.status, 200, JSON.stringify(erased.body))
  for (let i = 0; i < 5; i += 1) {
    clock.advance(1000)
    await backend.settle()
  }
  t.same(await databases.read.selectFrom('contact_merge').select('id').execute(), [])
  t.same(await databases.read.selectFrom('contact_merge_message').select('message_id').execute(), [])
})
