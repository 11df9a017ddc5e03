import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { applyDelivery } from '#server/messaging/messages/delivery/delivery.ts'
import type { AnyService } from '#server/platform/http/http.ts'
import { aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { putBack } from '#test/helpers/environment.ts'
import { graphOf, onHello } from '#test/helpers/flow-stage.ts'
import { composeOn } from '#test/helpers/inbox.ts'
import { buildProductPages } from '#test/helpers/pages.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { aSite, siteCustomer, type WebOptions, webApp } from '#test/helpers/web.ts'

t.setTimeout(fileTimeoutMs)

// Vite says it of the whole process.
putBack(t, 'NODE_ENV')

const built = await buildProductPages()
t.teardown(() => built.remove())

const site = await aSite()

/** Pages are long: a failure names the pattern and not the page. */
const has = (t: Test, body: string, pattern: RegExp) => t.ok(pattern.test(body), `has ${pattern}`)
const lacks = (t: Test, body: string, pattern: RegExp) => t.notOk(pattern.test(body), `lacks ${pattern}`)

const stage = async (t: Test, options: Partial<WebOptions> = {}) => {
  const faults: unknown[] = []
  const onLog = (line: Record<string, unknown>) => {
    if (Number(line.level) >= 40) faults.push(line)
  }
  const app = await webApp({ ...built, on: site, onLog, ...options })
  t.teardown(() => app.close())
  const visit = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { 'accept-language': 'es-AR', ...headers } })
  return { app, visit, ana: (url: string) => visit(url, { cookie: site.cookie }), faults }
}

t.test('the place of the stream is read before anything of the page, so that no event falls in between', async t => {
  for (const url of [
    '/org/don-luis/c',
    `/org/don-luis/c/${siteCustomer}`,
    '/org/don-luis',
    '/org/don-luis/integrations',
  ]) {
    const read: string[] = []
    /** These calls of a service, which say that they were asked. */
    const recorded = (service: object, ...names: string[]) =>
      Object.fromEntries(
        (Object.entries(service) as [string, AnyService[string]][])
          .filter(([name]) => names.includes(name))
          .map(([name, run]) => [
            name,
            (...asked: Parameters<typeof run>) => {
              read.push(name)
              return run(...asked)
            },
          ]),
      )
    const { live, inbox, numbers, members, notifications } = site.parts.services
    const { ana } = await stage(t, {
      replaced: {
        live: {
          place: async (...asked: Parameters<typeof live.place>) => {
            read.push('asked for the place')
            // Whatever does not wait for it is asked by now.
            for (let i = 0; i < 50; i += 1) await new Promise(resolve => setImmediate(resolve))
            read.push('place')
            return live.place(...asked)
          },
        },
        inbox: recorded(inbox, 'listConversations', 'getConversation', 'listMessages'),
        numbers: recorded(numbers, 'getWaba', 'getConnection'),
        members: recorded(members, 'getOrganization', 'listMembers'),
        notifications: recorded(notifications, 'summary'),
      },
    })
    await ana(url)
    t.same(read.slice(0, 2), ['asked for the place', 'place'], url)
    t.ok(read.length > 2, `${url} reads something`)
    t.equal(read.filter(name => name === 'place').length, 1, 'once')
  }
})

t.test('the guard answers before any byte of the refused page', async t => {
  const { visit, ana } = await stage(t)
  const stranger = await visit('/org/don-luis/c?tag=1')
  t.match(
    [stranger.statusCode, stranger.headers.location, stranger.body],
    [302, '/login?returnTo=%2Forg%2Fdon-luis%2Fc%3Ftag%3D1', ''],
  )
  const other = await ana('/org/somebody-elses/c')
  t.match([other.statusCode, other.headers.location, other.body], [302, '/unauthorized', ''])
  const unknown = await ana('/org/nobodys/c')
  t.match(
    [unknown.statusCode, unknown.headers.location],
    [302, '/unauthorized'],
    'not there and not yours look the same',
  )
  const byId = await ana(`/org/${site.orgId}/c?tag=1`)
  t.match([byId.statusCode, byId.headers.location], [302, '/org/don-luis/c?tag=1'], 'an id ends on its slug')
  const signedIn = await ana('/login?returnTo=https://evil.example')
  t.match([signedIn.statusCode, signedIn.headers.location], [302, '/org/don-luis/c'], 'back only inside this site')
  t.equal((await ana('/')).headers.location, '/org/don-luis/c')
  t.equal((await visit('/org/don-luis')).headers.location, '/org/don-luis/login', "the organization's own sign-in")
  t.equal((await visit('/org/don-luis/')).headers.location, '/org/don-luis/login')
  t.equal((await visit('/company-creation')).headers.location, '/login?returnTo=%2Fcompany-creation')
  t.equal((await ana('/company-creation?org=norte')).headers.location, '/unauthorized', 'a viewer connects nothing')
})

