import t from 'tap'
import { formLabel, formValue } from '#client/inbox/kinds/form-words.ts'
import { priceText, totalOf } from '#client/inbox/kinds/price.ts'
import type { InboxT } from '#client/inbox/words.ts'

const words = ((key: string) => key) as unknown as InboxT

t.test('form answers are labelled with their questions', async t => {
  t.equal(formLabel('screen_0_Nombre_completo_1'), 'Nombre completo')
  t.equal(formLabel('fecha_de_entrega'), 'Fecha de entrega')
  t.equal(formLabel('domicilio · calle'), 'Domicilio · calle')
  t.equal(formValue({ key: 'screen_0_Opinion_0', value: '0_Muy_bueno, 2_Caro' }, words), 'Muy bueno, Caro')
  t.equal(
    formValue({ key: 'codigo', value: '0_Muy_bueno' }, words),
    '0_Muy_bueno',
    'what people named themselves stays',
  )
  t.equal(formValue({ key: 'acepta', value: 'true' }, words), 'bubble.yes', 'a box is no word of a program')
  t.equal(formValue({ key: 'acepta', value: 'false' }, words), 'bubble.no')
})

t.test('an order has a total if every item has a price in the same currency', async t => {
  const items = [
    { quantity: 2, price: 30.5, currency: 'ARS' },
    { quantity: 1, price: 15, currency: 'ARS' },
  ]
  t.strictSame(totalOf(items), { price: 76, currency: 'ARS' })
  t.equal(totalOf([...items, { quantity: 1, currency: 'ARS' }]), undefined)
  t.equal(totalOf([...items, { quantity: 1, price: 1, currency: 'USD' }]), undefined)
  t.equal(totalOf([]), undefined)
  t.equal(priceText({ currency: 'ARS' }, 'es'), null)
})
