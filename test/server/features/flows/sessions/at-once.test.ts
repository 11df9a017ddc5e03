/** Which messages a flow answers in the transaction that stores them, and which it leaves to a job. */
import t, { type Test } from 'tap'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { applyTo } from '#test/helpers/inbox.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { envelope, itemsOf, metaJson } from '#test/helpers/webhooks.ts'

t.setTimeout(fileTimeoutMs)

/** Asks twice, then adds a tag and ends. */
const asks = graphOf(
  [
    { id: 'q', type: 'question', text: '¿Qué?', expects: 'text', variable: 'x', attempts: 3, timeoutMs: 0 },
    { id: 'r', type: 'question', text: '¿Y qué más?', expects: 'text', variable: 'y', attempts: 3, timeoutMs: 0 },
    { id: 'm', type: 'message', text: 'Anotado: {{flujo.x}} y {{flujo.y}}' },
  ],
  [
    ['s', 'next', 'q'],
    ['q', 'next', 'r'],
    ['r', 'next', 'm'],
  ],
)

const stage = async (t: Test) => {
  const all = await flowStage(t, asks)
  const { databases, owner } = all
  const contactId = async () => {
    const contact = databases.read.selectFrom('contact').select('id').where('org_id', '=', owner.org.id)
    return (await contact.executeTakeFirstOrThrow()).id
  }
  return { ...all, contactId }
}

testOnSqlite('an answer to a question is handled without a job; beginning or ending a session adds one', async t => {
  const { databases, say, said, sessions } = await stage(t)
  const db = databases.raw.write
  db.exec(`create temp table added (kind text);
    create temp trigger added after insert on main.job begin insert into added values (new.kind); end`)
  const added = () => {
    const kinds = db.prepare(`select kind from added where kind like 'flows.%' order by rowid`).pluck().all()
    db.exec('delete from added')
    return kinds
  }
  await say('hola')
  t.strictSame(added(), ['flows.message', 'flows.timer'])
  await say('pan')
  t.strictSame(added(), [], 'its timer is the one there was')
  t.same(await said(), ['¿Qué?', '¿Y qué más?'])
  await say('vino')
  t.strictSame(added(), ['flows.message'])
  t.same(await said(), ['¿Qué?', '¿Y qué más?', 'Anotado: pan y vino'])
  t.same(await sessions(), ['finished'])
})

t.test('no message overtakes queued work of its contact', async t => {
  const { databases, backend, owner, say, said, later, contactId } = await stage(t)
  await say('hola')
  const id = await contactId()
  // A foreign timer that failed once and is still queued.
  await databases.write
    .updateTable('job')
    .set({
      ...{ state: 'retrying', attempts: 1, unique_key: null },
      due_at: new Date(backend.clock.now().getTime() + 60_000).toISOString(),
      payload: JSON.stringify({ sessionId: 'none', contactId: id, steps: 0 }),
    })
    .where('org_id', '=', owner.org.id)
    .where('order_key', '=', `flow ${id}`)
    .execute()
  await say('pan')
  t.same(await said(), ['¿Qué?'])
  await later(120_000)
  t.same(await said(), ['¿Qué?', '¿Y qué más?'])
  t.same(backend.errors(), [])
})

t.test('a customer handed to a person by a tap gets no further message of the flow', async t => {
  const { databases, backend, owner, call, say, said, control, sessions } = await stage(t)
  await say('Buenas')
  const { body } = await call('POST', '/whatsapp/messages', {
    ...{ type: 'actionRecado', message: '¿Seguimos?', labelRecado: 'Dale', numberTel: flowPhone, isHuman: false },
    ...{ action: 'handoff', data: {} },
  })
  await backend.settle()
  await databases.write
    .updateTable('conversation')
    .set({ control: 'none' })
    .where('org_id', '=', owner.org.id)
    .execute()
  await say('hola')
  await say('', {
    ...{ type: 'button_reply', text: undefined, choiceTitle: 'Dale' },
    choiceId: body.interactive.buttons[0].id,
  })
  t.same(await said(), ['¿Qué?'])
  t.equal(await control(), 'needsHuman')
  t.match(await sessions(), [/^taken|^handedOff/])
  t.same(backend.errors(), [])
})

testOnSqlite(
  'a message that came with a tap on an action button is left to a job, that of another customer is not',
  async t => {
    const { databases, backend, owner, call, say, said, later, sessions } = await stage(t)
    const other = '5491155550405'
    await say('Buenas')
    const { body } = await call('POST', '/whatsapp/messages', {
      ...{ type: 'actionRecado', message: '¿Seguimos?', labelRecado: 'Dale', numberTel: flowPhone, isHuman: false },
      ...{ action: 'handoff', data: {} },
    })
    await backend.settle()
    await databases.write
      .updateTable('conversation')
      .set({ control: 'none' })
      .where('org_id', '=', owner.org.id)
      .execute()
    await say('hola')
    await say('hola', { from: other })
    t.same(await said(), ['¿Qué?', '¿Qué?'])
    const { phone_number_id: phoneNumberId } = await databases.read
      .selectFrom('wa_connection')
      .select('phone_number_id')
      .where('org_id', '=', owner.org.id)
      .executeTakeFirstOrThrow()
    const db = databases.raw.write
    db.exec(`create temp table queued (order_key text);
    create temp trigger queued after insert on main.job when new.kind = 'flows.message'
      begin insert into queued values (new.order_key); end`)

    backend.clock.advance(1000)
    const timestamp = String(Math.floor(backend.clock.now().getTime() / 1000))
    const { id, title } = body.interactive.buttons[0]
    const messages = [
      { from: flowPhone, id: 'wamid.word', timestamp, type: 'text', text: { body: 'pan' } },
      {
        ...{ from: flowPhone, id: 'wamid.tap', timestamp, type: 'interactive' },
        interactive: { type: 'button_reply', button_reply: { id, title } },
      },
      { from: other, id: 'wamid.other', timestamp, type: 'text', text: { body: 'pan' } },
    ]
    const metadata = { display_phone_number: '15550783881', phone_number_id: phoneNumberId }
    const contacts = [flowPhone, other].map(phone => ({ profile: { name: 'Lucía' }, wa_id: phone }))
    const webhook = metaJson(envelope({ messaging_product: 'whatsapp', metadata, contacts, messages }))
    await applyTo(backend.parts, owner.org.id, itemsOf(webhook, backend.clock.now().toISOString()))
    const idOf = async (phone: string) =>
      (await databases.read.selectFrom('contact').select('id').where('wa_id', '=', phone).executeTakeFirstOrThrow()).id
    const tapped = `flow ${await idOf(flowPhone)}`
    t.strictSame(db.prepare('select order_key from queued').pluck().all(), [tapped, tapped])
    await later(1000)
    t.same(await said(), ['¿Qué?', '¿Qué?', '¿Y qué más?'], 'the other customer is asked on, the one who tapped is not')
    t.match(await sessions(), [/^taken|^handedOff/, 'waitingAnswer'])
    t.same(backend.errors(), [])
  },
)