t.test('public pages are answered to visitors without an account', async t => {
  const { visit, faults } = await stage(t)
  for (const url of ['/', '/login', '/org/don-luis/login', '/unauthorized']) {
    const reply = await visit(url)
    t.equal(reply.statusCode, 200, url)
    has(t, reply.body, /<h1/)
  }
  has(t, (await visit('/login')).body, /<noscript>.*JavaScript/)
  t.same(faults, [])
})

t.test('an empty installation tells how to begin', async t => {
  const parts = composeOn(await freshDatabases(), handClock())
  const { visit } = await stage(t, { on: { parts } })
  has(t, (await visit('/')).body, /Recado está listo para empezar/)
})

t.test('other spellings of an address end below /org/{slug}', async t => {
  const { visit, ana } = await stage(t)
  const ends = async (url: string) => (await ana(url)).headers.location
  const { orgId, norteId } = site
  const cases = {
    [`/${orgId}/don-luis/stats`]: '/org/don-luis/stats',
    '/don-luis/don-luis/integrations?x=1': '/org/don-luis/integrations?x=1',
    [`/${orgId}/don-luis/settings`]: '/org/don-luis/settings',
    [`/${orgId}/template/recado`]: '/org/don-luis/template',
    '/don-luis/flow/f-1': '/org/don-luis/flow/f-1',
    [`/${norteId}/don-luis/stats`]: '/unauthorized',
    [`/${orgId}/nobodys/stats`]: '/unauthorized',
    '/nobodys/template/recado': '/unauthorized',
    [`/org/${orgId}`]: '/org/don-luis',
    [`/org/${orgId}/settings/profile`]: '/org/don-luis/settings/profile',
  }
  for (const [from, to] of Object.entries(cases)) t.equal(await ends(from), to, from)
  t.equal(
    (await visit(`/${orgId}/template/recado`)).headers.location,
    `/login?returnTo=%2F${orgId}%2Ftemplate%2Frecado`,
  )
  t.equal((await ana(`/${orgId}/template/Recado2`)).statusCode, 404, 'only the exact key')
})

t.test('a page the role does not open leads to who can change that', async t => {
  const { ana, visit } = await stage(t)
  t.equal((await ana('/org/norte/integrations')).headers.location, '/unauthorized?need=integration%3Amanage')
  t.equal((await ana('/org/norte/c/masive')).headers.location, '/unauthorized?need=bulk%3Asend')
  has(t, (await visit('/unauthorized?need=stats:read')).body, /Propietario, Administrador/)
  lacks(t, (await visit('/unauthorized?need=<script>alert(1)</script>')).body, /<script>alert/)
})

t.test('the sidebar is as it was left, in the first byte', async t => {
  const { visit } = await stage(t)
  const left = async (cookie: string) =>
    /data-sidebar="(\w+)"/.exec((await visit('/org/don-luis/c', { cookie: `${site.cookie}; ${cookie}` })).body)?.[1]
  t.equal(await left('x=1'), 'auto')
  t.equal(await left('sidebar:state=true'), 'wide')
  t.equal(await left('sidebar:state=false'), 'icons')
  t.equal(await left('sidebar:state="><script>'), 'auto')
  t.equal(await left('sidebar:state=%E0%A4%A'), 'auto')
})

t.test('a contact beside the chat has its place in the first byte until somebody closes it', async t => {
  const { visit } = await stage(t)
  const at = async (path: string, cookie: string) =>
    /data-contact="(\w+)"/.exec((await visit(path, { cookie: `${site.cookie}; ${cookie}` })).body)?.[1]
  const chat = `/org/don-luis/c/${siteCustomer}`
  t.equal(await at(chat, 'x=1'), 'true')
  t.equal(await at(chat, 'contact:side=true'), 'true')
  t.equal(await at(chat, 'contact:side=false'), 'false')
  t.equal(await at(chat, 'contact:side="><script>'), 'true')
  t.equal(await at('/org/don-luis/c', 'x=1'), 'false', 'no chat, no contact')
})

t.test('a page is answered although the count of notifications fails', async t => {
  const broken = () => {
    throw new Error('broken')
  }
  const { ana } = await stage(t, { replaced: { notifications: { summary: broken } } })
  const reply = await ana('/org/don-luis/c')
  t.equal(reply.statusCode, 200)
  has(t, reply.body, /id="sidebar"/)
})

