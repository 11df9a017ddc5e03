import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import t from 'tap'
import { closeUnusedSockets } from '#server/platform/http/unused-sockets.ts'

const openApp = async () => {
  const app = Fastify({ forceCloseConnections: 'idle' })
  closeUnusedSockets(app)
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
