import t, { type Test } from 'tap'
import { countSteps, findSender } from '#server/features/flows/runs/run-store.ts'
import { maxStepsShown, shownValueMaxChars } from '#shared/flows/runs/runs.ts'
import type { WireGraph } from '#shared/flows/wire.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** Asks twice, then says goodbye; a session without an answer expires after an hour. */
const graph = {
  nodes: [
    { id: 's', type: 'start', data: {} },
    { id: 'name', type: 'question', data: { text: '¿Tu nombre?', variable: 'nombre', ends: ['invalid'] } },
    {
      id: 'choose',
      type: 'buttons',
      data: {
        text: '¿Qué querés?',
        options: [
          { id: 'a', title: 'Comprar' },
          { id: 'b', title: 'Una persona' },
        ],
        ends: ['other'],
      },
    },
    { id: 'thanks', type: 'message', data: { text: '¡Gracias, {{flujo.nombre}}!', ends: ['next'] } },
    { id: 'person', type: 'handoff', data: {} },
  ],
  edges: [
    { source: 's', target: 'name' },
    { source: 'name', target: 'choose' },
    { source: 'choose', sourceHandle: 'a', target: 'thanks' },
    { source: 'choose', sourceHandle: 'b', target: 'person' },
  ],
} as unknown as WireGraph

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const { databases } = backend
  const owner = await aMember({ databases, name: 'Ana' })
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, by = owner) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: by.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  const triggers = [{ id: 'hello', kind: 'keyword', match: 'equals', words: ['hola'] }]
  const { body: flow } = await call('POST', '/whatsapp/flows', { name: 'Bienvenida', graph, triggers })
  t.equal((await call('POST', `/whatsapp/flows/${flow.id}/publish`, {})).status, 200)
  const customer = (n: number, name: string) => {
    const phone = `549115555040${n}`
    return {
      phone,
      async says(...texts: string[]) {
        for (const text of texts) {
          backend.clock.advance(1000)
          const { status } = await call('POST', '/sandbox/inbound', { from: phone, text, name })
          t.ok(status < 300)
          await backend.settle()
        }
      },
    }
  }
  return { backend, databases, owner, call, flow: flow.id as string, customer }
}

t.test('a flow’s message names flow, session and step; other messages do not', async t => {
  const { call, databases, owner, flow, customer } = await stage(t)
  const lucia = customer(1, 'Lucía')
  await lucia.says('hola', 'Lucía', 'comprar')
  const said = await databases.read
    .selectFrom('message')
    .select(['id', 'text', 'author_kind', 'author_name'])
    .where('org_id', '=', owner.org.id)
    .orderBy('seq')
    .execute()
  const thanks = said.find(({ text }) => text === '¡Gracias, Lucía!')
  const { status, body } = await call('GET', `/whatsapp/flow-messages/${thanks?.id}`)
  t.equal(status, 200)
  t.match(body, { flowId: flow, version: 1, trigger: 'hello', contact: { name: 'Lucía', phone: lucia.phone } })
  const run = (await call('GET', `/whatsapp/flow-runs/${body.id}`)).body
  t.match(run, { flowName: 'Bienvenida', isDeleted: false, contact: { name: 'Lucía' } })
  t.match(run.beganBy, { id: 'hello', kind: 'keyword' }, 'the trigger itself')
  const step = run.timeline.find(({ place }: { place: number }) => place === body.place)
  t.match(step, { nodeId: 'thanks', messageId: thanks?.id })
  t.same(run.nodes.map(({ id }: { id: string }) => id).sort(), ['choose', 'name', 's', 'thanks'])
  const [list] = (await call('GET', `/whatsapp/flows/${flow}/runs`)).body.items
  t.match(list, { id: body.id, contact: { name: 'Lucía', phone: lucia.phone }, state: 'finished' })

  const theirs = said.find(({ author_kind }) => author_kind === null)
  t.match(await call('GET', `/whatsapp/flow-messages/${theirs?.id}`), {
    status: 404,
    body: { code: 'FLOWS_MESSAGE_NOT_FOUND' },
  })
  const stranger = await aMember({ databases, name: 'Eva' })
  t.equal((await call('GET', `/whatsapp/flow-messages/${thanks?.id}`, undefined, stranger)).status, 404)
  // The session of a deleted flow is still readable.
  t.equal((await call('DELETE', `/whatsapp/flows/${flow}`)).status, 200)
  t.match((await call('GET', `/whatsapp/flow-runs/${body.id}`)).body, { flowName: 'Bienvenida', isDeleted: true })
  t.equal((await call('GET', `/whatsapp/flows/${flow}/figures`)).status, 404)
})

