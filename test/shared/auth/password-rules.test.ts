import fc from 'fast-check'
import t from 'tap'
import { isUsername, passwordFault, passwordMax, passwordMin } from '#shared/auth/password-rules.ts'

const known = ['Ana Benítez', 'ana.benitez@panaderia.example', 'anab']

t.test('commonly tried passwords are refused', async t => {
  for (const password of [
    'aaaaaaaaaaaa',
    '1234567890',
    '0987654321',
    'qwertyuiop',
    'abcdefghijkl',
    'password123',
    'Contraseña2026',
    'Password1!',
    'abc123abc123abc',
    'asdfghjkl1',
    'AnaBenitez1',
    'benitez-2026',
    'Panaderia99',
    'whatsapp2026',
    'teamomucho1',
  ])
    t.equal(passwordFault(password, known), 'guessable', password)
})

t.test('individually chosen passwords are accepted, with or without symbols', async t => {
  for (const password of [
    'mate amargo al alba',
    'correct horse battery staple',
    'tres-medialunas-y-un-cortado',
    'Kx9!vPq2#Lm',
    'ñandú en la ruta',
    '密码密码很长的一个句子吧',
  ])
    t.equal(passwordFault(password, known), undefined, password)
})

t.test('the length has a minimum and a maximum', async t => {
  t.equal(passwordFault('x7Kp2mQ9z'), 'short')
  t.equal(passwordFault('x7Kp2mQ9zW'), undefined, `${passwordMin} characters`)
  t.equal(passwordFault('ab1!'.repeat(33)), 'long', `more than ${passwordMax}`)
})

t.test('any text is checked, in bounded time', async t => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: 'binary' }), text => {
      passwordFault(text, [text, ...known])
    }),
  )
  t.pass()
})

t.test('a username has plain letters, digits, dots and hyphens, and cannot imitate another', async t => {
  for (const name of ['ana', 'Ana.Benitez', 'a-b_c.9', 'x'.repeat(30)]) t.ok(isUsername(name), name)
  for (const name of ['an', '', ' ana', 'ana ', '.ana', 'ana-', 'ana@x', 'аna', 'añá', 'a\nb', 'x'.repeat(31)])
    t.notOk(isUsername(name), JSON.stringify(name))
})
