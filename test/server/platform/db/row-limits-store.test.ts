import t, { type Test } from 'tap'
import { requireRowsLeft, rowLimits } from '#server/platform/db/row-limits-store.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { aMember } from '#test/helpers/actors.ts'
import { aBulkStage, phones } from '#test/helpers/bulk-stage.ts'
import { fillTable, type PlainRow } from '#test/helpers/fill-table.ts'
import { graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

interface Refusal {
  readonly code: string
  readonly message: string
}

const stage = async (t: Test) => {
  const all = await aBulkStage(t)
  const { databases } = all.backend
  const orgId = all.owner.org.id
  const ask = async <T>(method: 'GET' | 'POST', path: string, body?: object) => {
    const headers = { cookie: all.owner.cookie, 'accept-language': 'es' }
    const reply = await all.backend.inject({ method, url: `/api${path}`, headers, ...(body ? { payload: body } : {}) })
    return { status: reply.statusCode, json: reply.json() as T }
  }
  const countRows = async (table: 'template' | 'bulk_send' | 'flow_version' | 'contact') => {
    const { count } = await databases.read
      .selectFrom(table)
      .select(eb => eb.fn.countAll<number>().as('count'))
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }
  const use = () =>
    databases.read.selectFrom('row_use').selectAll().where('org_id', '=', orgId).executeTakeFirstOrThrow()
  /** Sets the counters so that only this much is left. */
  const takeAllBut = (left: { contacts?: number; notes?: number }) =>
    databases.write
      .updateTable('row_use')
      .set({
        ...(left.contacts === undefined ? {} : { contacts: rowLimits.contacts - left.contacts }),
        ...(left.notes === undefined ? {} : { notes: rowLimits.notes - left.notes }),
      })
      .where('org_id', '=', orgId)
      .execute()
  return { ...all, ask, databases, orgId, countRows, use, takeAllBut }
}

t.test('one template, bulk send or version past the limit is refused, and nothing changes', async t => {
  const { backend, ask, databases, orgId, countRows, id, create } = await stage(t)
  const template = await databases.read.selectFrom('template').selectAll().executeTakeFirstOrThrow()
  const like = template as unknown as PlainRow
  await fillTable(databases, 'template', {
    like,
    counted: ['id', 'name', 'seq'],
    count: rowLimits.template - (await countRows('template')) - 1,
  })
  const draft = (name: string) => ({
    template: { name, language: 'es_AR', category: 'UTILITY', components: [{ type: 'BODY', text: 'Hola.' }] },
    draft: true,
  })
  t.equal((await ask('POST', '/whatsapp/template', draft('la_ultima'))).status, 201)
  const templates = await ask<Refusal>('POST', '/whatsapp/template', draft('una_mas'))
  t.match(templates, { status: 409, json: { code: 'APP_TOO_MANY_KEPT', message: /10\.?000 plantillas/ } })
  t.equal(await countRows('template'), rowLimits.template)

  const sent = await create({ audience: { numbers: phones(1)[0] } })
  await backend.settle()
  const send = await databases.read
    .selectFrom('bulk_send')
    .selectAll()
    .where('id', '=', (sent as BulkSend).id)
    .executeTakeFirstOrThrow()
  await fillTable(databases, 'bulk_send', {
    like: { ...(send as unknown as PlainRow), state: 'cancelled' },
    counted: ['id'],
    count: rowLimits.bulk_send - (await countRows('bulk_send')) - 1,
  })
  const another = { template: id, audience: { numbers: phones(1)[0] } }
  t.equal((await ask('POST', '/whatsapp/bulk-sends', another)).status, 202)
  const sends = await ask<Refusal>('POST', '/whatsapp/bulk-sends', another)
  t.match(sends, { status: 409, json: { code: 'APP_TOO_MANY_KEPT', message: /50\.?000 envíos masivos/ } })
  t.equal(await countRows('bulk_send'), rowLimits.bulk_send)

  const flow = await ask<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Saludo',
    triggers: [{ id: 'rest', kind: 'default' }],
    graph: graphOf([], []),
  })
  t.equal(flow.status, 201, JSON.stringify(flow.json))
  const version: PlainRow = {
    ...{ flow_id: flow.json.id, version: 0, org_id: orgId, name: 'x', graph: '{}', triggers: '[]', note: null },
    ...{ published_at: '', author_name: '' },
  }
  await fillTable(databases, 'flow_version', { like: version, counted: ['version'], count: rowLimits.flow_version })
  const published = await ask<Refusal>('POST', `/whatsapp/flows/${flow.json.id}/publish`, {})
  t.match(published, { status: 409, json: { code: 'APP_TOO_MANY_KEPT', message: /2\.?000 versiones/ } })
  t.equal(await countRows('flow_version'), rowLimits.flow_version)

  // Another organization has its own limits.
  const other = await aMember({ databases, orgName: 'Kiosco' })
  await t.resolves(requireRowsLeft(databases.read, other.org.id, 'template'))
  await t.resolves(requireRowsLeft(databases.read, other.org.id, 'bulk_send'))
  t.same(backend.errors(), [])
})

