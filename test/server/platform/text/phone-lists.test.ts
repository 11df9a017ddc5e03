import t from 'tap'
import { firstPhone, splitNumbers } from '#server/platform/text/phone-lists.ts'

const split = (text: string) => [...splitNumbers(text, 'AR')].filter(one => one !== undefined)

t.test('pasted numbers are split at lines, commas, semicolons, tabs, blanks, slashes and list numbers', async t => {
  t.same(split(' 11 5555-1234\r\n\n2, 3;4\t5\n'), ['11 5555-1234', '2', '3', '4', '5'])
  const [a, b] = ['1155550101', '1155550102']
  for (const text of [`${a} ${b}`, `${a}/${b}`, `${a} / ${b}`, `1) ${a} 2) ${b}`, `1)${a}\n2)${b}`, `1. ${a}\n2. ${b}`])
    t.same(split(text), [a, b], text)
  t.same(split('11 5555-0101 11 5555-0102'), ['11 5555-0101', '11 5555-0102'])
  t.same(split('+54 9 11 5555 0101 +54 9 11 5555 0102'), ['+54 9 11 5555 0101', '+54 9 11 5555 0102'])
  t.same(split('3) 3515550101'), ['3515550101'], 'a list number is not part of the digits')
})

t.test('a name beside a number is left out, before or after it', async t => {
  const lines = [
    '1155550101 Juan Pérez',
    'Juan Pérez 1155550101',
    'Juan: 1155550101',
    'Pérez, Juan 1155550101',
    'Juan, 1155550101',
  ]
  for (const line of [...lines, '1155550101 (Juan, hijo)', '[12/11/24 10:20] Ana: 1155550101'])
    t.same(
      split(line).filter(one => /\d/.test(one)),
      ['1155550101'],
      line,
    )
  t.same(split('Ana 525512345678 Beto 525512345679'), ['525512345678', '525512345679'])
})

t.test('a text that is not a number is returned as it is, so that it can be reported', async t => {
  for (const text of ['abc', 'Calle 123', 'ana99999999@example.com', '999999999999999999']) t.same(split(text), [text])
  t.same(split('1155550101 99999999999999'), ['1155550101', '99999999999999'], 'also next to a valid one')
})

t.test('a number in a cell is found among several, and not made of parts of others', async t => {
  t.equal(firstPhone(['', 'no', '11 4444-0101 ::: 11 5555-0101'], 'AR')?.phone, '5491144440101')
  t.equal(firstPhone(['11 5555-0101 (mamá)'], 'AR')?.phone, '5491155550101')
  t.equal(firstPhone(['43', '21'], 'AR'), undefined)
})
