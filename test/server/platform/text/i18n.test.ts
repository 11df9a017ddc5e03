import t from 'tap'
import { createServerI18n, languageOf } from '#server/platform/text/i18n.ts'

const i18n = createServerI18n()

t.test('the server translates into every language', async t => {
  t.equal(i18n.translator('es')('shell:notFound.title'), 'Página no encontrada.')
  t.equal(i18n.translator('en')('shell:notFound.title'), 'Page not found.')
  t.equal(
    i18n.translator('es')('shell:error.request', { id: 'req-1' }),
    'Si vuelve a pasar, mencioná este número: req-1',
  )
})

t.test('an instance never changes its language', async t => {
  const es = i18n.instance('es')
  const en = i18n.instance('en')
  t.not(es, en)
  t.equal(es.language, 'es')
  t.equal(en.language, 'en')
  t.equal(es.t('common:close'), 'Cerrar')
})

t.test('a text with a count is right, however often and in whatever order it is requested', async t => {
  const say = i18n.instance('es').getFixedT(null, 'inbox') as unknown as (key: string, params?: object) => string
  for (const round of [1, 2]) {
    t.equal(say('row.unread', { count: 1 }), '1 mensaje sin leer', `round ${round}`)
    t.equal(say('row.unread', { count: 2 }), '2 mensajes sin leer')
    t.equal(say('row.unread', { count: 1_000 }), '1000 mensajes sin leer')
  }
})

t.test('texts are served by language and namespace only', async t => {
  t.match(i18n.json('es', 'common'), /"close":"Cerrar"/)
  for (const [language, namespace] of [
    ['fr', 'common'],
    ['es', '../package'],
    ['__proto__', 'x'],
  ] as const)
    t.equal(i18n.json(language, namespace), undefined)
})

t.test('the language comes from query, cookie, browser, otherwise English', async t => {
  const of = (lng?: string, cookie?: string, accept?: string) =>
    languageOf({ query: { lng }, cookies: { i18next: cookie }, headers: { 'accept-language': accept } })
  t.equal(of('es-AR', 'en', 'en'), 'es')
  t.equal(of('fr', 'es', 'en'), 'es')
  t.equal(of(undefined, undefined, 'pt-BR, es-MX;q=0.4, en;q=0.2'), 'es')
  t.equal(of(undefined, undefined, 'es;q=0, en;q=0.1'), 'en')
  t.equal(of(undefined, undefined, ';;q=,,'), 'en')
  t.equal(of(), 'en')
  t.equal(languageOf({ query: { lng: ['es', 'en'] }, headers: {} }), 'en', 'a repeated parameter is ignored')
})