t.test("templates beyond the limit are left out of Meta's list, and the page says so", async t => {
  const { backend, ask, databases, countRows, template, later } = await stage(t)
  const one = await databases.read.selectFrom('template').selectAll().executeTakeFirstOrThrow()
  const left = rowLimits.template - (await countRows('template'))
  await template('Hoy cerramos a las seis.')
  await databases.write.deleteFrom('template').where('id', '<>', one.id).execute()
  await fillTable(databases, 'template', {
    like: { ...(one as unknown as PlainRow), status: 'DRAFT' },
    counted: ['id', 'name', 'seq'],
    count: left,
  })
  const full = await ask<{ state: string; failure: { code: string; message: string } }>(
    'POST',
    '/whatsapp/template/sync',
  )
  t.match(full, { status: 200, json: { state: 'failed', failure: { message: /10\.?000 plantillas/ } } })
  t.equal(await countRows('template'), rowLimits.template)
  await databases.write.deleteFrom('template').where('id', '=', 'f1').execute()
  await later(1000)
  t.match(await ask('POST', '/whatsapp/template/sync'), { status: 200, json: { state: 'synced', failure: null } })
  t.equal(await countRows('template'), rowLimits.template)
  t.same(backend.errors(), [])
})

t.test('contacts are counted, and refused beyond the limit unless a customer writes', async t => {
  const { backend, ask, databases, countRows, use, takeAllBut, create, later, report, recipients } = await stage(t)
  const [known = '', saved = '', stranger = '', inbound = ''] = phones(4)
  const write = async (phone: string) => {
    await ask('POST', '/sandbox/inbound', { from: phone, type: 'text', text: 'Hola' })
    await later(1000)
  }
  await write(known)
  t.equal((await use()).contacts, await countRows('contact'))
  await takeAllBut({ contacts: 1 })
  const before = await countRows('contact')
  const keep = (phone: string) => ask<Refusal>('POST', '/whatsapp/contacts', { phone, name: 'Luis' })
  t.match(await keep(saved), { status: 200, json: { created: true } })
  const refused = { status: 409, json: { code: 'APP_TOO_MANY_KEPT', message: /contactos, que es el máximo/ } }
  t.match(await keep(stranger), refused)
  t.match(await keep(saved), { status: 200, json: { created: false } })

  const rows = `telefono,nombre\n${known},Ana\n${stranger},Eva`
  const tagged = `telefono,nombre,etiquetas\n${stranger},Eva,nueva`
  t.match(await ask('POST', '/whatsapp/contact-imports', { text: tagged }), refused)
  t.match(await ask('POST', '/whatsapp/contact-imports', { text: rows }), refused)
  t.same((await ask<{ items: [] }>('GET', '/whatsapp/contact-imports')).json.items, [])
  t.equal((await ask<{ items: [] }>('GET', '/whatsapp/all-tags')).json.items.length, 0)

  const send = await create({ audience: { numbers: `${known}\n${stranger}` }, startIfPlanned: 2 })
  for (const ms of [1000, 10_000, 10_000]) await later(ms)
  t.match((await report(send)).counts, { delivered: 1, omitted: 1 })
  t.match(await recipients(send, '?state=omitted'), [{ reason: { code: 'contactsFull' } }])
  t.equal(await countRows('contact'), before + 1)

  await write(inbound)
  t.equal(await countRows('contact'), before + 2, 'a customer who writes is never refused')
  t.equal((await use()).contacts, rowLimits.contacts + 1)
  await databases.write.deleteFrom('contact').where('wa_id', '=', inbound).execute()
  t.equal((await use()).contacts, rowLimits.contacts)
  t.same(backend.errors(), [])
})

t.test('notes are counted, and refused beyond the limit', async t => {
  const { backend, ask, databases, use, takeAllBut, later } = await stage(t)
  const [phone = ''] = phones(1)
  await ask('POST', '/sandbox/inbound', { from: phone, type: 'text', text: 'Hola' })
  await later(1000)
  const note = () => ask<Refusal>('POST', `/whatsapp/conversations/${phone}/notes`, { text: 'Paga los viernes' })
  t.equal((await note()).status, 201)
  t.equal((await use()).notes, 1)
  await takeAllBut({ notes: 1 })
  t.equal((await note()).status, 201)
  t.match(await note(), { status: 409, json: { code: 'APP_TOO_MANY_KEPT', message: /notas, que es el máximo/ } })
  t.equal((await use()).notes, rowLimits.notes)
  await databases.write.deleteFrom('conversation').execute()
  t.equal((await use()).notes, rowLimits.notes - 2)
  t.same(backend.errors(), [])
})
