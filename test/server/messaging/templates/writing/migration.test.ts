/** Templates of a previously connected account, copied to the current one. */
import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const body = {
  type: 'BODY',
  text: 'Hola {{1}}, tu torta ya está lista para retirar.',
  example: { body_text: [['Ana']] },
}

t.test('the chosen templates are sent to the current account once, each with its result', async t => {
  const backend = await startBackend(t)
  const { cookie, org } = await aMember({ databases: backend.databases })
  const ask = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const headers = { cookie, 'accept-language': 'es' }
    const reply = await backend.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) })
    return reply.json()
  }
  const review = async () => {
    backend.clock.advance(60_000)
    await backend.settle()
  }
  const draft = (name: string, components: object[]) => ({ name, language: 'es_AR', category: 'UTILITY', components })
  await ask('POST', '/whatsapp/connection/sandbox')
  const plain = await ask('POST', '/whatsapp/template', { template: draft('torta_lista', [body]) })
  const pictured = await ask('POST', '/whatsapp/template', {
    template: draft('torta_con_foto', [{ type: 'HEADER', format: 'IMAGE' }, body]),
    file: { name: 'torta.png', dataBase64: png },
  })
  const elsewhere = await ask('POST', '/whatsapp/template', {
    template: draft('sin_archivo', [{ type: 'HEADER', format: 'IMAGE' }, body]),
    file: { dataBase64: png },
  })
  await review()
  const ids = [plain.id, pictured.id, elsewhere.id]
  // Their account was connected before, and the current one has none of them.
  const { write } = backend.databases
  await write.updateTable('template').set({ waba_id: 'earlier' }).where('id', 'in', ids).execute()
  await write.updateTable('template').set({ media: '[]' }).where('id', '=', elsewhere.id).execute()
  await write.deleteFrom('sandbox_template').where('org_id', '=', org.id).execute()

  const earlier = await ask('GET', '/whatsapp/template/earlier')
  t.same(earlier.items.map(({ name }: { name: string }) => name).toSorted(), [
    'sin_archivo',
    'torta_con_foto',
    'torta_lista',
  ])
  const first = await ask('POST', '/whatsapp/template/migrate', { ids: [...ids, 'none'] })
  t.match(first.items, [
    { name: 'torta_lista', result: 'copied', reason: null },
    { name: 'torta_con_foto', result: 'copied', reason: null },
    {
      name: 'sin_archivo',
      result: 'failed',
      id: null,
      reason: { code: 'fileRequired', message: /archivo de ejemplo/ },
    },
    { name: '', result: 'failed', reason: { code: 'TEMPLATES_NOT_FOUND' } },
  ])
  t.notOk(ids.includes(first.items[0].id), 'one of its own there')
  const again = await ask('POST', '/whatsapp/template/migrate', { ids: [plain.id, pictured.id] })
  t.match(again.items, [
    { result: 'exists', id: first.items[0].id },
    { result: 'exists', id: first.items[1].id },
  ])
  await review()
  t.match(await ask('GET', '/whatsapp/template/name/torta_con_foto'), {
    id: first.items[1].id,
    status: 'APPROVED',
    media: [{ name: 'torta.png' }],
  })
  t.same(backend.errors(), [])
})
