import t from 'tap'
import { directionOf } from '#client/ui/text-direction.ts'

t.test('the first letter of a text decides where it stands', async t => {
  for (const text of ['שלום', 'مرحبا', '123 — שלום hola', '*שלום*']) t.equal(directionOf(text), 'rtl', text)
  for (const text of ['hola שלום', '', '😀 123', 'Привет']) t.equal(directionOf(text), 'auto', text)
})
