/**
 * The floor of server rendering: a bare Fastify that streams the very element tree of the product's page. The product's
 * own code opens the page once; from then on everything lies in memory and a request only renders: no sign-in, no
 * router run, no query, no database, nothing made per visit. What the product prints around the markup is a constant.
 */
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { pino } from 'pino'
import type { Page, Pages } from '#client/app/pages.tsx'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { openAssets } from '#server/web/assets.ts'
import { PageStream } from '#server/web/page-stream.ts'
import { createWeb } from '#server/web/plugin.ts'
import { compose } from '#server/wiring.ts'

const [path, cookie] = process.argv.slice(2) as [string, string]
const dist = new URL('../../../dist/', import.meta.url)
const clientDir = fileURLToPath(new URL('client', dist))
const { pages } = (await import(new URL('server/entry.server.js', dist).href)) as { pages: Pages }

const config = readConfig(process.env)
const backend = compose({
  config,
  databases: openDatabase(config.databasePath),
  log: pino({ level: 'warn' }),
  selfUrl: () => 'http://127.0.0.1',
})
let page: Page | undefined
let nonce = ''
/** The product's pages, which keep the page they open; its cache stays. */
const keeping: Pages = {
  async open(request, visit) {
    const opened = await pages.open(request, visit)
    if (opened instanceof Response) return opened
    page = { ...opened, close: () => undefined }
    nonce = visit.nonce
    return page
  },
}
const product = await buildApp(backend, {
  web: async (app, { clock, i18n, site }, api) => {
    const { publicUrl } = config
    await app.register(
      createWeb({ publicUrl, clock, api, i18n, site, clientDir, assets: openAssets(clientDir), pages: () => keeping }),
    )
  },
})
const ask = () => product.inject({ url: path, headers: { cookie, 'accept-language': 'es' } })
// The first ones wait for code to be loaded and compiled, and stream their data after the shell.
for (let i = 0; i < 20; i += 1) await ask()
const whole = await ask()
const kept = page as Page | undefined
if (whole.statusCode !== 200 || !kept) throw new Error(`The page answered ${whole.statusCode}`)

const options = { nonce, progressiveChunkSize: Number.POSITIVE_INFINITY }
const markup = await new Promise<string>((resolve, reject) => {
  let text = ''
  const out = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
    final: done => done(resolve(text) as undefined),
  })
  const { pipe } = kept.render({ ...options, onAllReady: () => pipe(out), onError: reject })
})
// React writes the end of the document last of all, behind what is put after the shell.
const [headEnd, pageEnd] = ['</head>', '</body></html>']
const split = markup.indexOf(headEnd)
const [before, after] = [markup.slice(0, split), markup.slice(split, -pageEnd.length)]
const head = whole.body.slice(split, whole.body.indexOf(headEnd))
const afterShell = whole.body.slice(before.length + head.length + after.length, -pageEnd.length)
if (before + head + after + afterShell + pageEnd !== whole.body)
  throw new Error('The tree renders otherwise from memory than in the product')

const headers = Object.fromEntries(
  Object.entries(whole.headers).filter(([name]) => !['transfer-encoding', 'date', 'connection'].includes(name)),
)
const app = Fastify()
app.get('/*', (_request, reply) => {
  reply.hijack()
  const out = new PageStream(reply.raw, { head: () => head, afterShell: () => [afterShell], ahead: () => '' })
  const { pipe } = kept.render({
    ...options,
    onShellReady: () => {
      reply.raw.writeHead(200, headers as Record<string, string>)
      pipe(out as unknown as NodeJS.WritableStream)
    },
  })
})
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
console.log(`ready: http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
