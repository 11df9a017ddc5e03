import fc from 'fast-check'
import t from 'tap'
import { compilePattern } from '#shared/linear-pattern.ts'

const matches = (pattern: string, text: string) => compilePattern(pattern)?.test(text)

t.test('a pattern is found anywhere in the text, as elsewhere', async t => {
  for (const [pattern, text] of [
    ['hola', 'buenas, hola'],
    ['^hola$', 'hola'],
    ['(pedido|orden) ?[0-9]{2,4}', 'mi orden 123'],
    ['a{0,2}b', 'b'],
    ['^a+?b*$', 'aaa'],
    ['\\d+ (kilos?|kg)\\b'.replace('\\b', ''), 'quiero 20 kg'],
    ['[^a-c]x', 'dx'],
    ['[a\\]]', ']'],
    ['', ''],
    ['(|a)b', 'b'],
    ['^.$', '😀'],
  ] as const)
    t.equal(matches(pattern, text), true, `${pattern} in ${text}`)
  for (const [pattern, text] of [
    ['^hola$', 'hola!'],
    ['[0-9]{3}', '12'],
    ['a{2}$', 'a'],
    ['[^a-c]x', 'bx'],
    ['\\.', 'a'],
  ] as const)
    t.equal(matches(pattern, text), false, `${pattern} not in ${text}`)
})

t.test('what is no pattern, or means what is not to be had, is none', async t => {
  for (const bad of [
    '(',
    ')',
    '[',
    '[]',
    '*a',
    'a{3,1}',
    'a{x}',
    'a{999}',
    '(a)\\1',
    '(?=a)',
    '\\b',
    '\\',
    '(((a{100}){100}){100})',
  ])
    t.equal(compilePattern(bad), undefined, bad)
  t.equal(compilePattern('('.repeat(40) + ')'.repeat(40)), undefined)
})

t.test('it agrees with the language wherever both can match', async t => {
  const letters = ['a', 'b', 'ab', '', 'aab', 'bba', 'abab']
  for (const pattern of ['(a|b)*ab', '^(a*b)+$', 'a?a?aa', '^(ab?){1,2}$', '[ab]{2}$', '^(a|ab)(b|ba)?$'])
    for (const text of letters)
      t.equal(matches(pattern, text), new RegExp(pattern).test(text), `${pattern} and "${text}"`)
})

t.test('a pattern that would try for ever elsewhere ends here', async t => {
  t.equal(matches('^(a+)+$', `${'a'.repeat(1000)}b`), false)
  t.equal(matches('^(a|a?)*c$', 'a'.repeat(1000)), false)
})

t.test('one pattern is asked of many texts, and each answer is as if it were the first', t => {
  const part = fc.constantFrom('a', 'b', 'a*', '(a|b)', '(ab)?', '[ab]', 'b{1,2}', '(a|ba)+', '.', '^', '$', '|')
  const source = fc.array(part, { maxLength: 6 }).map(parts => parts.join(''))
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'ñ', '😀', 'x'), maxLength: 12 }), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(source, texts, (pattern, said) => {
      const ready = compilePattern(pattern)
      const wanted = new RegExp(pattern, 'u')
      return ready !== undefined && said.every(text => ready.test(text) === wanted.test(text))
    }),
    { numRuns: 2000 },
  )
  t.end()
})

t.test('what is kept of a pattern is bounded, and it goes on being right', async t => {
  const ready = compilePattern('^x.y$')
  for (let code = 0x4e00; code < 0x4e00 + 1000; code += 1) {
    const letter = String.fromCodePoint(code)
    if (!ready?.test(`x${letter}y`) || ready.test(`x${letter}z`)) return t.fail(letter)
  }
  t.pass()
})
