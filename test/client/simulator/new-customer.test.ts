import t from 'tap'
import { suggestCustomer } from '#client/simulator/new-customer.ts'
import { digitsOf } from '#shared/kernel/phone.ts'
import { testNumberFaults } from '#shared/simulator/faults.ts'

t.test('a suggested customer is new, with a number that triggers no failure', async t => {
  const taken: { name: string; waId: string }[] = []
  for (let i = 0; i < 200; i += 1) {
    const { name, number } = suggestCustomer(taken)
    const waId = digitsOf(number)
    t.match(waId, /^549115\d{7}$/)
    t.notOk(taken.some(one => one.waId === waId))
    t.notOk(testNumberFaults.some(({ suffix }) => waId.endsWith(suffix)))
    taken.push({ name, waId })
  }
  t.equal(new Set(taken.slice(0, 12).map(({ name }) => name)).size, 12, 'names repeat only when all are taken')
})