t.test('each node counts arrivals, outputs, waiting customers and those who gave up', async t => {
  const { call, backend, flow, customer } = await stage(t)
  await customer(1, 'Lucía').says('hola', 'Lucía', 'comprar')
  await customer(2, 'Pedro').says('hola', 'Pedro', 'una persona')
  await customer(3, 'Eva').says('hola', 'Eva', 'salir')
  await customer(4, 'Juan').says('hola')
  backend.clock.advance(5 * 3_600_000)
  await backend.settle()
  await customer(5, 'Sol').says('hola', 'Sol')
  const { status, body } = await call('GET', `/whatsapp/flows/${flow}/figures`)
  t.equal(status, 200)
  t.equal(body.runs, 5)
  const of = (id: string) => body.nodes.find(({ nodeId }: { nodeId: string }) => nodeId === id)
  t.match(of('s'), { entered: 5, here: 0, gaveUp: 0, outputs: [{ output: 'next', count: 5 }] })
  t.match(of('name'), { entered: 5, here: 0, gaveUp: 1, outputs: [{ output: 'next', count: 4 }], medianMs: 1000 })
  t.equal(of('s').medianMs, null)
  t.match(of('choose'), { entered: 4, here: 1, gaveUp: 1 })
  t.same(
    of('choose').outputs.sort((a: { output: string }, b: { output: string }) => (a.output < b.output ? -1 : 1)),
    [
      { output: 'a', count: 1 },
      { output: 'b', count: 1 },
    ],
  )
  t.match(of('thanks'), { entered: 1, gaveUp: 0 })
  t.match(of('person'), { entered: 1, gaveUp: 0, here: 0 })

  // The statistics count sessions, and each count opens them.
  const { steps } = (await call('GET', `/stats/blocks/flows/${flow}`)).body
  t.equal(steps.length, 5)
  for (const { nodeId, entered, gaveUp } of steps)
    for (const [counted, count] of Object.entries({ reached: entered, gaveUp })) {
      const list = await call('GET', `/whatsapp/flows/${flow}/runs?counted=${counted}&step=${nodeId}`)
      t.equal(list.body.items.length, count, `${counted} ${nodeId}`)
    }
  const left = (await call('GET', `/whatsapp/flows/${flow}/runs?counted=gaveUp&step=choose`)).body.items
  t.match(left, [{ contact: { name: 'Eva' } }])
  t.match(await call('GET', `/whatsapp/flows/${flow}/runs?counted=reached`), {
    status: 400,
    body: { details: [{ field: 'query.step' }] },
  })
  t.match((await call('GET', `/whatsapp/flows/${flow}/runs?counted=reached&step=none`)).body, { items: [] })
})

testOnSqlite('they are read from an index, and of so many sessions and steps at most', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const { raw } = databases
  const plans: string[] = []
  const prepare = raw.read.prepare.bind(raw.read)
  raw.read.prepare = ((text: string) => {
    if (text.startsWith('select') && text.includes('flow_'))
      plans.push(
        (
          prepare(`explain query plan ${text}`).all(...Array(text.split('?').length - 1).fill(null)) as {
            detail: string
          }[]
        )
          .map(({ detail }) => detail)
          .join('\n'),
      )
    return prepare(text)
  }) as typeof raw.read.prepare
  t.same(await countSteps(databases.read, 'o', 'f', { runs: 10, steps: 10, answers: 10 }), {
    ...{ runs: 0, counts: [], answers: [] },
  })
  t.equal(await findSender(databases.read, 'o', 'm'), undefined)
  t.equal(plans.length, 4)
  t.match(plans[0], /SEARCH flow_session USING INDEX flow_session_flow \(org_id=\? AND flow_id=\?\)/)
  t.match(plans[0], /SEARCH flow_step USING INDEX sqlite_autoindex_flow_step_1 \(session_id=\?\)/)
  t.match(plans[2], /SEARCH flow_session USING (COVERING )?INDEX flow_session_flow/)
  t.match(plans[1], /SEARCH before USING INDEX sqlite_autoindex_flow_step_1 \(session_id=\? AND place=\?\)/)
  t.match(plans[3], /SEARCH flow_step USING INDEX flow_step_message \(message_id=\?\)/)
  for (const plan of plans) t.notMatch(plan, /SCAN (flow_|before)/)
})

t.test('the largest possible session is paged, and its values are cut', async t => {
  const { call, databases, customer } = await stage(t)
  await customer(1, 'Lucía').says('hola')
  const [session] = await databases.read.selectFrom('flow_session').select('id').execute()
  const [step] = await databases.read.selectFrom('flow_step').selectAll().execute()
  const long = 'é'.repeat(4096)
  const names = Array.from({ length: 20 }, (_, i) => `dato${i}`)
  const changes = JSON.stringify(Object.fromEntries(names.map(name => [name, { before: long, after: `${long}!` }])))
  const last = 600
  for (let from = 10; from <= last; from += 10)
    await databases.write
      .insertInto('flow_step')
      .values(
        Array.from({ length: 10 }, (_, i) => ({
          ...(step as NonNullable<typeof step>),
          place: from + i,
          input: long,
          message_id: null,
          changes,
        })),
      )
      .execute()
  const { status, body } = await call('GET', `/whatsapp/flow-runs/${session?.id}`)
  t.equal(status, 200)
  t.equal(body.timeline.length, maxStepsShown)
  const places = body.timeline.map(({ place }: { place: number }) => place)
  t.same(
    places,
    [...places].sort((a, b) => a - b),
  )
  const shown = body.timeline.at(-1)
  t.equal(shown.input.length, shownValueMaxChars)
  t.equal(shown.changes.dato19.after, `${'é'.repeat(shownValueMaxChars - 1)}…`)
  t.ok(JSON.stringify(body).length < 12 * 1024 * 1024)
})
