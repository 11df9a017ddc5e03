import t from 'tap'
import type { SandboxAgent } from '#shared/simulator/inbound.ts'
import { type SandboxBench, sandboxBench, textTo } from '#test/helpers/sandbox.ts'
import { shapeFaults } from '#test/helpers/webhook-shapes.ts'
import { itemsOf } from '#test/helpers/webhooks.ts'

const customer = '5491155551234'

/** What the product reads from webhooks sent meanwhile. */
const heard = async (bench: SandboxBench, work: () => Promise<unknown>) => {
  bench.delivered.length = 0
  await work()
  await bench.idle()
  for (const { json } of bench.delivered) if (shapeFaults(json).length) throw new Error(shapeFaults(json).join('\n'))
  return bench.delivered.flatMap(({ raw }) => itemsOf(raw, bench.clock.now().toISOString()))
}
const write = (bench: SandboxBench, text: string) => async () =>
  bench.sandbox.service.inbound(bench.member, { body: { from: customer, text } })
const act = (bench: SandboxBench, body: Omit<SandboxAgent, 'from'>) => async () =>
  bench.sandbox.service.actAsAgent(bench.member, { body: { from: customer, ...body } })

t.test("while Meta's agent has a chat everything comes as standby, until the business writes", async t => {
  const bench = await sandboxBench(t)
  await heard(bench, write(bench, 'hola'))
  t.same(await heard(bench, act(bench, { action: 'hold' })), [], 'no webhook says that it starts')
  t.match(await heard(bench, write(bench, '¿a qué hora abren?')), [
    { kind: 'message', standby: true, sender: { waId: customer }, body: { content: { metaAgent: true } } },
  ])
  const answered = await heard(bench, async () => {
    await act(bench, { action: 'answer', text: 'A las 9' })()
    await bench.idle()
    bench.clock.advance(5000)
  })
  t.match(answered[0], { kind: 'echo', standby: true, recipient: { waId: customer }, body: { text: 'A las 9' } })
  const [{ withAgent } = {}] = (await bench.sandbox.service.listCustomers(bench.member, {})).items
  t.equal(withAgent, true)
  await bench.post(textTo(customer, 'Sigo yo'))
  await bench.idle()
  const [after] = await heard(bench, write(bench, 'gracias'))
  t.match(after, { kind: 'message' })
  t.notOk(after?.kind === 'message' && after.standby)
})

t.test('it hands a chat over to the team with its summary', async t => {
  const bench = await sandboxBench(t)
  await act(bench, { action: 'hold' })()
  t.match(await heard(bench, act(bench, { action: 'handOver', text: 'Quiere otro talle' })), [
    {
      kind: 'handover',
      phoneNumberId: bench.number.phoneNumberId,
      sender: { waId: customer },
      to: 'people',
      note: 'Quiere otro talle',
    },
  ])
  t.match(await heard(bench, write(bench, 'hola')), [{ kind: 'message', standby: undefined }])
})

t.test('an app that is not subscribed gets no webhooks of it', async t => {
  const bench = await sandboxBench(t)
  const fields = async () => {
    const { json } = await bench.get(`debug_token?input_token=${bench.number.accessToken}`)
    const subscriptions = await bench.get(`${json.data.app_id}/subscriptions`)
    return subscriptions.json.data[0].fields.map(({ name }: { name: string }) => name)
  }
  for (const field of ['messages', 'standby', 'messaging_handovers', 'calls', 'history'])
    t.ok((await fields()).includes(field))
  await bench.sandbox.service.configure(bench.member, { body: { agentFields: false } })
  t.notOk((await fields()).includes('standby'))
  t.same(await heard(bench, act(bench, { action: 'answer', text: 'A las 9' })), [])
  t.same(await heard(bench, write(bench, 'hola')), [])
})

