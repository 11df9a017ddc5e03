import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { catalogue } from '#server/whatsapp/errors/error-catalogue.ts'
import { type CallKind, classify, failureKey, ownCodes } from '#server/whatsapp/errors/errors.ts'
import type { WhatsAppError } from '#server/whatsapp/provider.ts'
import { payload } from '#test/helpers/payloads.ts'

const reply = (code: number, { httpStatus = 400, call = 'send', headers, ...error }: Record<string, unknown> = {}) =>
  classify({
    call: call as CallKind,
    httpStatus: httpStatus as number,
    headers: headers as Headers | undefined,
    body: { error: { message: `(#${code}) Title`, code, ...error } },
  })
const verdict = ({ code, retry, retryAfterMs }: WhatsAppError) => ({ code, retry, retryAfterMs })

t.test('a code decides, whatever the status', async t => {
  for (const httpStatus of [200, 400, 401, 403, 404, 429, 500, 503]) {
    t.equal(reply(131047, { httpStatus }).retry, 'never')
    t.equal(reply(190, { httpStatus }).retry, 'credentials')
    t.equal(reply(130429, { httpStatus }).retry, 'later')
    t.equal(reply(131016, { httpStatus }).retry, 'quick')
  }
})

t.test('each family of codes is retried as Meta’s page says', async t => {
  const classes: Record<string, number[]> = {
    never: [
      100, 368, 130403, 130472, 130497, 131008, 131009, 131021, 131026, 131030, 131031, 131042, 131047, 131049, 131050,
      131051, 131052, 131053, 131062, 132000, 132001, 132012, 132015, 132016, 133010, 135000, 137000,
    ],
    credentials: [0, 3, 10, 33, 104, 190, 200, 218, 299, 131005],
    later: [4, 17, 32, 613, 80007, 80008, 130429, 131048, 131056, 131057, 133004, 133016, 134101],
    quick: [1, 2, 131000, 131016],
  }
  for (const [retry, codes] of Object.entries(classes))
    for (const code of codes) t.equal(reply(code).retry, retry, String(code))
  for (const [code, entry] of catalogue)
    t.equal(entry.retryAfterMs === undefined, entry.retry !== 'later', `${code} says when`)
})

t.test('an unlisted code is judged by the status', async t => {
  t.same(verdict(reply(999_999)), { code: '999999', retry: 'never', retryAfterMs: undefined })
  t.equal(reply(999_999, { httpStatus: 500 }).retry, 'quick')
  t.equal(reply(999_999, { is_transient: true }).retry, 'quick')
  t.equal(reply(999_999, { httpStatus: 401 }).retry, 'credentials')
  t.same(verdict(reply(999_999, { httpStatus: 429 })), { code: '999999', retry: 'later', retryAfterMs: 60_000 })
})

t.test('Meta’s own wait can be longer than that of the table', async t => {
  const usage = JSON.stringify({
    '102290129340398': [
      { type: 'whatsapp', call_count: 100, estimated_time_to_regain_access: 19 },
      { estimated_time_to_regain_access: '3' },
    ],
  })
  t.equal(reply(80007, { headers: new Headers({ 'x-business-use-case-usage': usage }) }).retryAfterMs, 19 * 60_000)
  t.equal(reply(4, { headers: new Headers({ 'retry-after': '90' }) }).retryAfterMs, 90_000)
  t.equal(reply(130429, { headers: new Headers({ 'x-business-use-case-usage': '{"cut' }) }).retryAfterMs, 4_000)
  t.equal(
    reply(4, { headers: new Headers({ 'retry-after': '99999999' }) }).retryAfterMs,
    6 * 3_600_000,
    'but at most six hours',
  )
  t.equal(reply(131047, { headers: new Headers({ 'retry-after': '90' }) }).retryAfterMs, undefined)
})

t.test('a missing object means something else for a number than for a file', async t => {
  const body = JSON.parse(payload('graph/error-missing-object').toString())
  t.match(verdict(classify({ call: 'send', httpStatus: 400, body })), { code: '33', retry: 'credentials' })
  t.match(verdict(classify({ call: 'number', httpStatus: 400, body })), { code: '33', retry: 'credentials' })
  t.match(verdict(classify({ call: 'media', httpStatus: 400, body })), { code: '100', retry: 'never' })
  t.match(verdict(reply(100, { message: '(#100) Invalid appsecret_proof provided in the API argument' })), {
    code: 'APP_SECRET',
    retry: 'credentials',
  })
})

t.test('details are found in both shapes of the envelope', async t => {
  const detail = (name: string) =>
    classify({ call: 'number', httpStatus: 400, body: JSON.parse(payload(`graph/${name}`).toString()) }).detail
  t.equal(detail('error-throughput'), 'Cloud API message throughput has been reached.')
  t.equal(detail('error-text-data'), 'The parameter to is not valid.')
  t.equal(detail('error-management'), 'Probá más tarde.')
})

