import { connect, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { aHouse } from '#test/helpers/house.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { migratedPostgres, openUrl } from '#test/helpers/postgres-db.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** A way to the server that can be cut. */
const aWay = async (t: Test, to: number) => {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(socket => {
    if (isCut) return socket.destroy()
    const beyond = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [socket, beyond],
      [beyond, socket],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(() => {
    cut()
    server.close()
  })
  return {
    port: (server.address() as { port: number }).port,
    cut,
    mend: () => {
      isCut = false
    },
  }
}

t.test('a database that cannot be reached is said to pass, and is used again when it is back', async t => {
  const server = await postgresServer()
  const way = await aWay(t, server.port)
  const url = new URL(server.urlOf(await server.createDatabase(await migratedPostgres())))
  url.port = String(way.port)
  const databases = openUrl(url.href)
  const house = await aHouse(t, { databases })
  const { cookie } = await aMember({ databases })
  const headers = { cookie, origin: 'http://localhost:3000' }
  const calls = [
    { method: 'GET', url: '/api/whatsapp/conversations', headers },
    { method: 'POST', url: '/api/whatsapp/tags', headers, payload: { label: 'Mayorista' } },
    { method: 'POST', url: '/webhooks/whatsapp/nobody', payload: {} },
    { method: 'GET', url: '/api/auth/get-session', headers },
  ] as const
  const list = () => house.inject(calls[0])
  t.equal((await list()).statusCode, 200)

  way.cut()
  for (const call of calls) {
    const { statusCode, headers: said } = await house.inject(call)
    t.equal(statusCode, 503, `${call.method} ${call.url}`)
    t.match(said['retry-after'], /^\d+$/)
  }
  t.equal((await house.inject({ url: '/readyz' })).statusCode, 503)
  t.equal((await house.inject({ url: '/healthz' })).statusCode, 200, 'the process itself answers')

  way.mend()
  t.equal((await list()).statusCode, 200, 'the next call already')
  t.equal((await house.inject(calls[1])).statusCode, 201)
  house.clock.advance(5_000)
  t.equal((await house.inject({ url: '/readyz' })).statusCode, 200)
  await house.close()
  await databases.close()
})
