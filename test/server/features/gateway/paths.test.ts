/** Addresses that would lead a call of the gateway to another object of Meta's. `fetch` would clean them before sending. */
import { connect } from 'node:net'
import t from 'tap'
import { gatewayStage } from '#test/helpers/gateway-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** Sends a request line as it stands. Returns the first line of the answer. */
const ask = (to: string, head: readonly string[], body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(to)
    let answer = ''
    const socket = connect(Number(port), hostname, () => void socket.write(`${head.join('\r\n')}\r\n\r\n${body}`))
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('error', reject).on('close', () => resolve(answer.split('\r\n')[0] ?? ''))
  })

t.test('a call stays at the object that was checked', async t => {
  const { backend, key, number, waba } = await gatewayStage(t)
  /** Paths at which the simulated Graph API is asked. */
  const asked: string[] = []
  backend.app.server.on('request', ({ url = '' }) => {
    const [path = ''] = url.split('?')
    if (path.startsWith('/sandbox/graph/')) asked.push(path.replace('/sandbox/graph/', ''))
  })
  const message = JSON.stringify({ messaging_product: 'whatsapp', to: '549', type: 'text', text: { body: 'x' } })
  const targets: readonly (readonly [target: string, method?: string, body?: string])[] = [
    [`/graph/v25.0/${number}#/../me/accounts`],
    [`/graph/v25.0/${number}#/../../v20.0/me`],
    [`/graph/v25.0/${waba}/flows#/../../${number}/messages`, 'POST', message],
    [`/graph/v25.0/${waba}/message_templates#/../../${number}/register`, 'POST', '{"pin":"123456"}'],
    [`/graph/v25.0/upload:abc#/../${number}/messages?sig=1`, 'POST', message],
    [`/graph/v25.0/upload:abc%2F..%2F${number}%2Fmessages`, 'POST', message],
    [`/graph/v25.0/upload:abc%2F%2e%2e%2Fme`],
    [`/graph/v25.0/${number}%23/../me`],
    [`http://a/graph/v25.0/${number}`],
  ]
  const own = [number, `${waba}/flows`, `${waba}/message_templates`, 'upload:abc'].map(path => `v25.0/${path}`)
  for (const [target, method = 'GET', body = ''] of targets) {
    asked.length = 0
    const line = await ask(
      backend.url,
      [
        ...[`${method} ${target} HTTP/1.1`, 'host: x', `authorization: Bearer ${key}`, 'connection: close'],
        ...['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`],
      ],
      body,
    )
    t.match(line, /^HTTP\/1\.1 \d{3}/, target)
    t.same(
      asked.filter(path => !own.includes(path)),
      [],
      target,
    )
  }
})
