import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '#test/helpers/sources.ts'

/** Below those that Linux gives to outgoing connections: nobody takes it while the server is down. */
const [lowestPort, highestPort] = [20_000, 30_000]

/** A port that is free: after each kill the server must start at the same address. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  try {
    server.listen(randomInt(lowestPort, highestPort), '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as { port: number }).port
  } catch {
    return freePort()
  } finally {
    server.close()
  }
}

const readyWithinMs = 120_000
const lookMs = 25

/** The real server as `npm start` runs it, in a process of its own, killed and restarted on the same data. */
export class ServerProcess {
  readonly url: string
  readonly #env: NodeJS.ProcessEnv
  #child: ChildProcess | undefined
  #output = ''
  /** Resolves when the running server accepts calls; replaced at every start. */
  ready: Promise<void> = Promise.resolve()
  constructor(port: number, env: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`
    const { PATH, HOME } = process.env
    this.#env = { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'warn', ...env }
  }

  start(): Promise<void> {
    this.#output = ''
    const child = spawn(process.execPath, [join(root, 'server/cli/run.mjs'), 'server/main.ts'], {
      cwd: root,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => (this.#output = (this.#output + chunk).slice(-20_000)))
    this.ready = this.#untilReady(child)
    return this.ready
  }

  async #untilReady(child: ChildProcess) {
    const until = Date.now() + readyWithinMs
    while (Date.now() < until) {
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${this.#output}`)
      const isReady = await fetch(`${this.url}/readyz`).then(
        async response => {
          await response.arrayBuffer()
          return response.ok
        },
        () => false,
      )
      if (isReady) return
      await sleep(lookMs)
    }
    // Nothing else would stop it, and a starting process disturbs the next ones.
    child.kill('SIGKILL')
    throw new Error(`The server was not ready within ${readyWithinMs} ms:\n${this.#output}`)
  }

  /** No shutdown, no flush: SIGKILL. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Returns the exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
    return child.exitCode
  }

  /** The end of the server's output. */
  get output(): string {
    return this.#output
  }
}
