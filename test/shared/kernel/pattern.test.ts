import fc from 'fast-check'
import t from 'tap'
import { compilePattern, type Pattern, patternLimits } from '#shared/kernel/pattern.ts'

const readyOf = (source: string): Pattern | undefined => {
  const made = compilePattern(source)
  return typeof made === 'string' ? undefined : made
}
const matches = (pattern: string, text: string) => readyOf(pattern)?.test(text)

t.test('a pattern matches anywhere in the text, like a regular expression', async t => {
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
    ['^.$', '\n'],
    ['^\\w+ \\w+$', 'José Ñandú'],
    ['^[\\w-]+$', 'día-ñ'],
    ['a\\sb', 'a\u00a0b'],
    ['\\bkilos\\b', 'quiero 20 kilos'],
    ['\\p{L}{3}', 'año'],
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

t.test('an invalid pattern, or one with unsupported syntax, is refused', async t => {
  for (const bad of [
    '(',
    ')',
    '[',
    '[]',
    '*a',
    'a{3,1}',
    'a{x}',
    '(a)\\1',
    '(?=a)',
    '(?i)a',
    '(?P<name>a)',
    '\\Qa\\E',
    '\\',
  ])
    t.equal(compilePattern(bad), 'unreadable', bad)
  for (const large of [
    'a{999}',
    '(((a{100}){100}){100})',
    '(.{0,100}){9}"0!',
    '(((((\\pL*\\pL*){3}){3}){3}){3}){3}',
    'a'.repeat(201),
  ])
    t.equal(compilePattern(large), 'tooLarge', large)
})

t.test('it agrees with JavaScript’s expressions wherever both can match', async t => {
  const letters = ['a', 'b', 'ab', '', 'aab', 'bba', 'abab']
  for (const pattern of ['(a|b)*ab', '^(a*b)+$', 'a?a?aa', '^(ab?){1,2}$', '[ab]{2}$', '^(a|ab)(b|ba)?$'])
    for (const text of letters)
      t.equal(matches(pattern, text), new RegExp(pattern).test(text), `${pattern} and "${text}"`)
})

t.test('a pattern that would backtrack for ever elsewhere ends here', async t => {
  t.equal(matches('^(a+)+$', `${'a'.repeat(900)}b`), false)
  t.equal(matches('^(a|a?)*c$', 'a'.repeat(1000)), false)
})

t.test('one pattern tested on many texts gives each the same result as alone', t => {
  const part = fc.constantFrom('a', 'b', 'a*', '(a|b)', '(ab)?', '[ab]', 'b{1,2}', '(a|ba)+', '.', '^', '$', '|')
  const source = fc.array(part, { maxLength: 6 }).map(parts => parts.join(''))
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'ñ', '😀', 'x'), maxLength: 12 }), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(source, texts, (pattern, said) => {
      const ready = readyOf(pattern)
      const wanted = new RegExp(pattern, 'u')
      return ready !== undefined && said.every(text => ready.test(text) === wanted.test(text))
    }),
    { numRuns: 2000 },
  )
  t.end()
})

t.test('a pattern costs no more than its limit, for any text', async t => {
  const beyond = 'a'.repeat(patternLimits.readChars + 500)
  const ready = readyOf('(a|b)*a(a|b){90}[cd]') as Pattern
  t.equal(ready.steps(beyond), ready.steps('a'.repeat(patternLimits.readChars)))
  t.notOk(
    ready.test(`${'x'.repeat(patternLimits.readChars)}${'a'.repeat(100)}c`),
    'what stands behind is not looked at',
  )
  // Texts that each make the engine keep different states, so its cache is emptied repeatedly.
  const began = process.cpuUsage()
  for (let round = 0; round < 20; round += 1)
    ready.test(Array.from({ length: 1000 }, (_, i) => 'ab'[((i * (round + 7)) % 11) % 2]).join(''))
  const { user } = process.cpuUsage(began)
  t.ok(user / 20 < 60_000, `${user / 20} µs each`)
})