t.test('an unknown address is 404 with the words for it, inside the shell too', async t => {
  const { visit, ana } = await stage(t)
  for (const reply of [await visit('/nada'), await ana('/org/don-luis/nada')]) {
    t.equal(reply.statusCode, 404)
    has(t, reply.body, />404</)
    has(t, reply.body, /Página no encontrada\./)
    has(t, reply.body, /Lo sentimos, no podemos encontrar la página que buscas\./)
    has(t, reply.body, /Volver al inicio/)
  }
  has(t, (await ana('/org/don-luis/nada')).body, /id="sidebar".*Página no encontrada/s)
})

t.test('a number that never wrote is 404 in the words of the inbox, beside the list, with the way back', async t => {
  const { ana } = await stage(t)
  for (const [address, lng, sentence, back] of [
    ['5491100000000', 'es', 'Todavía no hay un chat con el [+0-9\u00a0\u2011]+\\.', 'Volver a la lista'],
    ['5491100000000', 'en', 'You have no chat with [+0-9\u00a0\u2011]+ yet\\.', 'Back to the list'],
    ['1m8ac4ry83wt4qtamgmdgxxn', 'es', 'No hay ningún chat con ese número.', 'Volver a la lista'],
    ['1m8ac4ry83wt4qtamgmdgxxn', 'en', 'There is no chat with that number.', 'Back to the list'],
  ] as const) {
    const reply = await ana(`/org/don-luis/c/${address}?lng=${lng}`)
    t.equal(reply.statusCode, 404)
    has(
      t,
      reply.body,
      new RegExp(`class="inbox" data-open="true".*${sentence}.*href="/org/don-luis/c[?"][^>]*>${back}<`, 's'),
    )
    t.notMatch(reply.body, />404</)
  }
})

t.test('a message that failed because of the number links members who can fix it to its connection', async t => {
  const own = await aSite()
  // The organization keeps an owner when Ana is none.
  await aMember({ databases: own.databases, org: own.ana.org })
  const body = { numberTel: siteCustomer, message: 'Hola' }
  const { id } = await own.inbox.sendMessage(own.ana.member, { body })
  const at = own.clock.now().toISOString()
  await own.write(write => applyDelivery(write, { messageId: id }, { kind: 'failed', code: '190', at }, own))
  const thread = async (status: 'connected' | 'reauthorise', role: 'owner' | 'viewer') => {
    await own.databases.write.updateTable('wa_connection').set({ status }).execute()
    await own.databases.write.updateTable('member').set({ role }).where('userId', '=', own.ana.user.id).execute()
    const { visit } = await stage(t, { on: own })
    const { body } = await visit(`/org/don-luis/c/${siteCustomer}?lng=es`, { cookie: own.cookie })
    return /class="failure">.*?<\/div>/s.exec(body)?.[0] ?? ''
  }
  const note = await thread('reauthorise', 'owner')
  has(t, note, /WhatsApp no acept.*href="\/org\/don-luis\/integrations"[^>]*>Ver la conexión</s)
  const working = await thread('connected', 'owner')
  has(t, working, /WhatsApp no acept/)
  t.notMatch(working, /integrations/)
  const viewers = await thread('reauthorise', 'viewer')
  has(t, viewers, /WhatsApp no acept/)
  t.notMatch(viewers, /integrations/, 'a viewer has no such page')
})

t.test('addresses of programs never get a page', async t => {
  const { visit } = await stage(t)
  for (const url of ['/api/nothing', '/webhooks/nothing', '/sandbox/nothing', '/healthz/x', '/locales/es/nothing.json'])
    t.match([(await visit(url)).statusCode, (await visit(url)).headers['content-type']], [404, /json/], url)
  t.notMatch((await visit('/assets/nothing.js')).headers['content-type'], /html/)
})

t.test('the theme is right in the first byte', async t => {
  const { visit } = await stage(t)
  has(
    t,
    (await visit('/login', { cookie: 'vite-ui-theme=dark' })).body,
    /^<!DOCTYPE html><html lang="es" data-theme="dark"/,
  )
  has(t, (await visit('/login', { cookie: 'vite-ui-theme=light' })).body, /data-theme="light"/)
  has(t, (await visit('/login', { cookie: 'vite-ui-theme="><script>' })).body, /data-theme="system"/)
})

