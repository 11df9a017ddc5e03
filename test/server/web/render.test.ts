import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import t, { type Test } from 'tap'
import { appErrors } from '#server/platform/http/errors.ts'
import { putBack } from '#test/helpers/environment.ts'
import { buildFixturePages } from '#test/helpers/pages.ts'
import { aSite, type WebOptions, webApp } from '#test/helpers/web.ts'

// Vite says it of the whole process.
putBack(t, 'NODE_ENV')

const built = await buildFixturePages()
t.teardown(() => built.remove())

const site = await aSite('Martín </script><b>Torres')
const { inbox } = site.parts.services

/**
 * Asks again while the answer came too late for the few milliseconds that a page waits for it, which happens where the
 * machine is busy. A page that is never in time is given back as it is.
 */
const inTime = async <T>(ask: () => Promise<T>, isInTime: (reply: T) => boolean): Promise<T> => {
  let reply = await ask()
  for (let tries = 1; tries < 10 && !isInTime(reply); tries += 1) reply = await ask()
  return reply
}

/** A gate in the hand: answers when it is opened. */
const gate = () => {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}

/** The list, once this has ended. */
const listAfter = (opened: Promise<void>) => ({
  inbox: {
    listConversations: async (...asked: Parameters<typeof inbox.listConversations>) => {
      await opened
      return inbox.listConversations(...asked)
    },
  },
})

const stage = async (t: Test, options: Partial<WebOptions> = {}) => {
  const logged: Record<string, unknown>[] = []
  const endings: unknown[] = []
  const wakers: (() => void)[] = []
  const onLog = (line: Record<string, unknown>) => {
    if (Number(line.level) >= 40) logged.push(line)
    if (line.msg === 'page ended') endings.push(line.ending)
    for (const wake of wakers) wake()
  }
  const nextEnding = async () => {
    while (endings.length === 0) await new Promise<void>(resolve => wakers.push(resolve))
    return endings.shift()
  }
  const app = await webApp({ ...built, on: site, onLog, ...options })
  t.teardown(() => app.close())
  const ana = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { cookie: site.cookie, 'accept-language': 'es', ...headers } })
  const address = async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  }
  return { app, ana, logged, address, nextEnding }
}

/** Reads a page piece by piece as a browser would. */
const reading = (url: string) => {
  let text = ''
  const waiters: (() => void)[] = []
  const request = get(url, { headers: { cookie: site.cookie } })
  const ended = new Promise<string>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', response => {
      response.setEncoding('utf8')
      response.on('data', piece => {
        text += piece
        for (const wake of waiters) wake()
      })
      response.on('end', () => resolve(text))
      response.on('error', reject)
    })
  })
  const until = async (part: string) => {
    while (!text.includes(part)) await new Promise<void>(resolve => waiters.push(resolve))
    return text
  }
  return { until, ended, request }
}

