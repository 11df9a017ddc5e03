import t from 'tap'
import { displayPhone } from '#server/platform/text/phone-display.ts'

t.test('numbers are shown in international format', async t => {
  const shown: [string, string][] = [
    ['5491155551234', '+54 9 11 5555 1234'],
    ['541155551234', '+54 11 5555 1234'],
    ['5493489412345', '+54 9 3489 41 2345'],
    ['5215512345678', '+52 55 1234 5678'],
    ['555198765432', '+55 51 99876 5432'],
    ['34600111222', '+34 600 11 12 22'],
    ['+54 9 11 5555-1234', '+54 9 11 5555 1234'],
  ]
  for (const [digits, international] of shown) t.equal(displayPhone(digits), international)
})

t.test('a number without its country is read as Argentine', async t => {
  t.equal(displayPhone('1155551234'), '+54 11 5555 1234')
})

t.test('a test number of Meta is shown although it is not assigned', async t => {
  t.match(displayPhone('15550783881'), /^\+1 555/)
})

t.test('without a number nothing is shown', async t => {
  for (const none of ['', '11', 'AR.13491208655302741918', 'sin número', '999999999999999'])
    t.equal(displayPhone(none), '', none)
})

t.test('a number is shown the same again, also after many others', async t => {
  for (let line = 0; line < 6_000; line += 1) displayPhone(`54911${40_000_000 + line}`)
  t.equal(displayPhone('5491155551234'), '+54 9 11 5555 1234')
  t.equal(displayPhone('5491155551234'), '+54 9 11 5555 1234')
})
