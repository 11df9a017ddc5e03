import t from 'tap'
import { readTemplateUpdate, templateUpdateFields } from '#server/whatsapp/fields/template-updates.ts'

const named = { message_template_id: 1, message_template_name: 'promo', message_template_language: 'es_AR' }

t.test('an update without a template’s name is ignored', async t => {
  for (const field of templateUpdateFields)
    for (const content of [{}, { event: 'APPROVED', new_category: 'UTILITY' }, null, 'APPROVED'])
      t.equal(readTemplateUpdate(field, content), undefined, `${field} ${JSON.stringify(content)}`)
})

t.test('a field that is not about templates is no update, even if every object has it', async t => {
  for (const field of ['messages', 'toString', 'constructor', '']) t.equal(readTemplateUpdate(field, named), undefined)
  t.match(readTemplateUpdate('message_template_components_update', named), { kind: 'components' })
})
