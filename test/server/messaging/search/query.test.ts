import fc from 'fast-check'
import t from 'tap'
import { parseSearch } from '#server/messaging/search/query.ts'

const nothing = { words: '', without: [], from: [], tags: [], agents: [], types: [], statuses: [] }

t.test('each operator is understood in both languages, without accents or case, and in quotes', async t => {
  for (const [typed, understood] of [
    ['de:lucía', { from: ['lucía'] }],
    ['FROM:lucía', { from: ['lucía'] }],
    ['etiqueta:"cliente vip"', { tags: ['cliente vip'] }],
    ['tag:“cliente vip', { tags: ['cliente vip'] }],
    ['agente:Ana agent:bot', { agents: ['Ana', 'bot'] }],
    ['tipo:foto', { types: ['image'] }],
    ['type:DOCUMENT', { types: ['document'] }],
    ['tipo:ubi', { types: ['location'] }],
    ['estado:leído status:failed', { statuses: ['read', 'failed'] }],
    ['estado:archivada', { archived: true }],
    ['status:open', { archived: false }],
    ['antes:2026-10-01', { before: '2026-10-01' }],
    ['before:1/10/2026', { before: '2026-10-01' }],
    ['después:2026-9-3', { after: '2026-09-03' }],
    ['despues:2026-09-03 after:2026-09-05', { after: '2026-09-05' }],
    ['torta  de:lucía de chocolate', { words: 'torta de chocolate', from: ['lucía'] }],
  ] as const)
    t.same(parseSearch(typed), { ...nothing, ...understood }, typed)
})

t.test('unknown syntax is treated as words and is never refused', async t => {
  for (const typed of [
    'tipo:nada',
    'antes:ayer',
    'antes:2026-02-30',
    'https://example.com/a?b=c',
    'nota:importante',
    '12:30',
    'tipo:constructor estado:__proto__',
    ':::',
  ])
    t.same(parseSearch(typed), { ...nothing, words: typed }, typed)
})

t.test('an operator without a value is ignored', async t => {
  for (const typed of ['pan de:', 'estado: pan', 'pan etiqueta:""', 'de: pan TIPO:'])
    t.same(parseSearch(typed), { ...nothing, words: 'pan' }, typed)
})

const operator = fc.constantFrom('de', 'etiqueta', 'agente', 'tipo', 'estado', 'antes', 'después', 'from', 'x', '')
const value = fc.oneof(fc.constantFrom('foto', 'vip', '2026-10-01', '"a b"', '"', ''), fc.string({ unit: 'binary' }))
const typed = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.tuple(operator, value).map(([name, of]) => `${name}:${of}`),
    ),
  )
  .map(parts => parts.join(' ').slice(0, 200))

t.test('any input has a meaning, contained in the input, and without operators it is its words', async t => {
  fc.assert(
    fc.property(typed, text => {
      const query = parseSearch(text)
      const { from, tags, agents, words } = query
      t.ok([...from, ...tags, ...agents].every(one => text.includes(one) && /[\p{L}\p{N}]/u.test(one)))
      t.ok(words.split(' ').every(word => text.includes(word)))
      t.ok([query.before, query.after].every(day => day === undefined || /^\d{4}-\d\d-\d\d$/.test(day)))
      const plain = text.replaceAll(/[:-]/g, ' ')
      t.same(parseSearch(plain), { ...nothing, words: plain.trim().split(/\s+/u).join(' ') })
    }),
    { numRuns: 300 },
  )
})

t.test('no text takes long to parse', async t => {
  const began = process.cpuUsage().user
  for (const text of ['"', 'de:"', 'tipo:', 'a:', '::', '“”', 'de:a '])
    parseSearch(text.repeat(200 / text.length).slice(0, 200))
  t.ok(process.cpuUsage().user - began < 50_000, 'microseconds')
})

t.test('a word after a dash is excluded, also beside operators; a dash elsewhere is part of the text', async t => {
  t.match(parseSearch('pan -integral -Salvado'), { words: 'pan', without: ['integral', 'Salvado'] })
  t.match(parseSearch('tipo:foto -torta'), { words: '', without: ['torta'], types: ['image'] })
  t.match(parseSearch('lunes - martes 5555-0101 e-mail'), { words: 'lunes - martes 5555-0101 e-mail', without: [] })
  t.match(parseSearch('-pan'), { words: '-pan', without: [] }, 'of nothing there is nothing to leave out')
})