t.test("the language is query, cookie, browser, English, and one visitor has no part in another's", async t => {
  const { visit } = await stage(t)
  const lang = async (url: string, headers: Record<string, string>) =>
    /<html lang="(..)"/.exec((await visit(url, headers)).body)?.[1]
  t.equal(await lang('/login?lng=en', { cookie: 'i18next=es' }), 'en')
  t.equal(await lang('/login', { cookie: 'i18next=en' }), 'en')
  t.equal(await lang('/login', { 'accept-language': 'fr, en;q=0.5, es;q=0.8' }), 'es')
  t.equal(await lang('/login', { 'accept-language': 'fr' }), 'en')
  const both = await Promise.all(
    Array.from({ length: 20 }, (_, i) => visit('/login', { cookie: `i18next=${i % 2 ? 'es' : 'en'}` })),
  )
  for (const [i, reply] of both.entries())
    has(t, reply.body, i % 2 ? /Entrá con tu correo/ : /Sign in with your e-mail/)
})

t.test('a page brings the texts it needs and no others', async t => {
  const { visit } = await stage(t)
  const { body } = await visit('/login')
  has(t, body, /"texts":\{"common":.*"auth":/)
  lacks(t, body, /"inbox":|"orgs":/)
})

t.test("Meta's dialog may be opened by one page, where it is set up and Meta's, and by no other", async t => {
  const facebook = { appId: '67', configId: '12', version: 'v25.0', isSimulated: false }
  const own = '/org/don-luis/settings/whatsapp/facebook'
  const policyAt = async (options: Parameters<typeof stage>[1], url: string) => {
    const { ana } = await stage(t, options)
    const { headers } = await ana(url)
    return { policy: String(headers['content-security-policy']), opener: headers['cross-origin-opener-policy'] }
  }
  const facts = { empty: false, signup: 'first', sandbox: true } as const
  const open = await policyAt({ facts: { ...facts, facebook } }, own)
  t.match(open.policy, /frame-src https:\/\/\*\.facebook\.com/)
  t.match(open.policy, /script-src 'nonce-[^']+' 'strict-dynamic';/, 'and still no script without its nonce')
  t.equal(open.opener, 'same-origin-allow-popups')
  for (const [what, options, url] of [
    ['another page', { facts: { ...facts, facebook } }, '/org/don-luis/settings/whatsapp'],
    ['a longer address', { facts: { ...facts, facebook } }, `${own}s`],
    ['the simulator plays it', { facts: { ...facts, facebook: { ...facebook, isSimulated: true } } }, own],
    ['it is not set up', { facts: { ...facts, facebook: null } }, own],
  ] as const) {
    const shut = await policyAt(options, url)
    t.notMatch(shut.policy, /facebook/, what)
    t.equal(shut.opener, 'same-origin', what)
  }
})

t.test("the policy lets nothing run or style without this reply's nonce", async t => {
  const { ana } = await stage(t)
  const [first, second] = [await ana('/org/don-luis/c'), await ana('/org/don-luis/c')]
  const policy = String(first.headers['content-security-policy'])
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
  t.ok(nonce.length >= 22)
  t.notOk(String(second.headers['content-security-policy']).includes(nonce), 'a nonce serves once')
  t.notMatch(policy, /unsafe|\*/)
  for (const directive of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"])
    t.match(policy, directive)
  for (const [tag] of first.body.matchAll(/<(?:script|style)\b[^>]*>/g))
    if (!tag.includes('type="application/json"')) t.match(tag, `nonce="${nonce}"`)
  lacks(t, first.body, /<[^>]+ style="/)
  lacks(t, first.body, /<[^>]+ on[a-z]+="/)
  t.equal(first.headers['cache-control'], 'no-store')
  t.equal(first.headers['x-content-type-options'], 'nosniff')
})

t.test('hot pages carry no styling engine in their first HTML', async t => {
  const { ana } = await stage(t)
  lacks(t, (await ana('/org/don-luis/c')).body, /data-emotion|class="[^"]*Mui/)
})

t.test('where there is room to draw, the canvas is fetched along with the page of a flow', async t => {
  const { visit } = await stage(t)
  const graph = graphOf([{ id: 'm', type: 'message', text: 'Hola' }], [['s', 'next', 'm']])
  const body = { name: 'Bienvenida', graph, triggers: onHello }
  const { id } = await site.parts.services.flows.create(site.ana.member, { body })
  const wideOf = async (cookie: string) => {
    const { body } = await visit(`/org/don-luis/flow/${id}`, { cookie })
    return /\],(\[[^\]]*\]),\d+\)<\/script>/.exec(body)?.[1] ?? 'no list'
  }
  t.match(await wideOf(site.cookie), /assets\/canvas-/)
  t.equal(await wideOf(`${site.cookie}; flow:view=outline`), '[]', 'not for who chose the list')
})

