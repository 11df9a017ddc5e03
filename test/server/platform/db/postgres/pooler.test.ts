import { connect, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { readPostgresUrl } from '#server/platform/db/postgres/address.ts'
import { examinePostgres } from '#server/platform/db/postgres/examine.ts'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { openUrl } from '#test/helpers/postgres-db.ts'

const server = await postgresServer()

interface Habits {
  /** When a server session is given to the next client. */
  readonly after: 'transaction' | 'session'
  /** Accepts a connection's settings and forgets them. */
  readonly dropsSettings?: boolean
}

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const numbered = (...numbers: number[]) => {
  const body = Buffer.alloc(numbers.length * 4)
  for (const [i, number] of numbers.entries()) body.writeInt32BE(number, i * 4)
  return body
}
/** Authentication succeeded, with a process id that the pooler makes up. */
const welcome = Buffer.concat([message('R', numbered(0)), message('K', numbered(7, 7)), message('Z', Buffer.from('I'))])

const withoutSettings = (startup: Buffer) => {
  const fields = startup.subarray(8).toString('latin1').split('\0').slice(0, -2)
  const at = fields.findIndex((field, i) => i % 2 === 0 && field === 'options')
  fields.splice(at, 2)
  const body = Buffer.concat([startup.subarray(4, 8), Buffer.from(`${fields.join('\0')}\0\0`, 'latin1')])
  return Buffer.concat([numbered(body.length + 4), body])
}

/** A server session and its current holder. */
interface Session {
  socket: Socket
  holder: Socket | undefined
  isReady: boolean
  waiting: Buffer[]
}

/** A minimal pooler in front of the server; returns its port. */
const aPooler = async (t: Test, { after, dropsSettings = false }: Habits): Promise<number> => {
  const sockets = new Set<Socket>()
  const idle: Session[] = []
  const open = (startup: Buffer): Session => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(startup))
    const session: Session = { socket, holder: undefined, isReady: false, waiting: [] }
    sockets.add(socket)
    let unread = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', chunk => {
      unread = Buffer.concat([unread, chunk])
      while (unread.length >= 5 && unread.length > unread.readInt32BE(1)) {
        const part = unread.subarray(0, unread.readInt32BE(1) + 1)
        unread = unread.subarray(part.length)
        if (session.isReady) session.holder?.write(part)
        if (part[0] !== 'Z'.charCodeAt(0)) continue
        session.isReady = true
        for (const one of session.waiting.splice(0)) socket.write(one)
      }
    })
    return session
  }
  const listening = createServer(client => {
    sockets.add(client)
    let startup: Buffer | undefined
    let session: Session | undefined
    client.on('error', () => undefined)
    client.on('data', chunk => {
      if (!startup) {
        startup = dropsSettings ? withoutSettings(chunk) : chunk
        client.write(welcome)
        return
      }
      if (chunk[0] === 'X'.charCodeAt(0)) {
        client.end()
        return
      }
      if (!session) {
        session = idle.pop() ?? open(startup)
        const taken = session
        taken.holder = client
        const seen = (data: Buffer) => {
          // The end of an answer: no transaction is open.
          const isOver = taken.isReady && data.subarray(-6).equals(message('Z', Buffer.from('I')))
          if (after === 'session' || !isOver || taken.waiting.length) return
          taken.socket.off('data', seen)
          taken.holder = undefined
          session = undefined
          idle.push(taken)
        }
        // From the second answer on; the first only completes the startup.
        if (taken.isReady) taken.socket.on('data', seen)
        else taken.socket.once('data', () => setImmediate(() => taken.socket.on('data', seen)))
      }
      if (session.isReady) session.socket.write(chunk)
      else session.waiting.push(chunk)
    })
  })
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    listening.close()
  })
  return (listening.address() as { port: number }).port
}

/** What a start behind such a pooler prints; undefined: it starts. */
const saysBehind = async (t: Test, habits: Habits): Promise<string | undefined> => {
  const url = new URL(server.urlOf(await server.createDatabase()))
  url.port = String(await aPooler(t, habits))
  const { address } = readPostgresUrl(url.href)
  if (!address) throw new Error('no address')
  const databases = openUrl(url.href)
  t.teardown(() => databases.close())
  try {
    await examinePostgres(databases.write, address)
    return undefined
  } catch (error) {
    if (error instanceof InstallationFault) return error.message
    throw error
  }
}

t.test('a pooler in transaction mode stops the start with its fix', async t =>
  t.match(
    await saysBehind(t, { after: 'transaction' }),
    /^What answers at 127\.0\.0\.1:\d+ shares connections out by transactions, .*: name PostgreSQL itself in DATABASE_URL, or a pool of whole sessions$/,
  ),
)

t.test('a pooler that drops settings of a connection stops the start with its fix', async t => {
  for (const after of ['transaction', 'session'] as const)
    t.match(
      await saysBehind(t, { after, dropsSettings: true }),
      /^What answers at 127\.0\.0\.1:\d+ drops the settings of a connection, as PgBouncer may: name PostgreSQL itself/,
      after,
    )
})

t.test('a pooler in session mode is accepted', async t => t.equal(await saysBehind(t, { after: 'session' }), undefined))
