import t from 'tap'
import { numberKey } from '#server/messaging/outbox/numbers.ts'
import { restUntil } from '#server/platform/jobs/pacing/pace-store.ts'
import { isoIn } from '#server/platform/time/clock.ts'
import { flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const burst = ['Uno', 'Dos', 'Tres'].map(text => ({ id: text, type: 'message', text }) as const)
const wires: [string, string, string][] = [
  ['s', 'next', 'Uno'],
  ['Uno', 'next', 'Dos'],
  ['Dos', 'next', 'Tres'],
]
const asksBehind = graphOf(
  [...burst, { id: 'q', type: 'question', text: '¿Y?', expects: 'text', variable: 'x', attempts: 3, timeoutMs: 0 }],
  [...wires, ['Tres', 'next', 'q']],
)
const endsBehind = graphOf([...burst], wires)

for (const [how, graph] of [
  ['that asks behind it', asksBehind],
  ['that ends with it', endsBehind],
] as const)
  t.test(`a person who takes over during a flow’s messages ${how} is the only one whose messages are sent`, async t => {
    const { backend, databases, owner, call, say, later } = await flowStage(t, graph)
    const { id } = await databases.read.selectFrom('wa_connection').select('id').executeTakeFirstOrThrow()
    // The number is paused: messages wait in the queue.
    await restUntil(databases.write, {
      ...{ orgId: owner.org.id, paceKey: numberKey(id), until: isoIn(backend.clock, 60_000) },
    })
    const left = async () =>
      (
        await databases.read
          .selectFrom('message')
          .select(['text', 'status'])
          .where('direction', '=', 'out')
          .orderBy('seq')
          .execute()
      ).map(({ text, status }) => `${text}: ${status}`)
    await say('hola')
    t.equal((await left()).filter(one => one.endsWith(': queued')).length, graph === asksBehind ? 4 : 3)
    const took = await call('POST', `/whatsapp/conversations/${flowPhone}/control`, {
      owner: 'human',
      assigneeId: owner.user.id,
    })
    t.equal(took.status, 200)
    await call('POST', '/whatsapp/messages', { message: 'Soy Ana', numberTel: flowPhone })
    for (let i = 0; i < 5; i += 1) await later(30_000)
    const after = await left()
    t.notOk(after.filter(one => /^(Uno|Dos|Tres|¿Y\?): (sent|delivered|read)$/.test(one)).join(), 'no word of the flow')
    t.ok(
      after.some(one => /^Soy Ana: (sent|delivered|read)$/.test(one)),
      after.join(),
    )
    t.same(backend.errors(), [])
  })

t.test('the handover line is below everything the flow has sent', async t => {
  const graph = graphOf(
    [...burst, { id: 'h', type: 'handoff', message: 'Ya te atienden', note: 'Pide ayuda' }],
    [...wires, ['Tres', 'next', 'h']],
  )
  const { backend, call, say } = await flowStage(t, graph)
  await say('hola')
  const { body } = await call('GET', `/whatsapp/chats/${flowPhone}`)
  t.same(
    body.items.map(({ text, activity }: { text: string; activity?: { kind: string } }) => activity?.kind ?? text),
    ['hola', 'botStarted', 'Uno', 'Dos', 'Tres', 'Ya te atienden', 'Pide ayuda', 'handedOver'],
  )
  t.same(backend.errors(), [])
})
