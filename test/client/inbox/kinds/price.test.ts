import t from 'tap'
import { priceText } from '#client/inbox/kinds/price.ts'

const plain = (item: Parameters<typeof priceText>[0], language: string) =>
  (priceText(item, language) ?? '').replace(/\s/g, ' ')

t.test('a price is formatted in the reader’s language', async t => {
  t.equal(plain({ price: 1250.5, currency: 'ARS' }, 'es'), '$ 1.250,50')
  t.equal(plain({ price: 1250.5, currency: 'ARS' }, 'en'), 'ARS 1,250.50')
  t.equal(plain({ price: 30, currency: 'USD' }, 'es'), 'US$ 30,00')
  t.equal(plain({ price: 3000, currency: 'CLP' }, 'es'), 'CLP 3.000', 'no cents where there are none')
})

t.test('an unknown currency is shown as received', async t => {
  t.equal(priceText({ price: 30, currency: 'pesos' }, 'es'), 'pesos 30')
  t.equal(priceText({ price: 30, currency: '' }, 'en'), '30')
})
