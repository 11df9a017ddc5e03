import { randomBytes } from 'node:crypto'
import t from 'tap'
import { bytesOfBase64 } from '#server/platform/text/base64.ts'

t.test('base64 is decoded, padded or not', async t => {
  for (const length of [1, 2, 3, 4, 5, 64]) {
    const bytes = randomBytes(length)
    const text = bytes.toString('base64')
    t.ok(bytesOfBase64(text)?.equals(bytes), text)
    t.ok(bytesOfBase64(text.replaceAll('=', ''))?.equals(bytes), 'without its padding')
  }
})

t.test('invalid base64 is recognized, wherever the fault is', async t => {
  for (const text of ['', '=', '==', '===', 'QUJD=QUJD', 'QUI=\n', ' QUJD', 'QU-_', 'QUJD====', 'ñ'])
    t.equal(bytesOfBase64(text), undefined, JSON.stringify(text))
})

t.test('a single wrong character is recognized at any length', async t => {
  for (let length = 1; length <= 12; length += 1)
    for (let at = 0; at <= length; at += 1)
      for (const sign of [' ', '\n', '-', '_', '=', 'ñ', '\0']) {
        const digits = 'QUJDREVGR0hJ'.slice(0, length)
        const text = digits.slice(0, at) + sign + digits.slice(at)
        if (sign === '=' && at === length) continue
        t.equal(bytesOfBase64(text), undefined, JSON.stringify(text))
      }
})