t.test('what is there at once is in the first markup, whole without scripts', async t => {
  const listConversations = async (...asked: Parameters<typeof inbox.listConversations>) => {
    const { items, ...page } = await inbox.listConversations(...asked)
    return { ...page, items: items.map(item => ({ ...item, passwordHash: 'never-printed' })) }
  }
  const { ana, logged } = await stage(t, { replaced: { inbox: { listConversations } } })
  const reply = await inTime(
    () => ana('/fast'),
    ({ body }) => !body.includes('id="skeleton"'),
  )
  t.equal(reply.statusCode, 200)
  t.match(reply.body, /<ul id="chats"><li>Martín &lt;\/script&gt;/)
  t.notMatch(reply.body, /id="skeleton"/)
  t.notMatch(reply.body, /<template/, 'nothing waits to be moved in by a script')
  t.notMatch(reply.body, /never-printed/, 'what the reply schema does not name is not printed')
  t.match(reply.body, /Martín \\u003c\/script>/, 'data cannot close its script')
  t.match(reply.body, /<script type="application\/json">\[\{"k"/, 'nor is it compiled')
  t.same(logged, [])
})

t.test('head, navigation and skeleton leave before slow data, then data ahead of its markup', async t => {
  const slow = gate()
  const { address, logged } = await stage(t, { replaced: listAfter(slow.opened) })
  const page$ = reading(`${await address()}/slow`)
  const first = await page$.until('id="skeleton"')
  t.match(first, /<link rel="stylesheet"/)
  t.match(first, /<nav id="nav"/)
  t.match(await page$.until('modulepreload'), /"p":1/, 'the browser is told not to ask again')
  t.notMatch(first, /id="chats"/)
  slow.open()
  const all = await page$.ended
  t.ok(all.indexOf('"d":{"items"') < all.indexOf('id="chats"'), 'data comes ahead of the markup that reads it')
  t.ok(all.indexOf('<title>Slow') < all.indexOf('</head>'))
  t.ok(all.indexOf('"p":1') < all.indexOf('"d":{"items"'))
  t.same(logged, [])
})

t.test('a page that cannot begin is a plain 500 with the number to quote', async t => {
  const { ana, logged, nextEnding } = await stage(t)
  const reply = await ana('/shell-fault')
  t.equal(await nextEnding(), 'shellError')
  t.equal(reply.statusCode, 500)
  t.match(reply.body, /Algo salió mal/)
  t.match(reply.body, new RegExp(String(reply.headers['x-request-id'])))
  t.notMatch(reply.body, /secret|<script/)
  t.match(logged, [
    { msg: 'a part of the page could not be rendered', reqId: String },
    { msg: 'the page could not begin' },
  ])
})

t.test('a part that fails is logged with the request and left to the browser', async t => {
  const { ana, logged } = await stage(t)
  const reply = await ana('/late-fault')
  t.equal(reply.statusCode, 200)
  t.match(reply.body, /id="skeleton"/)
  t.notMatch(reply.body, /secret of the inside/)
  t.match(logged, [{ msg: 'a part of the page could not be rendered', reqId: String }])
})

t.test('a page that takes too long is cut, and what it was waiting for is left to the browser', async t => {
  const { ana, logged, nextEnding } = await stage(t, { timeoutMs: 60 })
  const reply = await ana('/never')
  t.equal(await nextEnding(), 'timeout')
  t.equal(reply.statusCode, 200)
  t.match(reply.body, /id="skeleton"/)
  t.match(reply.body, /<\/html>$/)
  t.match(logged, [{ msg: 'the page took too long and was cut' }])
  const shell = await ana('/never-shell')
  t.equal(shell.statusCode, 500)
})

t.test('a reader who goes away ends the rendering', async t => {
  const slow = gate()
  const { address, app, logged, nextEnding } = await stage(t, { replaced: listAfter(slow.opened) })
  const page$ = reading(`${await address()}/slow`)
  page$.ended.catch(() => undefined)
  await page$.until('id="skeleton"')
  page$.request.destroy()
  t.equal(await nextEnding(), 'clientGone')
  slow.open()
  t.equal((await app.inject({ url: '/fast', headers: { cookie: site.cookie } })).statusCode, 200)
  t.same(logged, [], 'nothing is logged as a fault')
})

t.test('a crawler gets the page only when it is rendered completely', async t => {
  const slow = gate()
  const { ana } = await stage(t, { replaced: listAfter(slow.opened) })
  setTimeout(slow.open, 30)
  const reply = await ana('/slow', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' })
  t.match(reply.body, /<ul id="chats">/)
  t.notMatch(reply.body, /id="skeleton"/)
})

t.test('redirects pass through before any byte of the page', async t => {
  const { ana, app } = await stage(t)
  const moved = await ana('/moved')
  t.equal(moved.statusCode, 302)
  t.equal(moved.headers.location, '/fast?from=moved')
  t.equal(moved.body, '')
  const stranger = await app.inject('/guarded?a=1')
  t.equal(stranger.statusCode, 302)
  t.equal(stranger.headers.location, '/login?returnTo=%2Fguarded%3Fa%3D1')
  t.equal(stranger.body, '')
})

t.test('refusals in time have their status', async t => {
  const refusing = (error: () => Error) => ({
    numbers: {
      getWaba: () => {
        throw error()
      },
    },
  })
  const missing = await stage(t, { replaced: refusing(() => appErrors.NOT_FOUND()) })
  const refused = ({ ana }: typeof missing, url: string) =>
    inTime(
      () => ana(url),
      ({ statusCode }) => statusCode !== 200,
    )
  const notFound = await refused(missing, '/guarded')
  t.equal(notFound.statusCode, 404)
  t.match(notFound.body, /Página no encontrada\./)
  const forbidden = await stage(t, { replaced: refusing(() => appErrors.FORBIDDEN()) })
  t.equal((await refused(forbidden, '/guarded')).headers.location, '/unauthorized')
  const broken = await stage(t, { replaced: refusing(() => new Error('a secret of the inside')) })
  const reply = await refused(broken, '/loader-fault')
  t.equal(reply.statusCode, 500)
  t.notMatch(reply.body, /secret/)
  t.match(reply.body, new RegExp(String(reply.headers['x-request-id'])))
  t.match(broken.logged.slice(-1), [{ endpoint: 'numbers.getWaba', err: { message: 'a secret of the inside' } }])
  t.equal((await broken.ana('/nowhere')).statusCode, 404)
})

t.test('a reader who leaves before the page begins is no fault of it', async t => {
  const left = gate()
  const stood = await stage(t, {
    facts: () => {
      stood.app.server.closeAllConnections()
      left.open()
      return { empty: false, signup: 'first', sandbox: true, facebook: null, writesMail: true }
    },
  })
  await t.rejects(fetch(`${await stood.address()}/fast`, { headers: { cookie: site.cookie } }))
  await left.opened
  await stood.nextEnding()
  t.same(stood.logged, [])
})

t.test('a HEAD request has the status and no page', async t => {
  const { app } = await stage(t)
  const reply = await app.inject({ method: 'HEAD', url: '/fast', headers: { cookie: site.cookie } })
  t.equal(reply.statusCode, 200)
  t.equal(reply.body, '')
})

t.test('styles of widgets stand ahead of the markup that needs them', async t => {
  const slow = gate()
  const { address } = await stage(t, { replaced: listAfter(slow.opened) })
  const page$ = reading(`${await address()}/mui`)
  const first = await page$.until('id="early"')
  t.ok(
    first.indexOf('<style data-emotion="css ') > 0 &&
      first.indexOf('<style data-emotion="css ') < first.indexOf('</head>'),
  )
  slow.open()
  const all = await page$.ended
  const nonce = /nonce="([^"]+)"/.exec(all)?.[1] ?? ''
  const late = /class="([^"]*)"[^>]*id="late"/.exec(all)?.[1]?.split(' ') ?? []
  const lateClass = late.find(name => /^css-/.test(name)) ?? 'none'
  const styled = all.indexOf(`.${lateClass}{`)
  t.ok(
    styled > all.indexOf('id="skeleton"') && styled < all.indexOf('id="late"'),
    'the late widget brings its own, ahead of it',
  )
  t.equal(
    (all.match(/<style/g) ?? []).length,
    (all.match(new RegExp(`<style[^>]* nonce="${nonce.replace(/[+/]/g, '\\$&')}"`, 'g')) ?? []).length,
    'every style has the nonce',
  )
})

t.test('a page travels compressed, piece by piece', async t => {
  const slow = gate()
  const { address } = await stage(t, { replaced: listAfter(slow.opened) })
  const url = `${await address()}/slow`
  for (const coding of ['br', 'gzip'] as const) {
    const reply = await new Promise<IncomingMessage>(resolve =>
      get(url, { headers: { cookie: site.cookie, 'accept-encoding': `${coding}, identity` } }, resolve),
    )
    t.equal(reply.headers['content-encoding'], coding)
    const plain = reply.pipe(coding === 'br' ? createBrotliDecompress() : createGunzip()).setEncoding('utf8')
    let text = ''
    for await (const piece of plain) {
      text += piece
      // The skeleton is readable while the rest still waits.
      if (text.includes('id="skeleton"')) slow.open()
    }
    t.ok(text.includes('id="chats"'))
    t.ok(text.endsWith('</html>'))
  }
  t.equal(
    (await fetch(url, { headers: { 'accept-encoding': 'br;q=0, gzip;q=0' } })).headers.get('content-encoding'),
    null,
  )
})
