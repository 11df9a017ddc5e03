import t, { type Test } from 'tap'
import type { ListedContact } from '#shared/contacts/api.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const phoneOf = (i: number) => `549115555010${i}`

const stage = async (t: Test) => {
  const stage = await chatStage(t)
  const { backend, call } = stage
  for (const [i, name] of ['Lucía', 'Pedro', 'Ana'].entries()) {
    await call('POST', '/sandbox/inbound', { from: phoneOf(i), text: 'Hola', name })
    await backend.settle()
  }
  const list = async (query = '', who?: AMember): Promise<ListedContact[]> =>
    (await call('GET', `/whatsapp/contacts${query}`, undefined, who)).body.items
  const [ana, pedro, lucia] = (await list()).map(({ id }) => id) as [string, string, string]
  const change = (body: object, who?: AMember) => call('POST', '/whatsapp/contacts/changes', body, who)
  return { ...stage, ana, pedro, lucia, list, change }
}

t.test('a field of several contacts gets one value, and is emptied again', async t => {
  const { call, change, ana, pedro, lucia } = await stage(t)
  const { id } = (await call('POST', '/whatsapp/contact-fields', { label: 'Pedidos', kind: 'number' })).body
  const known = async (i: number) =>
    (await call('GET', `/whatsapp/conversations/${phoneOf(i)}/contact`)).body.fields[0].value
  const filled = await change({ ids: [ana, pedro, ana, 'nobody'], field: { id, value: '12,5' } })
  t.match(filled, { status: 200, body: { changed: 2, missing: ['nobody'], kept: [] } })
  t.same([await known(0), await known(1), await known(2)], [null, '12.5', '12.5'])
  t.match((await change({ ids: [ana, pedro, lucia], field: { id, value: '12.5' } })).body, { changed: 1 })
  t.match((await change({ ids: [ana, lucia], field: { id, value: null } })).body, { changed: 2 })
  t.same([await known(0), await known(1), await known(2)], [null, '12.5', null])
  t.match(await change({ ids: [ana], field: { id, value: 'doce' } }), {
    status: 400,
    body: { details: [{ field: 'body.field.value' }] },
  })
  t.match(await change({ ids: [ana], field: { id: 'none', value: 'doce' } }), {
    status: 400,
    body: { details: [{ field: 'body.field.id' }] },
  })
  t.match(await change({ ids: [ana] }), { status: 200, body: { changed: 0 } })
})

t.test('several contacts opt out, and those who chose it in WhatsApp stay opted out', async t => {
  const { databases, change, list, ana, pedro, lucia } = await stage(t)
  t.match((await change({ ids: [ana, lucia], optedOut: true })).body, { changed: 2, kept: [] })
  t.match((await change({ ids: [ana, pedro, lucia], optedOut: true })).body, { changed: 1 })
  t.same((await list('?optedOut=true')).length, 3)
  const theirs = JSON.stringify({ at: '2026-11-01T10:00:00.000Z', source: 'whatsapp', note: null, by: null })
  await databases.write.updateTable('contact').set({ opt_out: theirs }).where('id', '=', lucia).execute()
  t.match((await change({ ids: [ana, pedro, lucia], optedOut: false })).body, { changed: 2, kept: [lucia] })
  t.same(
    (await list('?optedOut=true')).map(({ id }) => id),
    [lucia],
  )
})

t.test('contacts whom the caller does not see stay as they are, and viewers change none', async t => {
  const { databases, owner, call, change, list, ana, lucia } = await stage(t)
  const tag = (await call('POST', '/whatsapp/tags', { label: 'Mayorista' })).body.id
  await call('PUT', `/whatsapp/chats/${phoneOf(0)}/tags/${tag}`)
  const clerk = await aMember({ databases, org: owner.org, role: 'member' })
  await call('POST', '/members/content-permissions', { role: 'member', phoneTagId: tag, granted: true })
  await call('PUT', '/members/content-access', { conversations: true })
  const { body } = await change({ ids: [ana, lucia], optedOut: true }, clerk)
  t.match(body, { changed: 1, missing: [ana] })
  t.same(
    (await list('?optedOut=true')).map(({ id }) => id),
    [lucia],
  )
  const viewer = await aMember({ databases, org: owner.org, role: 'viewer' })
  t.equal((await change({ ids: [ana], optedOut: true }, viewer)).status, 403)
})

t.test('selected contacts are exported alone', async t => {
  const { call, ana, pedro } = await stage(t)
  const linesOf = async (ids: readonly string[]) =>
    (await call('GET', `/whatsapp/contacts/report?${ids.map(id => `ids=${id}`).join('&')}`)).body.csv
      .trim()
      .split('\r\n')
  t.match(
    (await linesOf([ana, pedro])).map((line: string) => line.split(',')[1]),
    [String, 'Ana', 'Pedro'],
  )
  t.equal((await linesOf([pedro])).length, 2)
})