t.test('what a page fetches exists, is precompressed and may be kept for ever', async t => {
  const { app, ana } = await stage(t)
  const { body } = await ana('/org/don-luis/c')
  const files = [...body.matchAll(/"\/(assets\/[^"]+)"/g)].map(match => match[1] as string)
  t.ok(files.filter(name => name.endsWith('.js')).length > 3)
  t.ok(files.filter(name => name.endsWith('.css')).length > 1)
  for (const name of files) t.ok(existsSync(join(built.clientDir, name)), name)
  const run = Number(/\],(\d+)\)<\/script>/.exec(body)?.[1])
  const inTurn = files
    .filter(name => name.endsWith('.js'))
    .slice(0, run)
    .map(name => /assets\/(.+)-[\w-]{8}\.js$/.exec(name)?.[1])
  t.same(inTurn.slice(-4), ['react', 'libraries', 'frame', 'entry.client'], 'each in a turn of its own')
  const largest = files.find(name => /react-.*\.js$/.test(name)) ?? ''
  const reply = await app.inject({ url: `/${largest}`, headers: { 'accept-encoding': 'gzip, br' } })
  t.equal(reply.headers['content-encoding'], 'br')
  t.match(reply.headers['cache-control'], /max-age=31536000, immutable/)
  t.match(reply.headers['content-type'], /javascript/)
})

t.test('texts are served under their version for ever, else for minutes', async t => {
  const { visit } = await stage(t)
  const version = /"localesVersion":"([^"]+)"/.exec((await visit('/login')).body)?.[1]
  const kept = await visit(`/locales/es/auth.json?v=${version}`)
  t.match(kept.headers['cache-control'], /immutable/)
  t.equal(kept.json().login.title, 'Entrar')
  const plain = await visit('/locales/es/auth.json')
  t.equal(plain.headers['cache-control'], 'public, max-age=300')
  t.equal((await visit('/locales/es/auth.json', { 'if-none-match': String(plain.headers.etag) })).statusCode, 304)
  t.equal((await visit('/locales/es/..%2f..%2fpackage.json')).statusCode, 404)
})

t.test('on https choices of taste are read from cookies of this very host alone', async t => {
  const { visit } = await stage(t, { publicUrl: 'https://recado.example' })
  has(t, (await visit('/login', { cookie: '__Host-vite-ui-theme=dark' })).body, /data-theme="dark"/)
  has(t, (await visit('/login', { cookie: 'vite-ui-theme=dark' })).body, /data-theme="system"/)
  const plain = await stage(t)
  has(t, (await plain.visit('/login', { cookie: '__Host-vite-ui-theme=dark' })).body, /data-theme="system"/)
})

t.test('on https the browser is told to stay there', async t => {
  const { visit } = await stage(t, { publicUrl: 'https://recado.example' })
  t.match((await visit('/login')).headers['strict-transport-security'], /^max-age=31536000$/)
  const plain = await stage(t)
  t.equal((await plain.visit('/login')).headers['strict-transport-security'], undefined)
})

t.test('addresses that look like another site, or like none, are answered as paths of this one', async t => {
  const { visit, ana, faults } = await stage(t)
  for (const url of [
    '//',
    '///',
    '//evil.example',
    '//evil.example/org/don-luis/c',
    '//evil.example:99999/',
    '/\\evil',
    '//[',
    '/assets/',
  ])
    for (const reply of [await visit(url), await ana(url)]) {
      t.ok(reply.statusCode < 500, `${url}: ${reply.statusCode}`)
      t.notMatch(String(reply.headers.location ?? ''), /evil|^\/\//, url)
    }
  t.equal((await ana('/login?returnTo=/org/don-luis/c?search=ж👍')).statusCode, 302)
  t.strictSame(faults, [])
})

t.test('a page under a locked database is 503 with the time to come back, not a failure of ours', async t => {
  const locked = () => {
    throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
  }
  const loader = await stage(t, { replaced: { orgs: { getViewer: locked } } })
  const page = await loader.ana('/org/don-luis/c')
  t.match([page.statusCode, page.headers['retry-after'], page.headers['content-type']], [503, '5', /^text\/html/])
  t.equal((await loader.visit('/api/none')).statusCode, 404, 'programs are not told by pages')

  const before = await stage(t, { facts: locked })
  const plain = await before.visit('/login')
  t.match([plain.statusCode, plain.headers['retry-after'], plain.headers['content-type']], [503, '5', /^text\/html/])
  has(t, plain.body, /<h1>/)
  lacks(t, plain.body, /locked/)
})
