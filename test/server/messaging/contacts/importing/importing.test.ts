import t, { type Test } from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const known = '5491155550101'

const stage = async (t: Test) => {
  const { backend, databases, owner, call } = await chatStage(t)
  await call('POST', '/sandbox/inbound', { from: known, name: 'Lucía', text: 'Hola' })
  await backend.settle()
  const path = '/whatsapp/contact-imports'
  const look = (text: string, more: object = {}) => call('POST', `${path}/preview`, { text, ...more })
  const begin = (text: string, more: object = {}) => call('POST', path, { text, ...more })
  const take = async (text: string, more: object = {}) => {
    const { status, body } = await begin(text, more)
    t.equal(status, 202, JSON.stringify(body))
    await backend.settle()
    return (await call('GET', `${path}/${body.id}`)).body
  }
  const contact = async (phone: string) => (await call('GET', `/whatsapp/conversations/${phone}/contact`)).body
  return { backend, databases, owner, call, path, look, begin, take, contact }
}

const lines = (...rows: string[]) => rows.join('\r\n')

t.test('the preview tells the outcome of every row, and the import produces it', async t => {
  const { backend, call, look, take, contact } = await stage(t)
  const field = await call('POST', '/whatsapp/contact-fields', { label: 'Cumpleaños', kind: 'date' })
  const text = lines(
    'Teléfono;Nombre;Etiquetas;Cumpleaños;Sucursal',
    '11 5555-0101;Lucía Paz;VIP, Mayorista;1990-02-03;Centro',
    '+54 9 11 5555-0102;"Ana\r\nMaría";vip;;',
    '11 5555 0102;Otra vez;;;',
    ';Sin número;;;',
    '5,49116E+12;Redondeado;;;',
    'abc;Nadie;;;',
    '1155550103;Mal;;31/02/1990;',
    '1155550104;Una celda;;;x;de más',
    '',
    '"=""1155550105""";=SUMA(A1);;;',
  )
  const { status, body: seen } = await look(text)
  t.equal(status, 200, JSON.stringify(seen))
  t.strictSame(
    seen.columns.map(({ name, target }: { name: string; target: string }) => [name, target]),
    [
      ['Teléfono', 'phone'],
      ['Nombre', 'name'],
      ['Etiquetas', 'tags'],
      ['Cumpleaños', `field.${field.body.id}`],
      ['Sucursal', 'ignore'],
    ],
  )
  t.match(seen, { rows: 9, created: 2, updated: 1, unchanged: 0, refused: 6, newTags: ['VIP', 'Mayorista'] })
  t.strictSame(seen.faults, [
    { row: 4, fault: 'duplicate', column: 'Teléfono' },
    { row: 5, fault: 'numberMissing', column: 'Teléfono' },
    { row: 6, fault: 'numberRounded', column: 'Teléfono' },
    { row: 7, fault: 'numberInvalid', column: 'Teléfono' },
    { row: 8, fault: 'fieldInvalid', column: 'Cumpleaños' },
    { row: 9, fault: 'tooManyCells', column: null },
  ])
  t.match(seen.first[0], {
    row: 2,
    outcome: 'updated',
    number: '+54 9 11 5555 0101',
    changes: ['name', 'tags', `field.${field.body.id}`],
  })
  t.equal((await call('GET', '/whatsapp/tags')).body.items?.length ?? 0, 0, 'looking makes nothing')

  const done = await take(text, { file: 'clientes.csv' })
  t.match(done, {
    ...{ state: 'done', file: 'clientes.csv', rows: 9, done: 9, created: 2, updated: 1, unchanged: 0, refused: 6 },
    faults: seen.faults,
  })
  const lucia = await contact(known)
  t.match(lucia, { name: 'Lucía Paz', fields: [{ value: '1990-02-03' }] })
  t.strictSame(
    lucia.conversations[0].tags.map(({ label }: { label: string }) => label),
    ['Mayorista', 'VIP'],
  )
  t.match(await contact('5491155550102'), { name: 'Ana María', conversations: [{ archived: true }] })
  t.match(await contact('5491155550105'), { name: '=SUMA(A1)' }, 'a formula is a text like any')
  const { csv } = (await call('GET', '/whatsapp/contacts/report')).body
  t.match(csv, "'=SUMA(A1)", 'and leaves as one')

  t.match(await take(text), { created: 0, updated: 0, unchanged: 3, refused: 6 })
  const again = await take(csv, { existing: 'replace' })
  t.match(again, { created: 0, updated: 0, unchanged: 3, refused: 0 }, 'what was exported comes back as it was')
  const found = await call('GET', '/whatsapp/contacts?search=ana%20maria')
  t.equal(found.body.items.length, 1, 'by name')
  t.same(backend.errors(), [])
})

