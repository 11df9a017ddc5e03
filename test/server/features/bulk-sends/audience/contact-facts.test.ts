/** Template values taken from contacts, through the public API. */
import t from 'tap'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { ContactField } from '#shared/contacts/fields.ts'
import { aMember } from '#test/helpers/actors.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('a value comes from the contact’s field, otherwise from the fallback text', async t => {
  const { ask, backend, template, later } = await stage(t)
  const { write } = backend.databases
  const text = 'Hola {{1}}, tu turno es el {{2}} en el local del centro.'
  const id = await template(text)
  const [known, stranger] = phones(2) as [string, string]
  await ask('POST', '/sandbox/inbound', { from: known, type: 'text', text: 'Hola' })
  await later(1000)
  const field = async (body: object) => (await ask<ContactField>('POST', '/whatsapp/contact-fields', body)).json.id
  const [nick, day] = [await field({ label: 'Apodo', kind: 'text' }), await field({ label: 'Turno', kind: 'date' })]
  const contact = await write
    .selectFrom('contact')
    .select(['id', 'org_id'])
    .where('wa_id', '=', known)
    .executeTakeFirstOrThrow()
  for (const [field_id, value] of [
    [nick, 'Tita'],
    [day, '2026-12-05'],
  ] as const)
    await write
      .insertInto('contact_value')
      .values({ contact_id: contact.id, org_id: contact.org_id, field_id, value })
      .execute()

  const planOf = async (audience: object, body: object) =>
    (await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', { template: id, audience, values: { body } })).json
  const values = {
    '1': { from: 'field', text: nick, fallback: 'vecina' },
    '2': { from: 'field', text: day, fallback: 'lunes' },
  }
  const both = await planOf({ numbers: `${known}\n${stranger}` }, values)
  t.same(
    both.previews.map(preview => preview.text),
    [
      'Hola Tita, tu turno es el 5/12/26 en el local del centro.',
      'Hola vecina, tu turno es el lunes en el local del centro.',
    ],
    'a date as the language of the template writes it',
  )
  const { json: segment } = await ask<{ id: string }>('POST', '/whatsapp/segments', {
    label: 'Uno',
    filter: { optedOut: false },
  })
  const found = await planOf({ segment: { id: segment.id } }, values)
  t.same(found.previews[0]?.text, both.previews[0]?.text, 'found by a segment as by the number')

  const unknown = await planOf({ numbers: known }, { ...values, '1': { from: 'field', text: 'constructor' } })
  t.match(unknown, { planned: 0, omitted: [{ reason: 'valueMissing', count: 1 }] })

  const other = await aMember({ databases: backend.databases })
  await write.updateTable('contact_field').set({ org_id: other.org.id }).where('id', '=', nick).execute()
  t.match((await planOf({ numbers: known }, values)).previews[0]?.text, /^Hola vecina/, 'of no other organization')
  t.same(backend.errors(), [])
})
