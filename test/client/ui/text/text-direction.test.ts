import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import t from 'tap'
import { directionOf } from '#client/ui/text/text-direction.ts'

t.test('the first letter of a text decides its direction', async t => {
  for (const text of ['שלום', 'مرحبا', '123 — שלום hola', '*שלום*']) t.equal(directionOf(text), 'rtl', text)
  for (const text of ['hola שלום', '', '😀 123', 'Привет']) t.equal(directionOf(text), 'auto', text)
})

t.test('each multi-line field has the dir attribute', async t => {
  let fields = 0
  for await (const file of glob('client/**/*.tsx'))
    for (const [field] of readFileSync(file, 'utf8').matchAll(/<textarea\b.*?\/>/gs)) {
      fields += 1
      t.match(field, /\sdir=/, file)
    }
  t.ok(fields > 10, 'there are such fields')
})