t.test('existing values stay unless replacement is chosen, and an empty cell clears nothing', async t => {
  const { take, contact } = await stage(t)
  await take('phone,name,note\n1155550101,Lucía,Paga en término')
  t.match(await take('phone,name,note\n1155550101,Otra,'), { updated: 0, unchanged: 1 })
  t.match(await contact(known), { name: 'Lucía', note: 'Paga en término' })
  t.match(await take('phone,name,note\n1155550101,Otra,', { existing: 'replace' }), { updated: 1 })
  t.match(await contact(known), { name: 'Otra', note: 'Paga en término' })
})

t.test(
  'columns are mapped by position, even two with the same name; an invalid value is refused by its field',
  async t => {
    const { look, begin, take, contact } = await stage(t)
    const text = '\uFEFFdato,dato,dato\n1155550102,1155550109,Beto'
    const seen = (await look(text)).body
    t.match(seen.columns, [{ name: 'dato' }, { name: 'dato 2', target: 'ignore' }, { name: 'dato 3' }])
    t.match(seen, { rows: 0, first: [] }, 'no column has the numbers')
    t.match(await begin(text), { status: 400, body: { details: [{ field: 'body.columns' }] } })
    await take(text, { columns: ['phone', 'ignore', 'name'] })
    t.match(await contact('5491155550102'), { name: 'Beto' })
    for (const columns of [
      ['phone'],
      ['phone', 'note', 'note'],
      ['phone', 'field.abc', 'ignore'],
      ['phone', 'x', 'name'],
    ])
      t.equal((await look(text, { columns })).status, 400, String(columns))
    t.match(await look('\n\n'), { status: 400, body: { details: [{ field: 'body.text' }] } })
    t.match(await begin('phone,name\n'), { status: 400, body: { details: [{ field: 'body.text' }] } })
    t.match(await look('phone\n1155550102', { tagId: 'nada' }), {
      status: 400,
      body: { details: [{ field: 'body.tagId' }] },
    })
    t.match((await look('phone,name\n1155550102,"Ana')).body.faults, [{ fault: 'unclosedQuote' }])
  },
)

t.test('every contact of the file gets the tag; a member without the permission cannot import', async t => {
  const { owner, databases, call, take, look, contact } = await stage(t)
  const { id } = (await call('POST', '/whatsapp/tags', { label: 'Feria' })).body
  await take('phone\n1155550101\n1155550102', { tagId: id })
  for (const phone of [known, '5491155550102'])
    t.match((await contact(phone)).conversations[0].tags, [{ label: 'Feria' }])
  const member = await aMember({ databases, org: owner.org, role: 'member' })
  for (const [method, path, body] of [
    ['POST', '/whatsapp/contact-imports/preview', { text: 'phone\n1' }],
    ['POST', '/whatsapp/contact-imports', { text: 'phone\n1' }],
    ['GET', '/whatsapp/contact-imports', undefined],
  ] as const)
    t.equal((await call(method, path, body, member)).status, 403)
  t.equal((await look('phone\n1155550101')).status, 200)
})

