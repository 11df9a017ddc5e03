import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort, ServerProcess } from '#test/crash/server-process.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { openUrl } from '#test/helpers/postgres-db.ts'

/** The processes of a story's installation: one on SQLite, or two on PostgreSQL. */
export type Processes = Pick<ServerProcess, 'url' | 'start' | 'stop' | 'output'>

/** A round-robin proxy: each new connection goes to the next process, so both answer one page's requests. */
class InTurn {
  readonly #ports: readonly number[]
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #turn = 0
  constructor(ports: readonly number[]) {
    this.#ports = ports
  }

  async open(port: number): Promise<void> {
    this.#server = createServer(socket => {
      this.#turn += 1
      const beyond = connect(this.#ports[this.#turn % this.#ports.length] as number, '127.0.0.1')
      for (const [one, other] of [
        [socket, beyond],
        [beyond, socket],
      ] as const) {
        this.#sockets.add(one)
        one.on('error', () => other.destroy())
        one.on('close', () => {
          this.#sockets.delete(one)
          other.destroySoon()
        })
        one.pipe(other)
      }
    })
    await once(this.#server.listen(port, '127.0.0.1'), 'listening')
  }

  async close(): Promise<void> {
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
    this.#server = undefined
  }
}

/** Two processes on one PostgreSQL, behind one address. */
export class TwoOnPostgres implements Processes {
  readonly url: string
  readonly databaseUrl: string
  readonly #port: number
  readonly #members: readonly ServerProcess[]
  readonly #way: InTurn
  private constructor(port: number, ports: readonly number[], env: Record<string, string>, databaseUrl: string) {
    this.url = `http://127.0.0.1:${port}`
    this.databaseUrl = databaseUrl
    this.#port = port
    this.#members = ports.map(
      one => new ServerProcess(one, { ...env, PUBLIC_URL: this.url, DATABASE_URL: databaseUrl }),
    )
    this.#way = new InTurn(ports)
  }

  static async make(env: Record<string, string>): Promise<TwoOnPostgres> {
    const server = await postgresServer()
    const databaseUrl = server.urlOf(await server.createDatabase())
    return new TwoOnPostgres(await freePort(), [await freePort(), await freePort()], env, databaseUrl)
  }

  openDatabases = () => openUrl(this.databaseUrl)

  async start(): Promise<void> {
    await Promise.all(this.#members.map(member => member.start()))
    await this.#way.open(this.#port)
  }

  /** Returns the first exit code that is not 0. */
  async stop(): Promise<number | null> {
    const codes = await Promise.all(this.#members.map(member => member.stop()))
    await this.#way.close()
    return codes.find(code => code !== 0) ?? 0
  }

  get output(): string {
    return this.#members.map(member => member.output).join('\n')
  }
}