t.test('an answer that is not the Cloud API’s', async t => {
  const answers: [number, CallKind, string][] = [
    [500, 'send', 'unknown'],
    [502, 'send', 'unknown'],
    [503, 'send', 'quick'],
    [429, 'send', 'later'],
    [400, 'send', 'never'],
    [404, 'send', 'never'],
    [302, 'send', 'never'],
    // May have been accepted: an unreadable success, a gateway timeout.
    [200, 'send', 'unknown'],
    [204, 'send', 'unknown'],
    [504, 'send', 'unknown'],
    [200, 'number', 'quick'],
    [504, 'media', 'quick'],
  ]
  for (const body of [undefined, null, 'text', [], {}, { error: 'text' }])
    for (const [httpStatus, call, retry] of answers)
      t.match(classify({ call, httpStatus, body }), { code: 'UNREADABLE', retry, httpStatus }, `${httpStatus} ${call}`)
})

const fault = (cause: object) => Object.assign(new TypeError('fetch failed'), { cause })

t.test('what was certainly not sent is retried; what may have arrived is not', async t => {
  const left: object[] = [
    { code: 'ECONNREFUSED', syscall: 'connect' },
    { code: 'ENOTFOUND', syscall: 'getaddrinfo' },
    { code: 'EAI_AGAIN' },
    { code: 'UND_ERR_CONNECT_TIMEOUT' },
    { code: 'ETIMEDOUT', syscall: 'connect' },
    { code: 'CERT_HAS_EXPIRED' },
    { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    { code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
    Object.assign(new Error('Client network socket disconnected before secure TLS connection was established'), {
      code: 'ECONNRESET',
    }),
    Object.assign(new AggregateError([new Error('::1'), new Error('127.0.0.1')]), { code: 'ECONNREFUSED' }),
  ]
  for (const cause of left)
    t.match(classify({ call: 'send', fault: fault(cause) }), { code: 'NETWORK', retry: 'quick' }, JSON.stringify(cause))
  const doubtful: [object, string][] = [
    [{ code: 'ECONNRESET', syscall: 'read' }, 'UNCONFIRMED'],
    [{ code: 'UND_ERR_SOCKET' }, 'UNCONFIRMED'],
    [{ code: 'EPIPE' }, 'UNCONFIRMED'],
    [{ code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC' }, 'UNCONFIRMED'],
    [{}, 'UNCONFIRMED'],
    [{ code: 'UND_ERR_HEADERS_TIMEOUT' }, 'TIMEOUT'],
    [{ code: 'UND_ERR_BODY_TIMEOUT' }, 'TIMEOUT'],
  ]
  for (const [cause, code] of doubtful)
    t.match(classify({ call: 'send', fault: fault(cause) }), { code, retry: 'unknown' }, JSON.stringify(cause))
  t.match(classify({ call: 'send', fault: new DOMException('late', 'TimeoutError') }), {
    code: 'TIMEOUT',
    retry: 'unknown',
  })
  t.match(classify({ call: 'send', fault: new DOMException('stopped', 'AbortError') }), {
    code: 'TIMEOUT',
    retry: 'unknown',
  })
  t.match(classify({ call: 'send', fault: 'a string' }), { code: 'UNCONFIRMED', retry: 'unknown' })
  for (const [cause] of doubtful)
    t.equal(classify({ call: 'media', fault: fault(cause) }).retry, 'quick', 'a repeated request has no side effects')
})

t.test('the errors that fetch throws are recognized', async t => {
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/cut') request.socket.destroy()
    else response.writeHead(200, { 'content-length': '10' }).write('half', () => request.socket.destroy())
  })
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const faultOf = (url: string) =>
    fetch(url, { method: 'POST', body: 'x' })
      .then(response => response.text())
      .catch((error: unknown) => error)
  t.match(classify({ call: 'send', fault: await faultOf(`http://127.0.0.1:${port}/cut`) }), {
    code: 'UNCONFIRMED',
    retry: 'unknown',
  })
  t.match(classify({ call: 'send', fault: await faultOf(`http://127.0.0.1:${port}/half`) }), {
    code: 'UNCONFIRMED',
    retry: 'unknown',
  })
  t.match(
    classify({ call: 'send', fault: await faultOf(`https://127.0.0.1:${port}/`) }),
    { code: 'NETWORK', retry: 'quick' },
    'TLS to a server without it',
  )
})

t.test('a token never gets into an error', async t => {
  const token = `EAA${'b'.repeat(180)}`
  const error = reply(190, { message: `Malformed access token ${token}`, error_data: `token ${token}` })
  t.notMatch(JSON.stringify([error.message, error.detail, error]), /bbbb/)
})

t.test('every code has a text in both languages, and every text a code', async t => {
  const sentences = (language: string): Record<string, string> =>
    JSON.parse(readFileSync(join(import.meta.dirname, `../../../../locales/${language}/failures.json`), 'utf8'))
  const codes = [...catalogue.keys(), ...ownCodes, 'unknown'].sort()
  for (const language of ['es', 'en']) {
    const { textSaved, ...texts } = sentences(language)
    t.ok(textSaved, language)
    t.same(Object.keys(texts).sort(), codes, language)
    for (const [code, sentence] of Object.entries(texts))
      t.match(sentence.replace('{{- textSaved}}', ` ${textSaved}`), /^.{40,300}\.$/, `${language} ${code}`)
  }
  t.equal(failureKey('131047'), 'failures:131047')
  t.equal(failureKey('240'), 'failures:200')
  t.equal(failureKey('TIMEOUT'), 'failures:TIMEOUT')
  for (const code of ['999999', '', 'toString', 'unknown']) t.equal(failureKey(code), 'failures:unknown')
})
