/** Which messages a flow answers in the transaction that stores them, and which it leaves to a job. */
import t, { type Test } from 'tap'
import { createAtOnce } from '#server/features/flows/sessions/at-once.ts'
import type { IncomingJob } from '#server/features/flows/sessions/incoming.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

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

testOnSqlite('an answer after which the flow asks on needs no job; what begins or ends a session does', async t => {
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

t.test('after a tap on an action button nothing is answered inline, not even earlier messages', async t => {
  const answered: string[] = []
  const left: IncomingJob[] = []
  const atOnce = createAtOnce({
    log: {} as never,
    engine: {
      together: (_write: unknown, _asked: unknown, work: (batch: object) => Promise<unknown>) => work({}),
      tryAnswerInTransaction: async (_write: unknown, { contactId }: { contactId: string }) =>
        Boolean(answered.push(contactId)),
    } as never,
    jobs: {
      listFree: async (_write, ids) => new Set(ids),
      addMessages: async (_write, jobs) => void left.push(...jobs),
    },
    tryPart: async (write, work) => void (await work(write)),
  })
  const came = (contactId: string, action?: object) => ({ asked: { contactId, action }, starts: null }) as never
  const [word, tap, other] = [came('taps'), came('taps', { isFirst: true }), came('writes')]
  await atOnce({} as never, [word, tap, other])
  t.same(answered, ['writes'])
  t.strictSame(left, [word, tap])
})
