import t, { type Test } from 'tap'
import { upload } from '#client/app/calls/upload.ts'

/** A fake XMLHttpRequest: records what it was given, and ends as the test says. */
class Request {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  status = 0
  statusText = ''
  response: unknown = null
  url = ''
  sent: unknown
  readonly headers: Record<string, string> = {}
  open(method: string, url: string) {
    this.url = `${method} ${url}`
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }
  getResponseHeader() {
    return null
  }
  send(body: unknown) {
    this.sent = body
  }
  abort() {
    this.onabort?.()
  }
  answer(status: number, response: unknown, statusText = '') {
    Object.assign(this, { status, statusText, response })
    this.onload?.()
  }
}

const sending = (t: Test, body: FormData | File) => {
  let request = new Request()
  t.intercept(globalThis, 'XMLHttpRequest', {
    value: class {
      constructor() {
        request = new Request()
        // biome-ignore lint/correctness/noConstructorReturn: the test holds what the code made
        return request
      }
    },
  })
  const calling = new AbortController()
  const percents: number[] = []
  const answer = upload('/there?name=a', body, {
    org: 'norte',
    signal: calling.signal,
    onPercent: percent => percents.push(percent),
  })
  return { request, calling, percents, answer }
}

const picture = new File(['x'], 'a.png', { type: 'image/png' })

t.test('a form is sent unchanged, and the browser sets its boundary', async t => {
  const form = new FormData()
  const { request, answer } = sending(t, form)
  t.equal(request.url, 'POST /api/there?name=a')
  t.equal(request.sent, form)
  t.strictSame(request.headers, { accept: 'application/json', 'x-organization': 'norte' })
  request.answer(200, { ok: 1 })
  t.strictSame(await answer, { ok: 1 })
})

t.test('a file is sent as bytes, whatever its type', async t => {
  const { request, answer } = sending(t, picture)
  t.equal(request.sent, picture)
  t.strictSame(request.headers, {
    accept: 'application/json',
    'x-organization': 'norte',
    'content-type': 'application/octet-stream',
  })
  request.answer(201, { id: 'm-1' })
  t.strictSame(await answer, { id: 'm-1' })
})

t.test('progress is reported in whole percents, each once', async t => {
  const { request, percents, answer } = sending(t, picture)
  for (const loaded of [0, 4, 5, 500, 504, 1000]) request.upload.onprogress?.({ loaded, total: 1000 })
  request.answer(200, {})
  await answer
  t.strictSame(percents, [50, 100])
})

t.test('a refusal keeps its code, message, details and Retry-After', async t => {
  const { request, answer } = sending(t, picture)
  const refusal = {
    code: 'APP_BUSY',
    message: 'Hay demasiado en curso.',
    requestId: 'r-1',
    retryAfterSeconds: 7,
    details: [{ field: 'query.name', code: 'long', message: 'Es muy largo.' }],
  }
  request.answer(429, refusal)
  await t.rejects(answer, { name: 'ApiError', status: 429, ...refusal })
})

t.test('a response not from our server is UNAVAILABLE, no response is OFFLINE', async t => {
  const proxy = sending(t, picture)
  proxy.request.answer(502, null, 'Bad Gateway')
  await t.rejects(proxy.answer, { status: 502, code: 'APP_UNAVAILABLE', message: 'Bad Gateway' })
  const broken = sending(t, picture)
  broken.request.onerror?.()
  await t.rejects(broken.answer, { status: 0, code: 'APP_OFFLINE' })
})

t.test('an aborted upload rejects, and one aborted before its start is not sent', async t => {
  const { calling, answer } = sending(t, picture)
  calling.abort()
  await t.rejects(answer, { name: 'AbortError' })
  const ended = AbortSignal.abort()
  await t.rejects(upload('/there', picture, { org: 'norte', signal: ended, onPercent: () => undefined }), {
    name: 'AbortError',
  })
})
