import t from 'tap'
import { isUnknown, operatorsIn, scopeOf, withScope, withValue } from '#client/inbox/list/search/search-operators.ts'
import { parseSearch } from '#server/messaging/search/query.ts'

const lastOf = (typed: string) => {
  const last = operatorsIn(typed).at(-1)
  if (!last) throw new Error(`no operator in ${typed}`)
  return last
}

t.test('operators are found in both languages; the last one can be completed until something follows', async t => {
  t.match(lastOf('pan etiqueta:ma'), { name: 'tag', value: 'ma', isLast: true })
  t.match(lastOf('Después:'), { name: 'after', value: '', isLast: true })
  t.match(lastOf('tag:vip '), { name: 'tag', value: 'vip', isLast: false })
  t.match(lastOf('agent:"Ana P'), { name: 'agent', value: 'Ana P', isLast: true })
  t.same(operatorsIn('https://example.com a las 10:30 x:y'), [])
})

t.test('a chosen value takes the place of what was begun, in quotes if it has spaces', async t => {
  t.equal(withValue('pan etiqueta:ma', lastOf('pan etiqueta:ma'), 'Mayorista'), 'pan etiqueta:Mayorista ')
  const typed = withValue('etiqueta:"cli', lastOf('etiqueta:"cli'), 'Cliente frecuente')
  t.equal(typed, 'etiqueta:"Cliente frecuente" ')
  t.same(parseSearch(typed).tags, ['Cliente frecuente'], 'the server reads the same')
})

t.test('typographic quotes count as quotes, and a value that contains quotes is found by its beginning', async t => {
  t.match(lastOf('tag:“vip gold”'), { value: 'vip gold' })
  t.notOk(isUnknown(lastOf('tag:“vip gold”'), { tags: ['VIP Gold'] }))
  for (const label of ['10" pizza', 'vip “gold” club', 'a"b']) {
    const { tags, words } = parseSearch(withValue('tag:', lastOf('tag:'), label))
    t.ok(tags?.length === 1 && label.startsWith(tags[0] as string), label)
    t.equal(words, '', label)
  }
})

t.test('where to search is a word of the text, which the server reads', async t => {
  t.equal(scopeOf('pan'), 'all')
  const open = withScope('pan  estado:archivada', 'estado:abierta')
  t.equal(open, 'pan estado:abierta')
  t.equal(scopeOf(open), 'open')
  t.equal(parseSearch(open).archived, false)
  t.equal(scopeOf('status:archived'), 'archived')
  t.equal(withScope(open, ''), 'pan')
  t.equal(scopeOf('estado:fallido'), 'all', 'the status of a message')
})

t.test('a value that the server does not know is named, as soon as what is known is loaded', async t => {
  const known = { tags: ['Mayorista'], people: ['Ana Paz'] }
  const unknown = (typed: string, of = known) => isUnknown(lastOf(typed), of)
  t.notOk(unknown('etiqueta:mayo'))
  t.ok(unknown('etiqueta:otra'))
  t.notOk(isUnknown(lastOf('etiqueta:otra'), {}))
  t.notOk(unknown('agente:paz'))
  t.notOk(unknown('agente:bot'))
  t.ok(unknown('agente:luis'))
  t.notOk(unknown('antes:1/10/2026'))
  t.ok(unknown('antes:ayer'))
  for (const typed of ['tipo:foto', 'type:photo', 'tipo:ubicación', 'estado:leído', 'status:fail', 'estado:cola'])
    t.equal(unknown(typed), parseSearch(typed).words !== '', typed)
  const days = [
    '2026-02-28',
    '29/02/2028',
    '1-1-2026',
    '2026-02-31',
    '31/4/2026',
    '2026-13-01',
    '0/1/2026',
    '29-02-2026',
  ]
  for (const typed of ['tipo:nada', 'estado:xx', 'tipo:-', ...days.flatMap(day => [`antes:${day}`, `after:${day}`])])
    t.equal(unknown(typed), parseSearch(typed).words !== '', typed)
  t.ok(unknown('antes:2026-02-31'), 'no such day')
})

t.test('every value that is offered is known', async t => {
  for (const language of ['es', 'en'] as const) {
    const { default: texts } = await import(`../../../../../locales/${language}/inbox.json`, { with: { type: 'json' } })
    const { operator, values } = texts.search
    for (const name of ['type', 'status'] as const)
      for (const value of values[name].split(', '))
        t.equal(parseSearch(`${operator[name]}${value}`).words, '', `${operator[name]}${value}`)
  }
})