t.test('an answer without text is refused', async t => {
  const bench = await sandboxBench(t)
  await t.rejects(act(bench, { action: 'answer' })(), { code: 'APP_VALIDATION', fields: ['body.text'] })
})

t.test('a program gets the token, and the simulated Cloud API accepts it', async t => {
  const bench = await sandboxBench(t)
  const { token, phoneNumberId } = await bench.sandbox.service.getToken(bench.member, {})
  t.equal(token, bench.number.accessToken)
  const url = `/sandbox/graph/v25.0/${phoneNumberId}`
  const reply = await bench.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  t.equal(reply.statusCode, 200)
})

t.test('without a token the answer is 104, with a wrong one 190', async t => {
  const bench = await sandboxBench(t)
  const url = `/sandbox/graph/v25.0/${bench.number.phoneNumberId}`
  t.match((await bench.app.inject({ url })).json(), { error: { code: 104 } })
  t.match((await bench.app.inject({ url: `${url}/messages`, method: 'POST' })).json(), { error: { code: 104 } })
  t.match((await bench.app.inject({ url, headers: { authorization: 'Bearer x' } })).json(), { error: { code: 190 } })
})

t.test('templates are filtered by part of a name and by lists, and pages keep the filters', async t => {
  const bench = await sandboxBench(t)
  const template = (name: string) => ({
    name,
    language: 'es_AR',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Tu pedido ya salió.' }],
  })
  const path = `${bench.number.wabaId}/message_templates`
  for (const name of ['orden_uno', 'ordenxuno', 'orden_dos'])
    t.equal((await bench.post(template(name), path)).status, 200)
  const names = async (query: Record<string, string>) =>
    (await bench.get(`${path}?${new URLSearchParams(query)}`)).json.data.map((one: { name: string }) => one.name).sort()
  t.same(await names({ name: 'orden_' }), ['orden_dos', 'orden_uno'], 'an underscore is matched literally')
  t.same(await names({ name: '%' }), [])
  t.same(await names({ name: 'orden', status: '["PENDING","APPROVED"]' }), ['orden_dos', 'orden_uno', 'ordenxuno'])
  t.same(await names({ name: 'orden', status: '["REJECTED"]' }), [])
  t.same(await names({ name: 'orden', language: '["es_AR","pt_BR"]', category: 'utility' }), [
    'orden_dos',
    'orden_uno',
    'ordenxuno',
  ])
  t.equal((await bench.get(`${path}?status=[nada`)).json.error.code, 100)
  const first = (await bench.get(`${path}?name=orden&limit=1&fields=name&access_token=secret`)).json
  const next = new URL(first.paging.next)
  t.match(Object.fromEntries(next.searchParams), { name: 'orden', limit: '1', fields: 'name', after: /./ })
  t.notOk(next.searchParams.has('access_token'))
  const second = (await bench.get(`${path}?${next.searchParams}`)).json
  t.same(Object.keys(second.data[0]).sort(), ['id', 'name'])
  t.not(second.data[0].name, first.data[0].name)
})

t.test('one call takes a chat from the agent or gives it back', async t => {
  const bench = await sandboxBench(t)
  const path = `${bench.number.phoneNumberId}/thread_control`
  const isWithAgent = async () => (await bench.sandbox.service.listCustomers(bench.member, {})).items[0]?.withAgent
  await act(bench, { action: 'hold' })()
  t.match(await bench.post({ messaging_product: 'whatsapp', action: 'take', to: customer }, path), { status: 200 })
  t.equal(await isWithAgent(), false)
  const back = {
    messaging_product: 'whatsapp',
    action: 'pass',
    to: customer,
    control_pass: { target_role: 'ai_agent' },
  }
  t.match((await bench.post(back, path)).json, { success: true })
  t.equal(await isWithAgent(), true)
  t.match((await bench.post({ action: 'keep', to: customer }, path)).json, { error: { code: 100 } })
  t.match((await bench.post({ action: 'take' }, path)).json, { error: { code: 100 } })
})