t.test('a long import resumes where it stopped, runs one at a time, and can be cancelled', async t => {
  const { backend, databases, call, path, begin, look } = await stage(t)
  const text = ['phone,name', ...Array.from({ length: 450 }, (_, i) => `11 5556-${1000 + i},Cliente ${i}`)].join('\n')
  t.match((await look(text)).body, { rows: 450, created: 450 })
  const { body: first } = await begin(text)
  await backend.settle()
  const running = {
    state: 'running',
    place: 101,
    done: 100,
    request: JSON.stringify({ text }),
    ended_at: null,
  } as const
  await databases.write.updateTable('contact_import').set(running).where('id', '=', first.id).execute()
  t.match(await begin(text), { status: 409, body: { code: 'CONTACT_IMPORTS_UNDER_WAY' } })
  const stopped = await call('POST', `${path}/${first.id}/stop`)
  t.match(stopped.body, { state: 'stopped', done: 100 })
  t.not(stopped.body.endedAt, null)
  const { body: second } = await begin(text)
  await backend.settle()
  t.match((await call('GET', `${path}/${first.id}`)).body, { state: 'stopped', done: 100 })
  const done = (await call('GET', `${path}/${second.id}`)).body
  t.match(done, { state: 'done', done: 450, refused: 0 })
  t.equal(done.created + done.unchanged, 450)
  t.equal((await call('GET', path)).body.items.length, 2)
  t.match(await call('POST', `${path}/${second.id}/stop`), { status: 200, body: { state: 'done' } })
  t.match(await call('GET', `${path}/nada`), { status: 404 })
  const rows = await backend.databases.read.selectFrom('contact_import').select('request').execute()
  t.ok(
    rows.every(({ request }) => request === null),
    'the file is not kept',
  )
  t.same(backend.errors(), [])
})

t.test('a contact with two numbers is imported once, whichever rows name the numbers', async t => {
  const { backend, call, look, take, contact } = await stage(t)
  await call('POST', '/sandbox/inbound', { from: '5491155550102', name: 'Lucía trabajo', text: 'Hola' })
  await backend.settle()
  const merged = await call('POST', `/whatsapp/conversations/${known}/merge`, { other: '5491155550102' })
  t.equal(merged.status, 200, JSON.stringify(merged.body))
  const between = Array.from({ length: 120 }, (_, i) => `11 5558-${1000 + i},Cliente ${i},VIP`)
  for (const more of [[], between]) {
    const text = ['phone,name,tags', '1155550101,Paz,VIP', ...more, '1155550102,Lucía Paz,VIP'].join('\n')
    const last = { row: more.length + 3, fault: 'duplicate', column: null }
    t.match((await look(text)).body, { refused: 1, faults: [last] })
    t.match(await take(text, { existing: 'replace' }), { state: 'done', refused: 1, faults: [last] })
  }
  t.match(await contact(known), { name: 'Paz' })
  t.same(backend.errors(), [])
})

/** Sets the only import back to running, as a process that died leaves it. */
const left = async (
  { backend, databases }: Awaited<ReturnType<typeof stage>>,
  { attempts = 0, ...row }: { request?: string; place?: number; done?: number; created?: number; attempts?: number },
) => {
  const running = { state: 'running', ended_at: null, ...row } as const
  await databases.write.updateTable('contact_import').set(running).execute()
  const { id, org_id } = await databases.read
    .selectFrom('contact_import')
    .select(['id', 'org_id'])
    .executeTakeFirstOrThrow()
  const kind = 'contactImports.take'
  const at = backend.clock.now().toISOString()
  const job = { kind, unique_key: id, payload: JSON.stringify({ importId: id }), attempts, state: 'waiting' as const }
  const places = { org_id, lane: 2, queue: `${kind}/2/${org_id}/`, pace_key: '', blocked: 0, due_at: at, added_at: at }
  await databases.write.deleteFrom('job').where('kind', '=', kind).execute()
  await databases.write
    .insertInto('job')
    .values({ ...job, ...places })
    .execute()
  backend.clock.advance(1000)
  await backend.settle()
}

t.test('an import fails if its last connection is removed before it runs', async t => {
  const staged = await stage(t)
  const { backend, call, path, begin, take, databases } = staged
  const text = 'phone\n1155550102'
  const { id } = await take(text)
  await databases.write
    .updateTable('wa_connection')
    .set({ disconnected_at: backend.clock.now().toISOString() })
    .execute()
  await left(staged, { request: JSON.stringify({ text, columns: ['phone'] }) })
  const failed = (await call('GET', `${path}/${id}`)).body
  t.match(failed, { state: 'failed' })
  t.not(failed.endedAt, null)
  t.equal((await begin(text)).body.code, 'INBOX_NOT_CONNECTED', 'nothing is under way any more')
  t.same(backend.errors(), [])
})

