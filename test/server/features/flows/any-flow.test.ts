import assert from 'node:assert/strict'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { showGraph } from '#shared/flows/exchange.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import type { WireGraph } from '#shared/flows/wire.ts'
import { anyHeard, anyTellable } from '#test/helpers/any-flow.ts'
import { type Heard, serviceAt, type Tellable, tell, templateSays } from '#test/helpers/flow-reference.ts'
import { flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const isOver = new Set(['finished', 'handedOff', 'expired', 'left', 'taken', 'restarted', 'stopped'])

type Drawn = Omit<Tellable, 'isOpen'>
const sound: WireGraph = graphOf([{ id: 'm', type: 'message', text: 'Hola' }], [['s', 'next', 'm']])
const manual = [{ id: 't', kind: 'manual' }]

/** With a tag, an approved template, a service that answers at once, and two more flows. */
const stageOf = async (t: Test) => {
  const pushFetch = (async (url: string) => {
    const { status, text } = serviceAt(url)
    return new Response(text, { status })
  }) as typeof fetch
  const stage = await flowStage(t, sound, undefined, { pushFetch })
  const { backend, databases, call } = stage
  const components = [{ type: 'BODY', text: templateSays('{{1}}'), example: { body_text: [['nuevo']] } }]
  const template = { name: 'aviso', language: 'es_AR', category: 'UTILITY', components }
  t.equal((await call('POST', '/whatsapp/template', { template })).status, 201)
  await stage.later(60_000)
  const { body: tag } = await call('POST', '/whatsapp/tags', { label: 'Vip' })
  const db = databases.write
  let drawn = 0
  const publish = async (triggers: readonly object[]): Promise<string> => {
    const body = { name: `Al azar ${drawn}`, graph: sound, triggers }
    const { id } = (await call('POST', '/whatsapp/flows', body)).body
    await call('POST', `/whatsapp/flows/${id}/publish`, {})
    return id
  }
  /** Published without checks, because a flow that was valid when published may be broken by now. */
  const redraw = async (id: string, graph: FlowGraph): Promise<void> => {
    const last = await db
      .selectFrom('flow_version')
      .selectAll()
      .where('flow_id', '=', id)
      .orderBy('version', 'desc')
      .executeTakeFirstOrThrow()
    const version = last.version + 1
    const broken = { ...last, version, graph: JSON.stringify(showGraph(graph)) }
    await db.insertInto('flow_version').values(broken).execute()
    await db.updateTable('flow').set({ version }).where('id', '=', id).execute()
  }
  const flowIds = [await publish(manual), await publish(manual)] as const
  const live = async ({ graph, others }: Drawn, words: readonly string[]): Promise<string> => {
    drawn += 1
    const id = await publish([{ id: 't', kind: 'keyword', match: 'equals', words }])
    await redraw(id, graph)
    for (const [other, graph] of others) await redraw(other, graph)
    return id
  }
  const say = (from: string, text: string) => call('POST', '/sandbox/inbound', { from, text, name: 'Alguien' })
  const sessionsOf = (flowId: string) =>
    databases.read.selectFrom('flow_session').selectAll().where('flow_id', '=', flowId).orderBy('id').execute()
  /** The messages a flow's customer got, in order. */
  const saidTo = async (conversationId: string) =>
    (
      await databases.read
        .selectFrom('message')
        .select(['id', 'text'])
        .where('conversation_id', '=', conversationId)
        .where('author_kind', '=', 'bot')
        .where('direction', '=', 'out')
        .orderBy('seq')
        .execute()
    ).map(({ id, text }) => ({ id, text: text as string }))

  /** Invariants of every flow at every moment without running work. */
  const expectSound = async (flowId: string): Promise<void> => {
    const sessions = await sessionsOf(flowId)
    const open = sessions.filter(({ ended_at }) => ended_at === null)
    assert.equal(new Set(open.map(({ contact_id }) => contact_id)).size, open.length, 'two sessions of one contact')
    for (const session of sessions) {
      const steps = await databases.read
        .selectFrom('flow_step')
        .select(['place', 'message_id'])
        .where('session_id', '=', session.id)
        .orderBy('place')
        .execute()
      assert.deepEqual(
        steps.map(({ place }) => place),
        steps.map((_, i) => i + 1),
        'a step is missing, or was taken twice',
      )
      assert.equal(session.steps, steps.length)
      const said = await saidTo(session.conversation_id)
      const known = new Set(said.map(({ id }) => id))
      assert.ok(
        steps.every(({ message_id: id }) => id === null || known.has(id)),
        'a step says what nobody sent',
      )
      if (session.ended_at !== null) assert.ok(isOver.has(session.state), session.state)
      else {
        assert.ok(!isOver.has(session.state), session.state)
        const timer = await databases.read
          .selectFrom('job')
          .select('due_at')
          .where('kind', '=', 'flows.timer')
          .where('unique_key', '=', `${session.id} ${session.steps}`)
          .execute()
        assert.deepEqual(
          timer.map(one => one.due_at),
          [session.wakes_at],
          'a session waits for nothing',
        )
      }
    }
  }
  return { ...stage, around: { tagId: tag.id as string, flowIds }, live, say, sessionsOf, saidTo, expectSound, backend }
}

t.test('for any drawing and any messages, customers get what the reference implementation says', async t => {
  const { backend, around, live, say, sessionsOf, saidTo, expectSound } = await stageOf(t)
  let run = 0
  const reached = new Set<string>()
  await t.resolves(
    fc.assert(
      fc.asyncProperty(anyTellable(around), anyHeard, async (flow: Drawn, heard: Heard[]) => {
        run += 1
        const word = `empezar ${run}`
        const phone = `54911${60_000_000 + run}`
        const flowId = await live(flow, [word])
        await say(phone, word)
        await backend.settle()
        const session = async () => (await sessionsOf(flowId))[0]
        for (const input of heard) {
          const now = await session()
          if (!now || now.ended_at !== null) break
          backend.clock.advance(1000)
          if (input.kind === 'message') await say(phone, input.text)
          else backend.clock.set(new Date(Date.parse(now.wakes_at as string) + 1).toISOString())
          await backend.settle()
          await expectSound(flowId)
        }
        await expectSound(flowId)
        const ended = await session()
        assert.ok(ended)
        const shown = tell({ ...flow, isOpen: true }, heard)
        reached.add(shown.ends)
        assert.deepEqual(
          (await saidTo(ended.conversation_id)).map(({ text }) => text),
          shown.says,
        )
        assert.equal(ended.ended_at === null ? 'no' : ended.state, shown.ends)
      }),
      { numRuns: 30, seed: 20261125, endOnFailure: true },
    ),
  )
  t.ok(reached.size >= 3, [...reached].join(', '))
  t.same(backend.errors(), [])
})

t.test('customers who write concurrently have one session each, and no step runs twice', async t => {
  const { backend, around, live, say, sessionsOf, expectSound } = await stageOf(t)
  let run = 0
  // A customer whose first message is another word waits for a person.
  let begun = 0
  await t.resolves(
    fc.assert(
      fc.asyncProperty(
        anyTellable(around),
        fc.array(anyHeard, { minLength: 3, maxLength: 3 }),
        async (flow, customers) => {
          run += 1
          const word = `empezar ${run}`
          const flowId = await live(flow, [word, 'Pan', '7'])
          await Promise.all(
            customers.flatMap((heard, n) => {
              const phone = `54911${61_000_000 + run * 10 + n}`
              const texts = heard.flatMap(input => (input.kind === 'message' ? [input.text] : []))
              return [word, ...texts, word].map(text => say(phone, text))
            }),
          )
          await backend.settle()
          await expectSound(flowId)
          begun += (await sessionsOf(flowId)).length
        },
      ),
      { numRuns: 12, seed: 20261126, endOnFailure: true },
    ),
  )
  t.ok(begun > run)
  t.same(backend.errors(), [])
})
