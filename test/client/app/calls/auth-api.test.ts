import t, { type Test } from 'tap'
import { signIn } from '#client/app/calls/auth-api.ts'

/** A fake `fetch` in place of the browser's. */
const answering = (t: Test, answer: () => Promise<Response>) => {
  const before = globalThis.fetch
  globalThis.fetch = answer as typeof fetch
  t.teardown(() => {
    globalThis.fetch = before
  })
}

t.test('a call without a response fails with its own message and cause', async t => {
  const cause = new TypeError('Failed to fetch')
  answering(t, () => Promise.reject(cause))
  await t.rejects(signIn('ana@example.com', '123456'), {
    status: 0,
    code: 'APP_OFFLINE',
    message: 'Fetch related error. Captured by catchAllError option.',
    cause,
  })
})

t.test('a refusal has the status, its text and the parsed body', async t => {
  const body = { code: 'INVALID_OTP', message: 'El código no es correcto.', requestId: 'r' }
  answering(t, async () => Response.json(body, { status: 400, statusText: 'Bad Request' }))
  await t.rejects(signIn('ana@example.com', '000000'), { status: 400, statusText: 'Bad Request', body, ...body })
})

t.test('a response that is not JSON is a failure, too', async t => {
  answering(t, async () => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }))
  await t.rejects(signIn('ana@example.com', '000000'), {
    status: 502,
    statusText: 'Bad Gateway',
    code: 'APP_UNAVAILABLE',
  })
})
