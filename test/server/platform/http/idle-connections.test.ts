import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import t from 'tap'
import { endIdleConnections } from '#server/platform/http/idle-connections.ts'

const openApp = async () => {
  const app = Fastify({ forceCloseConnections: 'idle' })
  endIdleConnections(app)
  let answer = () => {}
  const asked = new Promise<void>(resolve => {
    app.get('/slow', async () => {
      resolve()
      await new Promise<void>(done => {
        answer = done
      })
      return 'answered'
    })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { app, port, asked, answer: () => answer() }
}

t.test('a connection without a request does not delay the end of the app', async t => {
  const { app, port } = await openApp()
  const accepted = once(app.server, 'connection')
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await accepted
  const ended = once(socket, 'close')
  await app.close()
  await ended
  t.ok(socket.closed)
})

t.test('a request that is being answered when the app closes gets its answer', async t => {
  const { app, port, asked, answer } = await openApp()
  const reply = fetch(`http://127.0.0.1:${port}/slow`)
  await asked
  const closed = app.close()
  answer()
  t.equal(await (await reply).text(), 'answered')
  await closed
})

t.test('a response that ends after the close began does not leave its connection open', async t => {
  const { app, port, asked, answer } = await openApp()
  const reply = fetch(`http://127.0.0.1:${port}/slow`)
  await asked
  const closed = app.close()
  // By now Node has closed the connections that were idle when the close began.
  await setTimeout(100)
  answer()
  const late = new AbortController()
  const isClosed = await Promise.race([
    closed.then(() => true),
    setTimeout(10_000, false, { signal: late.signal }).catch(() => false),
  ])
  late.abort()
  t.ok(isClosed)
  t.equal(await (await reply).text(), 'answered')
})
