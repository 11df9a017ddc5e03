import t from 'tap'
import { readTypedPhone } from '#client/inbox/typed-phone.ts'

const dialled = (typed: string, country = 'AR') => readTypedPhone(typed, country)?.digits

t.test('a number without its country is one of the organization’s, as its people dial it', async t => {
  for (const typed of ['11 4444-5555', '011 4444-5555', '011 15 4444-5555', '11 15 4444 5555', '+54 9 11 4444-5555'])
    t.equal(dialled(typed), '5491144445555', typed)
  t.equal(dialled('0351 15 555-1234'), '5493515551234')
  t.equal(dialled('55 1234 5678', 'MX'), '5215512345678')
  t.equal(dialled('11 98765-4321', 'BR'), '5511987654321')
  t.equal(dialled('612 34 56 78', 'ES'), '34612345678')
})

t.test('a number with its country is of that country, with a plus, with 00 or without', async t => {
  for (const typed of ['+34 612 34 56 78', '0034 612 34 56 78', '34612345678'])
    t.equal(dialled(typed), '34612345678', typed)
  t.equal(dialled('+1 555 010 1234'), '15550101234', 'unassigned, as Meta’s test numbers are')
})

t.test('it is shown as it will be dialled', async t => {
  t.equal(readTypedPhone('11 4444-5555', 'AR')?.shown, '+54 9 11 4444 5555')
  t.equal(readTypedPhone('55 1234 5678', 'MX')?.shown, '+52 55 1234 5678')
})

t.test('what is no number is none', async t => {
  for (const typed of ['', '123', 'Lucía', '11 4444', 'lucia@example.org', '99999999999999999'])
    t.equal(dialled(typed), undefined, typed)
})