t.test('an import that throws is retried later, and fails after the last try', async t => {
  const staged = await stage(t)
  const { backend, call, path, take } = staged
  const { id } = await take('phone\n1155550102')
  const stateNow = async () => (await call('GET', `${path}/${id}`)).body.state
  await left(staged, { request: '{' })
  t.equal(await stateNow(), 'running')
  backend.clock.advance(24 * 3_600_000)
  await backend.settle()
  t.equal(await stateNow(), 'running', 'the next try is one')
  await left(staged, { request: '{', attempts: 4 })
  t.equal(await stateNow(), 'failed')
  t.ok(backend.errors().every(({ msg }) => msg === 'a job broke off and counts as lost'))
})

t.test('a file that contains an erased person is not imported any further', async t => {
  const staged = await stage(t)
  const { backend, databases, call, path, take } = staged
  const text = 'phone\n1155550102\n5491155550101'
  const { id } = await take(text)
  await databases.write.deleteFrom('job').where('kind', '=', 'contactImports.take').execute()
  const asked = { reason: 'asked', confirm: '+54 9 11 5555-0101' }
  const request = JSON.stringify({ text, columns: ['phone'] })
  await databases.write.updateTable('contact_import').set({ state: 'running', ended_at: null, request }).execute()
  t.equal((await call('POST', `/whatsapp/conversations/${known}/erasure`, asked)).status, 200)
  for (let i = 0; i < 5; i += 1) {
    backend.clock.advance(1000)
    await backend.settle()
  }
  const row = await databases.read.selectFrom('contact_import').select('request').executeTakeFirstOrThrow()
  t.equal(row.request, null)
  await left(staged, {})
  const failed = (await call('GET', `${path}/${id}`)).body
  t.match(failed, { state: 'failed' })
  t.not(failed.endedAt, null)
})

t.test('after a crash the import continues after the last commit', async t => {
  const staged = await stage(t)
  const { call, path, take } = staged
  const text = ['phone', ...Array.from({ length: 150 }, (_, i) => `11 5557-${1000 + i}`)].join('\n')
  const { id } = await take(text)
  const request = JSON.stringify({ text, columns: ['phone'] })
  await left(staged, { place: 101, done: 100, created: 100, request })
  t.match((await call('GET', `${path}/${id}`)).body, { state: 'done', done: 150, created: 100, unchanged: 50 })
})

t.test('vCards are imported, name parts are joined, and a first row without headers is a person', async t => {
  const { look, take, contact } = await stage(t)
  const cards = lines(
    ...['BEGIN:VCARD', 'VERSION:3.0', 'N:Paz;Ana;;;', 'TEL;TYPE=CELL:+54 9 11 5555-0102', 'NOTE:Paga\\, siempre'],
    ...['CATEGORIES:VIP', 'END:VCARD', 'BEGIN:VCARD', 'VERSION:3.0', 'FN:Nadie', 'END:VCARD', ''],
  )
  t.match((await look(cards)).body, { rows: 2, created: 1, refused: 1, newTags: ['VIP'] })
  t.match(await take(cards), { created: 1, faults: [{ row: 2, fault: 'numberMissing', column: 'TEL' }] })
  t.match(await contact('5491155550102'), { name: 'Ana Paz', note: 'Paga, siempre' })

  const outlook = lines('Last Name,First Name,Business Phone,Mobile Phone', 'Sol,Beto,1144440101,1155550103')
  t.match(await take(outlook), { created: 1 })
  t.match(await contact('5491155550103'), { name: 'Beto Sol' })

  const bare = '1155550104;Ceci\n1155550105;Dora'
  t.match((await look(bare)).body, { hasHeader: false, rows: 2, created: 2 })
  t.match((await look(bare, { hasHeader: true })).body, { hasHeader: true, rows: 1 })
  t.match(await take(bare, { columns: ['phone', 'name'] }), { created: 2, refused: 0 })
  t.match(await contact('5491155550104'), { name: 'Ceci' })

  const labels = 'Labels,Phone 1 - Value\n* myContacts ::: * Mayorista,1155550106 ::: 1155550107'
  t.match((await look(labels)).body, { newTags: ['Mayorista'], created: 1 })
  t.match(await look('<html><table>'), { status: 400, body: { details: [{ field: 'body.text' }] } })
  t.match((await look('tel\n"5,49116E+12"')).body.faults, [{ fault: 'numberRounded' }])
})
