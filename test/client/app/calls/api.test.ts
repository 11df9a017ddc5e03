import t from 'tap'
import { createFetchApi } from '#client/app/calls/api.ts'

/** A fake network: records the requests and answers as the test says. */
const network = (answer: () => Response | Promise<Response>) => {
  const asked: { url: string; init: RequestInit }[] = []
  const fetcher = (async (url: string, init: RequestInit) => {
    asked.push({ url, init })
    return answer()
  }) as unknown as typeof fetch
  return { asked, apiFor: createFetchApi(fetcher) }
}
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

t.test('a call follows its contract: address, repeated query parameters, organization, body and key', async t => {
  const { asked, apiFor } = network(() => json({ ok: 1 }))
  await apiFor('don-luis').inbox.listConversations({ query: { page: 2, tag: ['a b', 'c'], search: undefined } })
  await apiFor('norte').inbox.getConversation({ params: { phone: 'AR.13/49' } })
  await apiFor('norte').inbox.sendMessage(
    { body: { type: 'text', message: 'Hola', numberTel: '5491155551234' } },
    { idempotencyKey: 'k-1' },
  )
  await apiFor().orgs.getViewer({})
  t.match(asked[0], {
    url: '/api/whatsapp/conversations?page=2&tag=a+b&tag=c',
    init: { method: 'GET', headers: { 'x-organization': 'don-luis' } },
  })
  t.equal(asked[1]?.url, '/api/whatsapp/conversations/AR.13%2F49')
  t.match(asked[2]?.init, {
    method: 'POST',
    headers: { 'x-organization': 'norte', 'idempotency-key': 'k-1', 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'text', message: 'Hola', numberTel: '5491155551234' }),
  })
  t.notMatch(asked[3]?.init.headers, { 'x-organization': String })
  t.equal(asked[3]?.init.body, undefined)
})

t.test('a refusal keeps its code, message and details', async t => {
  const details = [{ field: 'body.phone', code: 'required', message: 'Falta.' }]
  const { apiFor } = network(() =>
    json(
      { statusCode: 400, code: 'APP_VALIDATION', message: 'Hay datos que no son válidos.', requestId: 'r-1', details },
      400,
    ),
  )
  await t.rejects(apiFor('x').inbox.listConversations({ query: {} }), {
    name: 'ApiError',
    status: 400,
    code: 'APP_VALIDATION',
    message: 'Hay datos que no son válidos.',
    requestId: 'r-1',
    details,
  })
})

t.test('a response not from our server is UNAVAILABLE, and no response is OFFLINE', async t => {
  const proxy = network(() => new Response('<html>Bad gateway</html>', { status: 502, statusText: 'Bad Gateway' }))
  await t.rejects(proxy.apiFor('x').inbox.listConversations({ query: {} }), {
    name: 'ApiError',
    status: 502,
    code: 'APP_UNAVAILABLE',
  })
  const cut = network(() => Promise.reject(new TypeError('Failed to fetch')))
  await t.rejects(cut.apiFor('x').inbox.listConversations({ query: {} }), {
    name: 'ApiError',
    status: 0,
    code: 'APP_OFFLINE',
  })
})

t.test('an aborted call is not reported as a network failure', async t => {
  const cut = network(() => Promise.reject(new DOMException('aborted', 'AbortError')))
  const signal = AbortSignal.abort()
  await t.rejects(cut.apiFor('x').inbox.listConversations({ query: {} }, { signal }), { name: 'AbortError' })
})
