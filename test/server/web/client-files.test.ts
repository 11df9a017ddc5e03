import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createHeaders, headersOfDocuments } from '#server/platform/http/plugins/headers.ts'
import { createClientFiles } from '#server/web/client-files.ts'

const stage = async (t: Test) => {
  const folder = t.testdir()
  mkdirSync(join(folder, 'assets'))
  for (const name of ['assets/page-1.js', 'assets/page-1.js.br', 'assets/drawing-1.svg', 'favicon.svg', 'robots.txt'])
    writeFileSync(join(folder, name), name)
  const app = Fastify()
  await app.register(createHeaders('https://recado.example'))
  await app.register(createClientFiles(folder))
  t.teardown(() => app.close())
  return (url: string) => app.inject({ url, headers: { 'accept-encoding': 'br' } })
}

t.test('a script goes with what speaks to scripts, and is never asked for again', async t => {
  const get = await stage(t)
  const { headers, body } = await get('/assets/page-1.js')
  t.equal(body, 'assets/page-1.js.br')
  t.match(headers, {
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'strict-transport-security': /max-age/,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    vary: 'accept-encoding',
  })
  for (const name of [...headersOfDocuments, 'etag', 'last-modified', 'accept-ranges'])
    t.notOk(name in headers, `without ${name}`)
})

t.test('what a browser shows as a document of its own keeps the headers of one', async t => {
  const get = await stage(t)
  for (const url of ['/assets/drawing-1.svg', '/favicon.svg', '/robots.txt', '/robots.txt?/assets/page-1.js']) {
    const { headers, statusCode } = await get(url)
    t.equal(statusCode, 200, url)
    for (const name of headersOfDocuments) t.ok(name in headers, `${url} with ${name}`)
  }
  t.ok((await get('/favicon.svg')).headers.etag)
})

t.test('a file in its sandbox, which belongs to no origin, gets the icon by either name', async t => {
  const get = await stage(t)
  for (const url of ['/favicon.svg', '/favicon.ico'])
    t.match(await get(url), {
      body: 'favicon.svg',
      headers: { 'content-type': 'image/svg+xml', 'cross-origin-resource-policy': 'cross-origin' },
    })
})
