import t, { type Test } from 'tap'
import type { WireTrigger } from '#shared/flows/wire.ts'
import { aBulkStage } from '#test/helpers/bulk-stage.ts'
import { graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const hourMs = 60 * 60 * 1000

/** A backend with bulk sends, and flows that send their own name. */
const stage = async (t: Test) => {
  const all = await aBulkStage(t)
  const { backend, owner, ask, phones } = all
  const live = async (name: string, triggers: WireTrigger[]) => {
    const graph = graphOf([{ id: 'm', type: 'message', text: name }], [['s', 'next', 'm']])
    const { json } = await ask<{ id: string }>('POST', '/whatsapp/flows', { name, graph, triggers })
    const { status } = await ask('POST', `/whatsapp/flows/${json.id}/publish`, {})
    t.equal(status, 200, name)
    return json.id
  }
  const sendTo = async (count: number) => {
    const send = await all.create({ audience: { numbers: phones(count).join('\n') }, startIfPlanned: count })
    await all.later(1000)
    await all.later(60_000)
    return send.id
  }
  const say = async (from: string, text: string, more: object = {}) => {
    backend.clock.advance(1000)
    const { status, json } = await ask('POST', '/sandbox/inbound', { from, text, name: 'Lucía', ...more })
    t.ok(status < 300, JSON.stringify(json))
    await backend.settle()
  }
  const said = async () =>
    (
      await backend.databases.read
        .selectFrom('message')
        .select('text')
        .where('org_id', '=', owner.org.id)
        .where('author_kind', '=', 'bot')
        .orderBy('seq')
        .execute()
    ).map(({ text }) => text)
  return { ...all, live, sendTo, say, said }
}

t.test('the first message after a bulk send starts its flow, the second does not', async t => {
  const { backend, live, sendTo, say, said, phones } = await stage(t)
  const [first = '', second = '', third = ''] = phones(3)
  const spring = await sendTo(3)
  await live('primavera', [{ kind: 'campaign', sendId: spring, withinDays: 1 }])
  await live('cualquiera', [{ kind: 'campaign', withinDays: 7 }])
  await live('nada', [{ kind: 'default' }])
  await say(first, 'Me interesa')
  t.same(await said(), ['primavera'])
  await say(first, 'Y el precio')
  t.same(await said(), ['primavera', 'nada'])
  backend.clock.advance(25 * hourMs)
  await say(second, 'Hola')
  t.same((await said()).slice(2), ['cualquiera'], 'after a day it is no more of the one')
  backend.clock.advance(7 * 24 * hourMs)
  await say(third, 'Hola')
  t.same((await said()).slice(3), ['nada'], 'and after a week of none')
  await say('5491155509999', 'Hola')
  t.same((await said()).slice(4), ['nada'], 'nor of who got nothing')
  t.same(backend.errors(), [])
})

t.test('a customer from an advertisement gets its flow', async t => {
  const { live, say, said, ask } = await stage(t)
  await live('primera', [{ kind: 'firstMessage' }])
  await live('este', [{ kind: 'ad', ids: ['120226305854810726'] }])
  await live('otro', [{ kind: 'ad', ids: ['7'] }])
  await say('5491155509991', 'Hola', { adHeadline: 'Tortas a medida' })
  t.same(await said(), ['este'])
  await say('5491155509992', 'Hola')
  t.same(await said(), ['este', 'primera'])
  const match = async (more: object) =>
    (await ask<{ chosen: { flowId: string } | null }>('POST', '/whatsapp/flow-match', { text: 'x', ...more })).json
  t.ok((await match({ ad: { id: '7' } })).chosen)
  t.equal((await match({ ad: {} })).chosen, null)
  t.equal((await match({})).chosen, null)
})

t.test('a flow for an unknown bulk send cannot be published', async t => {
  const { ask } = await stage(t)
  const graph = graphOf([{ id: 'm', type: 'message', text: 'x' }], [['s', 'next', 'm']])
  const create = (withinDays: number, sendId = 'gone') =>
    ask<{ id: string; details?: object }>('POST', '/whatsapp/flows', {
      name: 'x',
      graph,
      triggers: [{ kind: 'campaign', sendId, withinDays }],
    })
  const { json } = await create(7)
  const refused = await ask<{ details: object }>('POST', `/whatsapp/flows/${json.id}/publish`, {})
  t.equal(refused.status, 422)
  t.match(JSON.stringify(refused.json), 'triggers.trigger-1.sendId')
  t.equal((await create(8)).status, 400)
  t.equal((await create(7, '')).status, 400)
})
