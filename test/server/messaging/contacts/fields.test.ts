import t, { type Test } from 'tap'
import { maxContactFields } from '#shared/contacts/fields.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const customer = '5491155550101'

const stage = async (t: Test) => {
  const { backend, databases, owner, call } = await chatStage(t)
  await call('POST', '/sandbox/inbound', { from: customer, name: 'Lucía', text: 'Hola' })
  await backend.settle()
  const make = (label: string, kind: string, options?: string[]) =>
    call('POST', '/whatsapp/contact-fields', { label, kind, ...(options ? { options } : {}) })
  const contact = `/whatsapp/conversations/${customer}/contact`
  const fill = (id: string, value: string | null, who?: AMember) =>
    call('PATCH', contact, { fields: [{ id, value }] }, who)
  const known = async () =>
    Object.fromEntries(
      (await call('GET', contact)).body.fields.map((one: { label: string; value: string }) => [one.label, one.value]),
    )
  return { backend, databases, owner, call, make, contact, fill, known }
}

t.test('fields of every kind accept fitting values and report the value that does not fit', async t => {
  const { call, make, contact, fill, known } = await stage(t)
  t.same((await call('GET', contact)).body.fields, [])
  const made = {
    text: await make('  Dirección   de envío ', 'text'),
    number: await make('Pedidos', 'number'),
    date: await make('Cumpleaños', 'date'),
    choice: await make('Plan', 'choice', ['Oro', ' Plata ']),
  }
  t.match(made.text, { status: 201, body: { label: 'Dirección de envío', kind: 'text', options: [] } })
  t.match(made.choice.body.options, ['Oro', 'Plata'])
  const cases = [
    ['text', 'Av. Siempre Viva 742', 'Av. Siempre Viva 742', ['\u200b\u2060']],
    ['number', ' 12,50 ', '12.50', ['doce', '1.2.3', '1e9', '--1']],
    ['date', '2024-02-29', '2024-02-29', ['2023-02-29', '29/02/2024', '0001-01-01', '2024-13-01']],
    ['choice', 'Plata', 'Plata', ['plata', 'Bronce']],
  ] as const
  for (const [kind, typed, stored, wrong] of cases) {
    const { id } = made[kind].body
    const filled = await fill(id, typed)
    t.equal(filled.status, 200, kind)
    t.equal(filled.body.fields.find((one: { id: string }) => one.id === id).value, stored)
    for (const value of wrong) {
      const refused = await fill(id, value)
      t.match([refused.status, refused.body.details], [400, [{ field: 'body.fields.0.value' }]], `${kind} ${value}`)
    }
  }
  t.same(await known(), {
    'Dirección de envío': 'Av. Siempre Viva 742',
    Pedidos: '12.50',
    Cumpleaños: '2024-02-29',
    Plan: 'Plata',
  })
  t.match(await fill('nada', 'x'), { status: 400, body: { details: [{ field: 'body.fields.0.id' }] } })
  await fill(made.number.body.id, null)
  t.equal((await known()).Pedidos, null)
})

t.test('field names are unique, a choice needs options, and the number of fields is limited', async t => {
  const { call, make } = await stage(t)
  const plan = await make('Plan', 'choice', ['Oro'])
  t.match(await make('plán', 'text'), { status: 409, body: { code: 'INBOX_FIELD_LABEL_TAKEN' } })
  for (const [kind, options] of [
    ['choice', undefined],
    ['choice', []],
    ['choice', ['Oro', 'oro']],
    ['text', ['Oro']],
  ] as const) {
    const { status, body } = await make('Otro', kind, options && [...options])
    t.match([status, body.details], [400, [{ field: 'body.options' }]], `${kind} ${options}`)
  }
  const path = `/whatsapp/contact-fields/${plan.body.id}`
  t.match(await call('PATCH', path, { label: 'PLAN' }), { status: 200, body: { label: 'PLAN', options: ['Oro'] } })
  for (let i = 1; i < maxContactFields; i += 1) t.equal((await make(`Campo ${i}`, 'text')).status, 201)
  t.match(await make('De más', 'text'), { status: 409, body: { code: 'INBOX_TOO_MANY_FIELDS' } })
  t.equal((await call('GET', '/whatsapp/contact-fields')).body.items.length, maxContactFields)
})

