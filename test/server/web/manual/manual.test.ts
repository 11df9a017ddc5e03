/** `/docs` serves the documents of the repository, and nothing else of it. */
import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import t from 'tap'
import { installErrorReply } from '#server/platform/http/plugins/error-reply.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import { renderDocument } from '#server/web/manual/render.ts'
import { mountManual } from '#server/web/manual/routes.ts'
import { toLanguage } from '#shared/kernel/language.ts'

const i18n = createServerI18n()
const translate = (...[language, key, params]: Parameters<Parameters<typeof mountManual>[1]['translate']>) =>
  i18n.translator(language)(key, params)
const app = Fastify()
app.decorateRequest('caller')
app.addHook('onRequest', async request => {
  const language = toLanguage(request.headers['accept-language']) ?? 'es'
  request.caller = { language, person: null, member: async () => undefined }
})
installErrorReply(app, { translate })
mountManual(app, { translate })
t.teardown(() => app.close())

const get = (url: string, language = 'en') => app.inject({ url, headers: { 'accept-language': language } })
const hrefsOf = (html: string) => [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = '']) => href)

t.test('the start page is README, in a frame of the language of the reader', async t => {
  const en = await get('/docs')
  t.equal(en.statusCode, 200)
  t.match(en.headers['content-type'], 'text/html')
  t.match(en.body, '<h1 id="recado">Recado</h1>')
  t.match(en.body, '<html lang="en">')
  const es = await get('/docs', 'es')
  t.match(es.body, '<html lang="es">')
  t.match(es.body, 'El manual está en inglés.')
  t.match(es.body, '<article lang="en">')
  t.equal((await get('/docs?lng=es')).body, es.body)
  t.equal((await get('/docs/')).body, en.body)
  t.notMatch(en.body, 'docs:', 'no text is missing')
})

t.test('every page runs nothing, and every link of it within this site leads somewhere', async t => {
  const todo = ['/docs']
  const pages = new Map<string, string>()
  for (let url = todo.pop(); url; url = todo.pop()) {
    if (pages.has(url)) continue
    const answer = await get(url)
    t.equal(answer.statusCode, 200, url)
    pages.set(url, answer.body)
    t.notMatch(answer.body, /<script|<[^>]+ on\w+=|<[^>]+ style=/, url)
    const style = /<style>([\s\S]*?)<\/style>/.exec(answer.body)?.[1] as string
    const hash = createHash('sha256').update(style).digest('base64')
    t.match(answer.headers['content-security-policy'], `style-src 'sha256-${hash}'`)
    t.match(answer.headers['content-security-policy'], "default-src 'none'")
    todo.push(
      ...hrefsOf(answer.body)
        .filter(href => /^\/docs(?:\/[\w-]+)?$/.test(href.split('#')[0] as string))
        .map(href => href.split('#')[0] as string),
    )
  }
  t.ok(pages.has('/docs/operate') && pages.has('/docs/glossary'))
  for (const [url, html] of pages)
    for (const href of hrefsOf(html)) {
      const [path = '', anchor] = href.split('#')
      if (/^https:/.test(href) || path === '/' || path === '/favicon.svg' || path.startsWith('/api/')) continue
      const target = path === '' ? url : path
      if (anchor) t.match(pages.get(target), ` id="${anchor}"`, `${url}: ${href}`)
      else t.equal((await get(target)).statusCode, 200, `${url}: ${href}`)
    }
})

t.test('nothing else of the repository is served', async t => {
  for (const url of [
    '/docs/readme',
    '/docs/server',
    '/docs/decisions',
    '/docs/..%2f..%2fpackage.json',
    '/docs/pictures/..%2foperate.md',
    '/docs/pictures/gone.webp',
    '/docs/pictures/',
  ])
    t.equal((await get(url)).statusCode, 404, url)
})

t.test('who has a page already is answered 304', async t => {
  const { headers } = await get('/docs/operate')
  const again = await app.inject({
    url: '/docs/operate',
    headers: { 'accept-language': 'en', 'if-none-match': headers.etag },
  })
  t.equal(again.statusCode, 304)
})

t.test('HTML of a document is shown as text, and links outside the manual are no links', async t => {
  const addressOf = (file: string) => (file === 'server/docs/other.md' ? '/docs/other' : undefined)
  const of = (markdown: string) => renderDocument(markdown, 'server/docs/one.md', addressOf).html
  t.equal(of('<script>alert(1)</script>\n').trim(), '&lt;script&gt;alert(1)&lt;/script&gt;')
  t.match(of('a <b onclick="x">b</b>'), '&lt;b onclick=&quot;x&quot;&gt;')
  t.equal(of('[x](javascript:alert(1))').trim(), '<p>x</p>')
  t.equal(of('[x](../README.md)').trim(), '<p>x</p>')
  t.equal(of('[x](other.md#two-words)').trim(), '<p><a href="/docs/other#two-words">x</a></p>')
  t.equal(of('![a "b"](x.svg)').trim(), '<p>a &quot;b&quot;</p>')
  t.match(of('## Two words'), '<h2 id="two-words">Two words</h2>')
  t.equal(renderDocument('# A & B\n', 'x.md', addressOf).title, 'A & B')
})
