import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { Check } from 'typebox/value'
import { inboxApi } from '#shared/inbox/inbox.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { flowPhone } from '#test/helpers/flow-stage.ts'
import { webhookStage } from '#test/helpers/webhook-stage.ts'

const document = readFileSync('server/docs/recipes.md', 'utf8')
const blocks = [...document.matchAll(/```json\n([\s\S]*?)```/g)].map(([, code = '']) => JSON.parse(code))

interface Node {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly typeVersion: number
  // biome-ignore lint/suspicious/noExplicitAny: each type of node has its own parameters
  readonly parameters: any
}
type Connections = Record<string, { main: { node: string; type: string; index: number }[][] }>
const workflow = blocks[0] as { nodes: Node[]; connections: Connections }

/** The versions that n8n 2.41 still reads, of those nodes that its manual documents under these names. */
const nodeTypes: Readonly<Record<string, number>> = {
  'n8n-nodes-base.webhook': 2,
  'n8n-nodes-base.if': 2.2,
  'n8n-nodes-base.httpRequest': 4.2,
}

/** What n8n puts in the place of `={{ … }}`. */
const evaluated = (value: string, $json: unknown): unknown =>
  value.startsWith('={{') ? runInNewContext(value.slice(3, -2), { $json }) : value

t.test('the workflow for n8n is whole, and leads from the webhook to the answer', async t => {
  const names = workflow.nodes.map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  t.equal(new Set(workflow.nodes.map(({ id }) => id)).size, names.length)
  for (const { type, typeVersion } of workflow.nodes) t.equal(nodeTypes[type], typeVersion, type)
  const targets = Object.entries(workflow.connections).flatMap(([from, { main }]) => {
    t.ok(names.includes(from), from)
    return main.flat().map(({ node }) => node)
  })
  t.same([names[0], ...targets], names)
})

t.test('what the workflow for n8n calls, answers the customer once', async t => {
  const stage = await webhookStage(t)
  const { backend, call, heard } = stage
  const { key } = await aKey(backend.app, stage.owner.cookie)
  const listened = { headers: { 'x-recado-token': 'a-long-random-text' } }
  await stage.listen(['message.received'], listened)
  await stage.say('¿Tienen pan?')
  await backend.settle()
  const [delivery] = heard
  t.equal(delivery?.headers['x-recado-token'], 'a-long-random-text')
  /** As n8n gives a call to its next node. */
  const $json = { headers: delivery?.headers, body: JSON.parse(delivery?.body ?? '') }
  const [webhook, condition, http] = workflow.nodes as [Node, Node, Node]
  t.match(webhook.parameters, { httpMethod: 'POST', authentication: 'headerAuth' })
  const [{ leftValue, rightValue }] = condition.parameters.conditions.conditions
  t.equal(evaluated(leftValue, $json), rightValue)
  t.equal(evaluated(leftValue, { body: { type: 'test' } }), '', 'a test delivery is not answered')
  const { method, url, headerParameters, jsonBody } = http.parameters
  const ask = async () => {
    const response = await fetch(backend.url + new URL(url).pathname, {
      method,
      headers: {
        'x-api-key': key,
        'content-type': 'application/json',
        ...Object.fromEntries(
          headerParameters.parameters.map(({ name, value }: Record<string, string>) => [
            name,
            evaluated(value ?? '', $json),
          ]),
        ),
      },
      body: String(evaluated(jsonBody, $json)),
    })
    return response.status
  }
  t.equal(await ask(), 202)
  t.equal(await ask(), 202, 'the delivery comes again')
  await backend.settle()
  const { items } = (await call('GET', `/whatsapp/chats/${flowPhone}`)).body as { items: { text: string }[] }
  t.equal(items.filter(({ text }) => text === 'Recibimos tu mensaje: ¿Tienen pan?').length, 1)
})

t.test('the bodies for Make and Zapier fit the call', async t => {
  const bodies = blocks.slice(1)
  t.equal(bodies.length, 2)
  for (const body of bodies) t.ok(Check(inboxApi.sendMessage.body, body), JSON.stringify(body))
})