t.test('a chosen option stays after it is removed from the field; a deleted field deletes its values', async t => {
  const { backend, databases, call, make, fill, known } = await stage(t)
  const { id } = (await make('Plan', 'choice', ['Oro', 'Plata'])).body
  await fill(id, 'Oro')
  await call('PATCH', `/whatsapp/contact-fields/${id}`, { options: ['Plata'] })
  t.same(await known(), { Plan: 'Oro' })
  t.equal((await fill(id, 'Oro')).status, 200, 'the same again')
  await fill(id, 'Plata')
  t.equal((await fill(id, 'Oro')).status, 400)
  t.equal((await call('DELETE', `/whatsapp/contact-fields/${id}`)).status, 200)
  t.same(await known(), {})
  await backend.settle()
  t.same(await databases.read.selectFrom('contact_value').selectAll().execute(), [], 'nothing is left')
  t.equal((await call('DELETE', `/whatsapp/contact-fields/${id}`)).status, 404)
  t.same(backend.errors(), [])
})

t.test('members fill in fields, administrators define them, and every change is audited', async t => {
  const { databases, owner, call, make, fill } = await stage(t)
  const { id } = (await make('Plan', 'choice', ['Oro'])).body
  const member = await aMember({ databases, org: owner.org, role: 'member' })
  const viewer = await aMember({ databases, org: owner.org, role: 'viewer' })
  t.equal((await call('POST', '/whatsapp/contact-fields', { label: 'X', kind: 'text' }, member)).status, 403)
  t.equal((await call('DELETE', `/whatsapp/contact-fields/${id}`, undefined, member)).status, 403)
  t.equal((await fill(id, 'Oro', member)).status, 200)
  t.equal((await fill(id, 'Oro', viewer)).status, 403)
  t.equal((await call('GET', '/whatsapp/contact-fields', undefined, viewer)).status, 200)
  await call('PATCH', `/whatsapp/contact-fields/${id}`, { label: 'Abono', options: ['Oro', 'Plata'] })
  await call('DELETE', `/whatsapp/contact-fields/${id}`)
  t.match((await call('GET', '/organization/audit')).body.items, [
    { action: 'fieldDeleted', subject: 'Abono' },
    { action: 'fieldChanged', changes: [{ fact: 'name', before: 'Plan', after: 'Abono' }, { fact: 'options' }] },
    { action: 'fieldCreated', subject: 'Plan' },
  ])
})

t.test('merged contacts keep the field values of both', async t => {
  const { backend, call, make, fill, known } = await stage(t)
  const [plan, street] = [(await make('Plan', 'text')).body.id, (await make('Calle', 'text')).body.id]
  const other = '5491155550202'
  // The older contact survives the merge.
  backend.clock.advance(60_000)
  await call('POST', '/sandbox/inbound', { from: other, name: 'Lu', text: 'Soy yo' })
  await backend.settle()
  await fill(plan, 'del primero')
  await call('PATCH', `/whatsapp/conversations/${other}/contact`, {
    fields: [
      { id: plan, value: 'del segundo' },
      { id: street, value: 'Mitre 1' },
    ],
  })
  await call('POST', '/sandbox/inbound', { from: other, type: 'system', newNumber: customer })
  await backend.settle()
  t.same(await known(), { Plan: 'del primero', Calle: 'Mitre 1' })
})

t.test('the export has one column for each field', async t => {
  const { call, make, fill } = await stage(t)
  const { id } = (await make('Plan', 'choice', ['Oro'])).body
  await make('Calle', 'text')
  await fill(id, 'Oro')
  const { csv } = (await call('GET', '/whatsapp/contacts/report')).body
  const [head, line] = csv.split('\r\n')
  t.match(head, /[;,]Plan[;,]Calle$/)
  t.match(line, /Lucía.*[;,]Oro[;,]$/)
})
