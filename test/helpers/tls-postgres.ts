import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

/** A certificate authority, the certificate of `localhost` that it signed, and an authority that signed nothing. */
export const tlsFile = (name: 'authority.pem' | 'stranger.pem' | 'server.pem' | 'server.key'): string =>
  fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))

/** @see PostgreSQL, Message Formats: SSLRequest */
const isTlsRequest = (data: Buffer) => data.length === 8 && data.readInt32BE(4) === 80_877_103

/**
 * A TLS proxy before a PostgreSQL server without TLS; it refuses plain connections. Returns its port and a counter of
 * connections.
 */
export const tlsPostgres = async (t: Pick<Test, 'teardown'>, to: number) => {
  const options = { key: readFileSync(tlsFile('server.key')), cert: readFileSync(tlsFile('server.pem')) }
  const sockets = new Set<Socket>()
  let sealed = 0
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', data => {
      if (!isTlsRequest(data)) return socket.destroy()
      socket.write('S')
      const inner = new TLSSocket(socket, { isServer: true, ...options })
      inner.on('error', () => socket.destroy())
      inner.once('secure', () => {
        sealed += 1
        const beyond = connect(to, '127.0.0.1')
        beyond.on('error', () => socket.destroy())
        inner.pipe(beyond).pipe(inner)
      })
    })
  })
  await new Promise<void>(resolve => server.listen(0, resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as { port: number }).port, sealed: () => sealed }
}
