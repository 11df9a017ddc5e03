import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const hourMs = 3_600_000
/** One pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const phones = ['5491155550101', '5491155550102', '5491155550103'] as const

/** Customers who wrote one after another, and the template `pedido_listo` chosen for closing windows. */
const stage = async (t: Parameters<typeof chatStage>[0]) => {
  const s = await chatStage(t)
  const { backend, clock, owner, call } = s
  await call('POST', '/whatsapp/template/sync')
  await backend.settle()
  for (const from of phones) await call('POST', '/sandbox/inbound', { from, name: 'Ana Paz', text: 'Hola' })
  await backend.settle()
  const { items } = (await call('GET', '/whatsapp/conversations')).body
  const ids: string[] = items.map(({ id }: { id: string }) => id)
  const choose = (windowTemplate: unknown) => call('PATCH', '/organization/settings', { windowTemplate })
  const chosen = {
    template: 'pedido_listo',
    language: 'es_AR',
    values: { 'body.1': '{{contacto.nombre}}', 'body.2': '{{org.nombre}}' },
  }
  const send = (given: readonly string[] = ids, who = owner) =>
    call('POST', '/whatsapp/conversations/window-template', { ids: given }, who)
  const said = async (phone: string) => {
    await backend.settle()
    const { items } = (await call('GET', `/whatsapp/chats/${phone}`)).body
    return items
      .filter(({ type }: { type: string }) => type === 'template')
      .map(({ text }: { text: string }) => text) as string[]
  }
  return { ...s, ids, choose, chosen, send, said, toClosing: () => clock.advance(22.5 * hourMs) }
}

t.test('the chosen template goes to each selected conversation once, with the contact in it', async t => {
  const s = await stage(t)
  t.match(await s.send(), { status: 409, body: { code: 'INBOX_NO_WINDOW_TEMPLATE' } })
  t.equal((await s.choose(s.chosen)).status, 200)
  t.match((await s.send()).body, { sent: [], skipped: s.ids.map(id => ({ id, why: 'notClosing' })) }, 'too early')
  s.toClosing()
  const { status, body } = await s.send([...s.ids, 'nowhere'])
  t.equal(status, 200)
  t.same(body, { sent: s.ids, skipped: [], missing: ['nowhere'] })
  for (const phone of phones)
    t.same(await s.said(phone), ['Hola Ana Paz, tu pedido Panadería ya está listo para retirar. ¡Te esperamos!'])
  t.same((await s.send()).body.sent, [], 'again')
  const beto = await aMember({ databases: s.databases, org: s.owner.org, role: 'admin' })
  t.match((await s.send(s.ids, beto)).body, { sent: [], skipped: s.ids.map(id => ({ id, why: 'already' })) })
  t.equal((await s.said(phones[0])).length, 1, 'also when another member sends')
  t.match(await s.send(['nowhere']), { status: 404 })
  t.same(s.backend.errors(), [])
})

t.test('a new window gets the template again, a closed one does not', async t => {
  const s = await stage(t)
  await s.choose(s.chosen)
  s.toClosing()
  t.equal((await s.send()).body.sent.length, phones.length)
  const [id] = s.ids
  const [{ phone }] = (await s.call('GET', '/whatsapp/conversations')).body.items.filter(
    (row: { id: string }) => row.id === id,
  )
  await s.call('POST', '/sandbox/inbound', { from: phone, text: 'Sigo acá' })
  await s.backend.settle()
  s.toClosing()
  const { sent, skipped } = (await s.send()).body
  t.same(sent, [id])
  t.same(
    skipped.map(({ why }: { why: string }) => why),
    ['notClosing', 'notClosing'],
  )
})

t.test('a template that cannot be sent, and a value that a contact lacks, are said', async t => {
  const s = await stage(t)
  s.toClosing()
  await s.choose({ ...s.chosen, template: 'gone' })
  t.match(await s.send(), { status: 404, body: { code: 'TEMPLATES_NOT_FOUND' } })
  await s.choose({ ...s.chosen, values: { 'body.1': '{{contacto.nombre}}', 'body.2': '{{contacto.pedido}}' } })
  t.match((await s.send()).body, { sent: [], skipped: s.ids.map(id => ({ id, why: 'values' })) })
  t.match(await s.choose({ ...s.chosen, extra: 1 }), { status: 400 })
  t.equal((await s.choose(null)).body.windowTemplate, null)
})

t.test('a template with a picture goes out with the file that the template has', async t => {
  const s = await stage(t)
  const { body: made } = await s.call('POST', '/whatsapp/template', {
    template: {
      ...{ name: 'vidriera', language: 'es_AR', category: 'UTILITY' },
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Hola {{1}}, seguimos por acá.', example: { body_text: [['Ana']] } },
      ],
    },
    file: { name: 'pan.png', dataBase64: png },
  })
  await s.call('POST', `/sandbox/template/${made.id}`, { status: 'APPROVED' })
  await s.backend.settle()
  const { body: template } = await s.call('GET', `/whatsapp/template/${made.id}`)
  const handle = template.media[0].handle
  const values = { 'header.media': handle, 'body.1': '{{contacto.nombre}}' }
  t.equal((await s.choose({ template: 'vidriera', language: 'es_AR', values })).status, 200)
  s.toClosing()
  t.same((await s.send()).body, { sent: s.ids, skipped: [], missing: [] })
  t.same(await s.said(phones[0]), ['Hola Ana Paz, seguimos por acá.'])
  await s.choose({ template: 'vidriera', language: 'es_AR', values: { ...values, 'header.media': 'nada' } })
  t.same(s.backend.errors(), [])
})
