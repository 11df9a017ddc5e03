import type { Test } from 'tap'
import { showGraph } from '#shared/flows/exchange.ts'
import type { FlowEdge, FlowNode } from '#shared/flows/graph.ts'
import type { WireGraph, WireTrigger } from '#shared/flows/wire.ts'
import { aMember } from './actors.ts'
import { startBackend } from './backend.ts'

/** The customer's number. */
export const flowPhone = '5491155550404'
export type Drawn = FlowNode extends infer N ? (N extends FlowNode ? Omit<N, 'x' | 'y'> : never) : never

/** A graph with a start node `s`. Every unconnected output is marked as an end. */
export const graphOf = (nodes: Drawn[], wires: [from: string, output: string, to: string][]): WireGraph =>
  showGraph({
    nodes: [{ id: 's', type: 'start' } as Drawn, ...nodes].map(node => {
      const used = wires.filter(([from]) => from === node.id).map(([, output]) => output)
      const all = ['next', 'invalid', 'other', 'yes', 'no', 'timeout', 'refused', 'a', 'b']
      return { x: 0, y: 0, ends: all.filter(output => !used.includes(output)), ...node } as FlowNode
    }),
    edges: wires.map(([from, output, to], i): FlowEdge => ({ id: `e${i}`, from, output, to })),
  })

export const onHello: WireTrigger[] = [{ id: 'hello', kind: 'keyword', match: 'equals', words: ['hola'] }]

/** An organization on the simulator with one published flow. */
export const flowStage = async (
  t: Test,
  graph: WireGraph,
  triggers = onHello,
  backendOptions: Parameters<typeof startBackend>[1] = {},
) => {
  const backend = await startBackend(t, backendOptions)
  const { databases } = backend
  const owner = await aMember({ databases, name: 'Ana' })
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: owner.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  const { body: flow } = await call('POST', '/whatsapp/flows', { name: 'Bienvenida', graph, triggers })
  const published = await call('POST', `/whatsapp/flows/${flow.id}/publish`, { revision: 1 })
  t.equal(published.status, 200, JSON.stringify(published.body))
  const say = async (text: string, more: object = {}) => {
    // Sessions are distinguished by the time they began.
    backend.clock.advance(1000)
    const { status, body } = await call('POST', '/sandbox/inbound', { from: flowPhone, text, name: 'Lucía', ...more })
    t.ok(status < 300, JSON.stringify(body))
    await backend.settle()
  }
  const later = async (ms: number) => {
    backend.clock.advance(ms)
    await backend.settle()
  }
  /** The texts that the flow sent, in order. */
  const said = async () =>
    (
      await databases.read
        .selectFrom('message')
        .select('text')
        .where('org_id', '=', owner.org.id)
        .where('direction', '=', 'out')
        .where('author_kind', '=', 'bot')
        .orderBy('seq')
        .execute()
    ).map(({ text }) => text)
  const control = async () =>
    (
      await databases.read
        .selectFrom('conversation')
        .select('control')
        .where('org_id', '=', owner.org.id)
        .executeTakeFirst()
    )?.control
  const sessions = async () =>
    (
      await databases.read
        .selectFrom('flow_session')
        .select(['state', 'reason'])
        .where('org_id', '=', owner.org.id)
        .orderBy('id')
        .execute()
    ).map(({ state, reason }) => (reason ? `${state}: ${reason}` : state))
  const options = async (): Promise<{ id: string; title: string }[]> => {
    const row = await databases.read
      .selectFrom('message')
      .select('content')
      .where('org_id', '=', owner.org.id)
      .where('type', '=', 'interactive')
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow()
    return JSON.parse(row.content as string).interactive.buttons
  }
  return { backend, databases, owner, call, flow: flow.id as string, say, later, said, control, sessions, options }
}
