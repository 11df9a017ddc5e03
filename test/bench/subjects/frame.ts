/**
 * Renders one page in and outside an organization's frame: the one for an address that leads nowhere, which is the same
 * in both. The product's own code opens it once; from then on everything lies in memory and only rendering is timed.
 */
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import type { Page, Pages } from '#client/app/pages.tsx'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { openAssets } from '#server/web/assets.ts'
import { createWeb } from '#server/web/plugin.ts'
import { compose } from '#server/wiring.ts'
import { answer } from '../parts/child.ts'

const [cookie] = process.argv.slice(2) as [string]
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
const kept = new Map<string, Page>()
/** The product's pages, which keep what they open; its cache stays. */
const keeping: Pages = {
  async open(request, visit) {
    const opened = await pages.open(request, visit)
    if (opened instanceof Response) return opened
    const page = { ...opened, close: () => undefined }
    kept.set(new URL(request.url).pathname, page)
    return page
  },
}
const app = await buildApp(backend, {
  web: async (web, { clock, i18n, site }, api) => {
    const { publicUrl } = config
    await web.register(
      createWeb({ publicUrl, clock, api, i18n, site, clientDir, assets: openAssets(clientDir), pages: () => keeping }),
    )
  },
})
await app.listen({ host: '127.0.0.1', port: 0 })

const nowhere = () =>
  new Writable({
    write: (_chunk, _encoding, done) => done(),
  })
const render = (page: Page) =>
  new Promise<void>((resolve, reject) => {
    const out = nowhere().once('finish', resolve)
    const { pipe } = page.render({ onAllReady: () => pipe(out), onError: reject })
  })

/** Milliseconds of one rendering, the mean of `times`. */
answer('render', async ({ path, times }: { path: string; times: number }) => {
  for (let warm = 0; warm < 3 && !kept.has(path); warm += 1)
    await app.inject({ url: path, headers: { cookie, 'accept-language': 'es' } })
  const page = kept.get(path)
  if (!page) throw new Error(`${path} was not rendered`)
  const begin = process.cpuUsage()
  for (let turn = 0; turn < times; turn += 1) await render(page)
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1000 / times
})
console.log(`ready: http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
