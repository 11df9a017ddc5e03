import { readFileSync } from 'node:fs'
import t from 'tap'
import { isCommonPassword } from '#server/identity/auth/passwords/common-passwords.ts'
import { passwordMin } from '#shared/auth/password-rules.ts'

t.test('three thousand common passwords are recognized, regardless of case', async t => {
  const lines = readFileSync(
    new URL('../../../../../server/identity/auth/passwords/common-passwords.txt', import.meta.url),
    'utf8',
  ).split('\n')
  const list = lines.filter(Boolean)
  t.ok(list.length >= 3000)
  t.equal(new Set(list).size, list.length)
  for (const password of list)
    if (password.length < passwordMin || password !== password.toLowerCase()) t.fail(`${password} is of no use`)
  for (const password of ['passer2009', 'PASSER2009', 'Terminator', 'homelesspa', '1q2w3e4r5t'])
    t.ok(isCommonPassword(password), password)
  for (const password of ['tres-medialunas-y-un-cortado', 'Kx9!vPq2#Lm', ''])
    t.notOk(isCommonPassword(password), password)
})
