import t from 'tap'
import { flowsPerPage, maxVariablesListed } from '#shared/flows/api.ts'
import { maxRefusalsListed } from '#shared/flows/triggers/match.ts'
import { flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('the list has each flow’s first triggers, shortened, however many a flow has', async t => {
  const { call } = await flowStage(t, graphOf([], []))
  const words = Array.from({ length: 50 }, (_, i) => `${i} ${'x'.repeat(190)}`)
  const keyword = { kind: 'keyword', match: 'contains', words }
  const triggers = [...Array.from({ length: 19 }, () => keyword), { kind: 'default' }]
  for (let i = 0; i < 25; i += 1)
    t.equal((await call('POST', '/whatsapp/flows', { name: `Flujo ${i}`, triggers })).status, 201)
  const { body } = await call('GET', '/whatsapp/flows')
  t.equal(body.items.length, 26)
  t.ok(JSON.stringify(body).length < 26 * 4000, `${JSON.stringify(body).length} characters`)
  const [last] = body.items.slice(-1)
  t.equal(last.name, 'Flujo 24')
  t.equal(last.triggers.length, 6)
  t.same(last.triggers.at(-1).kind, 'default', 'what answers the rest is always said')
  const whole = await call('GET', `/whatsapp/flows/${last.id}`)
  t.same(whole.body.triggers, triggers, 'the flow itself has all of them')
})

t.test('flows are paged, names come in one response, and a flow beyond the loaded pages can be reordered', async t => {
  const { call, flow } = await flowStage(t, graphOf([], []))
  const ids: string[] = [flow]
  for (let i = 1; i <= flowsPerPage + 4; i += 1)
    ids.push((await call('POST', '/whatsapp/flows', { name: `Flujo ${i}`, triggers: [{ kind: 'manual' }] })).body.id)
  const page = async (n: number) => {
    const { items, ...rest } = (await call('GET', `/whatsapp/flows?page=${n}`)).body
    return { ids: items.map(({ id }: { id: string }) => id), ...rest }
  }
  const first = { page: 1, pageSize: flowsPerPage, hasMore: true }
  t.same(await page(1), { ids: ids.slice(0, flowsPerPage), ...first })
  t.same(await page(2), { ids: ids.slice(flowsPerPage), ...first, page: 2, hasMore: false })
  t.same(await page(3), { ids: [], ...first, page: 3, hasMore: false })
  t.equal((await call('GET', '/whatsapp/flows?page=0')).status, 400)

  const names = (await call('GET', '/whatsapp/flow-names')).body.items
  t.same(names[0], { id: flow, name: 'Bienvenida', state: 'live' })
  t.same(names.at(-1), { id: ids.at(-1), name: `Flujo ${flowsPerPage + 4}`, state: 'draft' })
  t.same(
    names.map(({ id }: { id: string }) => id),
    ids,
  )

  const last = ids.at(-1) as string
  t.equal((await call('PUT', '/whatsapp/flow-order', { ids: [last] })).status, 200)
  const moved = [last, ...ids.slice(0, -1)]
  t.same((await page(1)).ids, moved.slice(0, flowsPerPage))
  t.same((await page(2)).ids, moved.slice(flowsPerPage), 'those that were not named stay in their order')
})

t.test('live flows list what they run and set, and a match explains why the first triggers did not apply', async t => {
  const asks = (i: number) =>
    ({ id: `q${i}`, type: 'set', variable: `v${i}`, value: 'x', formula: false }) as Parameters<
      typeof graphOf
    >[0][number]
  const many = Array.from({ length: maxVariablesListed.ofOne + 10 }, (_, i) => asks(i))
  const wires = many.map(({ id }, i): [string, string, string] => [many[i - 1]?.id ?? 's', 'next', id])
  const words = Array.from({ length: 19 }, (_, i) => ({
    ...{
      id: `k${i}`,
      kind: 'keyword' as const,
      match: 'equals' as const,
      words: [`palabra ${i} ${'x'.repeat(100)}`],
    },
  }))
  const triggers = [...words, { id: 'rest', kind: 'default' as const }]
  const { call, flow } = await flowStage(t, graphOf(many, wires), triggers)
  const [live] = (await call('GET', '/whatsapp/flow-calls')).body.items
  t.match(live, { id: flow, isDefault: true, calls: [] })
  t.equal(live.variables.length, maxVariablesListed.ofOne)

  for (let i = 0; i < 3; i += 1) {
    const { body } = await call('POST', '/whatsapp/flows', {
      name: `Otro ${i}`,
      triggers: words,
      graph: graphOf([], []),
    })
    t.equal((await call('POST', `/whatsapp/flows/${body.id}/publish`, {})).status, 200)
  }
  const { body } = await call('POST', '/whatsapp/flow-match', { text: 'nada de eso' })
  t.match(body, { by: 'flow', chosen: { flowId: flow, triggerId: 'rest', trigger: { kind: 'default' } } })
  t.equal(body.others.length, maxRefusalsListed)
  t.equal(body.moreOthers, 4 * 19 - maxRefusalsListed)
  t.equal(body.others[0].trigger.words[0].length, 60, 'their words are shortened')
})
