/** No answer contains a secret. Pages are made of the same answers. */
import t from 'tap'
import { listRoutes } from '#server/cli/route-list.ts'
import { listAllowedRoutes } from '#server/identity/auth/calls/allowed-routes.ts'
import { aPerson } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import { addressOf, exampleOf } from '#test/helpers/examples.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { allRows } from '#test/helpers/rows.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { owner, ids, customer } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const site = await aPerson({ databases: backend.databases, siteRole: 'admin' })

/** Columns that no answer may show, besides encrypted ones. */
const hidden: Readonly<Record<string, readonly string[]>> = {
  session: ['token'],
  account: ['password', 'accessToken', 'refreshToken', 'idToken'],
  apikey: ['key'],
  verification: ['value'],
  backup_code: ['hash'],
  trusted_device: ['token_hash'],
  push_subscription: ['auth', 'p256dh', 'endpoint'],
}
const shortest = 12
/**
 * Programs use the simulator with its token, so members who manage connections get it, but never that of a real number.
 */
const saysSimulatorToken = '/api/sandbox/token'

/** Each secret with its place. */
const secretsOf = async (): Promise<Map<string, string>> => {
  const found = new Map<string, string>()
  const add = (value: unknown, where: string) => {
    if (typeof value === 'string' && value.length >= shortest) found.set(value, where)
  }
  for (const [table, rows] of Object.entries(await allRows(backend.databases)))
    for (const row of rows as Record<string, unknown>[])
      for (const [column, value] of Object.entries(row))
        if (
          hidden[table]?.includes(column) ||
          (typeof value === 'string' && /^v\d+\.[0-9a-f]{8}\.[\w-]{16,}/.test(value))
        )
          add(value, `${table}.${column}`)
  const { accessToken, appSecret } = (await connectionKeys(backend.parts, owner.org.id)) ?? {}
  add(accessToken, 'the token of the number')
  add(appSecret, 'the secret of the app')
  add(backend.parts.config.authSecret, 'AUTH_SECRET')
  return found
}

t.test('no answer and no header contains a secret', async t => {
  const secrets = await secretsOf()
  const places = new Set(secrets.values())
  for (const place of ['session.token', 'the token of the number', 'the secret of the app', 'AUTH_SECRET'])
    t.ok(places.has(place), `${place} is looked for`)
  t.ok(
    [...places].some(place => place.startsWith('wa_connection.')),
    'including encrypted columns',
  )
  const answered = new Set<string>()
  const look = async (url: string, cookie: string) => {
    const reply = await backend.inject({ url, headers: { cookie } })
    if (reply.statusCode === 200) answered.add(url)
    const said = `${JSON.stringify(reply.headers)}\n${reply.body}`
    for (const [secret, where] of secrets) {
      if (url === saysSimulatorToken && where === 'the token of the number') continue
      if (said.includes(secret)) t.fail(`${url}: ${where}`)
    }
  }
  const named: Readonly<Record<string, string>> = { ...ids, phone: customer, slug: owner.org.slug }
  for (const { method, url, endpoint } of await listRoutes()) {
    // The event stream ends only when its client leaves.
    if (method !== 'GET' || url === '/api/sse') continue
    const example = endpoint ? exampleOf(url, endpoint) : { params: {}, query: {} }
    const addresses = new Set([
      addressOf(url, example),
      url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(named[name] ?? ids.conversation)),
    ])
    for (const address of addresses) for (const { cookie } of [owner, site]) await look(address, cookie)
  }
  for (const { method, path } of listAllowedRoutes())
    if (method === 'GET') for (const { cookie } of [owner, site]) await look(`/api/auth${path}`, cookie)
  t.ok(answered.size > 50, `${answered.size} answered`)
})
