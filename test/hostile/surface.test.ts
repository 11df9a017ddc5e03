/** What anybody may try on the outside of the product, and on what it is built from. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { listRoutes } from '#server/cli/route-list.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { addressOf, exampleOf } from '#test/helpers/examples.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { changedTables, rowsAtRest } from '#test/helpers/rows.ts'
import { root } from '#test/helpers/sources.ts'

const backend = await startBackend(t)
const { headers, customer } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const pages = ['/api/docs', '/api/docs/messages', '/api/openapi.json', '/docs', '/docs/operate', '/healthz', '/readyz']
const data = [
  '/api/whatsapp/conversations',
  `/api/whatsapp/conversations/${customer}`,
  '/api/account/sessions',
  '/api/auth/get-session',
  '/api/nothing-here',
]

t.test('no method echoes its request', async t => {
  const said = await new Promise<string>(resolve => {
    const socket = connect(Number(new URL(backend.url).port), '127.0.0.1')
    let all = ''
    socket.on('data', bytes => {
      all += bytes.toString('latin1')
    })
    socket.on('close', () => resolve(all))
    socket.end('TRACE /healthz HTTP/1.1\r\nhost: x\r\nx-secret: in-the-request\r\nconnection: close\r\n\r\n')
  })
  t.match(said, /^HTTP\/1\.1 4\d\d /)
  t.notMatch(said, 'in-the-request')
})

t.test('nothing of the repository, the data or the machine is served, and no folder is listed', async t => {
  for (const url of [
    ...['/.git/config', '/.git/', '/.env', '/package.json', '/package-lock.json', '/server/main.ts', '/node_modules/'],
    ...['/data/secret', '/secret', '/recado.db', '/assets/', '/locales/', '/api/', '/media/', '/debug', '/metrics'],
    ...[
      '/assets/../package.json',
      '/assets/%2e%2e/package.json',
      '/locales/es/..%2f..%2fpackage.json',
      '/..%2f.git/config',
    ],
  ]) {
    const reply = await backend.inject({ url, headers })
    t.equal(reply.statusCode, 404, url)
    t.equal(reply.json().code, 'APP_NOT_FOUND', url)
  }
})

t.test('no other origin is allowed, and every answer has its type and is not cacheable', async t => {
  const origin = 'https://evil.example'
  for (const url of [...pages, ...data]) {
    const reply = await backend.inject({ url, headers: { ...headers, origin } })
    t.notOk(
      Object.keys(reply.headers).some(name => name.startsWith('access-control-')),
      `${url} and other sites`,
    )
    t.equal(reply.headers['x-content-type-options'], 'nosniff', url)
    t.match(reply.headers['content-type'], /; ?charset=utf-8$/i, url)
    if (data.includes(url)) t.equal(reply.headers['cache-control'], 'no-store', url)
    const asked = await backend.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    })
    t.equal(asked.statusCode, 404, `${url} has no preflight`)
    t.notOk(asked.headers['access-control-allow-origin'], url)
  }
})

t.test('a value given twice is refused, and a body field does not replace a path parameter', async t => {
  const call = '/api/whatsapp/conversations'
  const twice = await backend.inject({ url: `${call}?page=1&page=2`, headers })
  t.equal(twice.statusCode, 400)
  t.match(twice.json(), { code: 'APP_VALIDATION', details: [{ field: 'query.page' }] })
  const elsewhere = await backend.inject({
    method: 'POST',
    url: '/api/whatsapp/messages?message=hola',
    headers,
    payload: { numberTel: customer },
  })
  t.equal(elsewhere.statusCode, 400)
})

t.test('a reading call changes nothing', async t => {
  const calls = (await listRoutes()).filter(({ method, name }) => method === 'GET' && name !== 'live.stream')
  // Session use, exports in the audit log, and pending readings from Meta may change.
  const rows = () => rowsAtRest(backend, ['session', 'audit_entry', 'job', 'job_worker'])
  let before = await rows()
  let read = 0
  for (const { name, url, endpoint } of calls) {
    if (!endpoint) continue
    const reply = await backend.inject({ url: addressOf(url, exampleOf(name, endpoint)), headers })
    t.ok(reply.statusCode < 500, `${name}: ${reply.statusCode}`)
    read += reply.statusCode === 200 ? 1 : 0
    const after = await rows()
    t.same(changedTables(before, after), [], name)
    before = after
  }
  t.ok(read > 40, `${read} answered`)
})

t.test('every package has a content hash, and runs no install script', async t => {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { resolved?: string; integrity?: string; link?: boolean; inBundle?: boolean }>
  }
  const all = Object.entries(packages).filter(([path]) => path !== '')
  t.ok(all.length > 100)
  for (const [path, { resolved, integrity, inBundle }] of all) {
    if (inBundle) continue
    if (resolved !== undefined) t.match(resolved, /^https:\/\/registry\.npmjs\.org\//, path)
    t.match(integrity, /^sha512-/, path)
  }
  const { dependencies, devDependencies, allowScripts } = read('package.json')
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    t.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} is pinned`)
  t.same(
    Object.keys(allowScripts).filter(name => allowScripts[name]),
    ['node'],
    'the pinned Node itself',
  )
})
