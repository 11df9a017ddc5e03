/** Addresses inside the network: refused everywhere, and reached where the operator allowed them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { allowedBy } from '#server/platform/outbound/allowed.ts'
import { createPublicFetch } from '#server/platform/outbound/outbound.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'

const aStage = async (t: Test, allow?: string) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const published = {
      ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      ...{ userinfo_endpoint: `${issuer}/me`, jwks_uri: `${issuer}/jwks` },
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(published))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const backend = await startBackend(t, {
    ...(allow ? { env: { OUTBOUND_ALLOW: allow } } : {}),
    pushFetch: createPublicFetch(undefined, { isAllowed: allowedBy(allow ? [allow] : []) }),
  })
  const owner = await aMember({ databases: backend.databases })
  const call = async (path: string, payload: object) => {
    const reply = await backend.inject({
      method: 'POST',
      url: `/api${path}`,
      headers: { cookie: owner.cookie },
      payload,
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const flowOf = async (address: string) => {
    const http = { method: 'GET', url: address, headers: [], send: 'nothing', body: '', form: [], map: [] }
    const graph = {
      nodes: [
        { id: 's', type: 'start' },
        { id: 'h', type: 'http', data: { ...http, ends: ['next', 'ok', 'error', 'failed'] } },
      ],
      edges: [{ source: 's', target: 'h' }],
    }
    const triggers = [{ id: 't', kind: 'keyword', match: 'equals', words: ['hola'] }]
    const made = await call('/whatsapp/flows', { name: 'n8n', graph, triggers })
    t.equal(made.status, 201, JSON.stringify(made.body))
    return {
      publish: () => call(`/whatsapp/flows/${made.body.id}/publish`, {}),
      try: () => call(`/whatsapp/flows/${made.body.id}/call`, { nodeId: 'h' }),
    }
  }
  return { asked, url, call, flowOf }
}

const codesOf = (body: unknown) => JSON.stringify(body)

t.test('without a list, nothing inside the network is reached', async t => {
  const { asked, url, call, flowOf } = await aStage(t)
  const flow = await flowOf(`${url}/pedidos`)
  const published = await flow.publish()
  t.equal(published.status, 422)
  t.match(codesOf(published.body), 'urlNotAllowed')
  t.equal((await flow.try()).body.code, 'FLOWS_CALL_NOT_READY')
  const secret = { name: 'n8n', host: '127.0.0.1', value: 'palabra' }
  t.match((await call('/whatsapp/flow-secrets', secret)).body.details, [{ field: 'body.host' }])
  const found = await call('/sso/discovery', { domain: 'trigal.example', issuer: url })
  t.equal(found.body.code, 'AUTH_SSO_ADDRESS_REFUSED')
  t.same(asked, [])
})

t.test('steps of flows and identity providers reach what the operator allowed, and no more', async t => {
  const { asked, url, call, flowOf } = await aStage(t, '127.0.0.1')
  const flow = await flowOf(`${url}/pedidos`)
  const published = await flow.publish()
  t.equal(published.status, 200, codesOf(published.body))
  t.match(await flow.try(), { status: 200, body: { call: { status: 200 } } })
  t.same(asked, ['GET /pedidos'])
  const secret = { name: 'n8n', host: '127.0.0.1', value: 'palabra' }
  t.match((await call('/whatsapp/flow-secrets', secret)).body, { host: '127.0.0.1' })
  const found = await call('/sso/discovery', { domain: 'trigal.example', issuer: url })
  t.match(found.body, { isPublished: true, issuer: url, tokenEndpoint: `${url}/token` })

  for (const address of [
    'http://10.0.0.1/x',
    'http://169.254.169.254/latest',
    'ftp://127.0.0.1/x',
    'http://u:p@127.0.0.1/',
  ]) {
    const other = await flowOf(address)
    t.equal((await other.publish()).status, 422, address)
    const refused = await call('/sso/discovery', { domain: 'trigal.example', issuer: address })
    t.equal(refused.body.code, 'AUTH_SSO_ADDRESS_REFUSED', address)
  }
  // The name may be typed; what it resolves to is not in the list.
  const elsewhere = await aStage(t, '10.0.0.0/8')
  const byName = await elsewhere.flowOf(elsewhere.url.replace('127.0.0.1', 'localhost'))
  t.equal((await byName.publish()).status, 200)
  t.notMatch(JSON.stringify((await byName.try()).body), '"status":200')
  t.same(elsewhere.asked, [])
})
