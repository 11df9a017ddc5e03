import t, { type Test } from 'tap'
import { flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** An old contact who was never in a flow. */
const known = '5491155550505'

const question = (id: string, text: string) =>
  ({ id, type: 'question', text, expects: 'text', variable: id, attempts: 3, timeoutMs: 3_600_000 }) as const
const questions = graphOf(
  [question('one', '¿Tu nombre?'), question('two', '¿Tu calle?'), { id: 'thanks', type: 'message', text: 'Gracias' }],
  [
    ['s', 'next', 'one'],
    ['one', 'next', 'two'],
    ['two', 'next', 'thanks'],
  ],
)

const stage = async (t: Test) => {
  const staged = await flowStage(t, questions)
  const { backend, databases, call, say } = staged
  await say('buenas', { from: known, name: 'Lucía de antes' })
  await databases.write.updateTable('conversation').set({ control: 'none' }).execute()
  await say('hola')
  const contactOf = async (phone: string) => (await call('GET', `/whatsapp/conversations/${phone}/contact`)).body.id
  const merge = async () => {
    const { status, body } = await call('POST', `/whatsapp/conversations/${known}/merge`, { other: flowPhone })
    t.equal(status, 200, JSON.stringify(body))
    return async () => {
      t.equal((await call('POST', `/whatsapp/contact-merges/${body.id}/undo`)).status, 200)
      await backend.settle()
    }
  }
  const live = () =>
    databases.read
      .selectFrom('flow_session')
      .select(['contact_id as contactId', 'conversation_id as conversationId'])
      .where('ended_at', 'is', null)
      .execute()
  const conversationOf = async (phone: string) => (await call('GET', `/whatsapp/conversations/${phone}`)).body.id
  return { ...staged, contactOf, merge, live, conversationOf }
}

t.test('a session continues in merged threads, and ends when they are separated', async t => {
  const { backend, say, said, sessions, merge, live, contactOf, conversationOf } = await stage(t)
  const undo = await merge()
  const place = { contactId: await contactOf(known), conversationId: await conversationOf(known) }
  t.match(await live(), [place])
  await say('Lucía')
  t.same(await said(), ['¿Tu nombre?', '¿Tu calle?'])
  await undo()
  t.same(await live(), [])
  t.same(await sessions(), ['stopped'])
  await say('hola')
  t.match(await live(), [{ contactId: await contactOf(flowPhone), conversationId: await conversationOf(flowPhone) }])
  t.same(backend.errors(), [])
})

t.test('a session follows its thread to the other contact, and back', async t => {
  const { backend, databases, owner, say, said, sessions, merge, live, contactOf, conversationOf } = await stage(t)
  // The other contact was written to on a number that is no longer connected.
  const row = await databases.read.selectFrom('wa_connection').selectAll().executeTakeFirstOrThrow()
  const gone = { ...row, id: 'gone', phone_number_id: '1', disconnected_at: backend.clock.now().toISOString() }
  await databases.write.insertInto('wa_connection').values(gone).execute()
  const [kept, session] = [await conversationOf(known), await conversationOf(flowPhone)]
  await databases.write
    .updateTable('conversation')
    .set({ connection_id: 'gone' })
    .where('org_id', '=', owner.org.id)
    .where('id', '=', kept)
    .execute()
  const undo = await merge()
  t.match(await live(), [{ contactId: await contactOf(known), conversationId: session }])
  await say('Lucía')
  t.same(await said(), ['¿Tu nombre?', '¿Tu calle?'])
  await undo()
  t.match(await live(), [{ contactId: await contactOf(flowPhone), conversationId: session }])
  await say('Mitre 1')
  t.same(await said(), ['¿Tu nombre?', '¿Tu calle?', 'Gracias'])
  t.same(await sessions(), ['finished'])
  t.same(backend.errors(), [])
})

t.test('a session ends if its customer is merged with a contact a person has', async t => {
  const { backend, databases, sessions, merge, conversationOf } = await stage(t)
  const kept = await conversationOf(known)
  await databases.write.updateTable('conversation').set({ control: 'human' }).where('id', '=', kept).execute()
  await merge()
  t.same(await sessions(), ['taken'])
  t.same(backend.errors(), [])
})
