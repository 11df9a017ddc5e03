import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A TCP proxy to a PostgreSQL server that simulates network failures. */
export interface PostgresWay {
  readonly port: number
  /** Closes every connection and refuses new ones. */
  cut(): void
  mend(): void
  /** Drops all data of open connections without closing them, as if the other machine had lost power. */
  swallow(): void
  /** Delays all data by this time, in order. */
  delay(ms: number): void
  /** Sends new connections to another server. Open ones keep theirs. */
  lead(port: number): void
  /** Closes open connections. New ones work. */
  drop(): void
  /** Closes the connection instead of passing on the server's next chunk with this number, counted from 1. */
  dropAtAnswer(which: number): void
  /** Passes on the next COMMIT with this number, and closes the connection instead of passing on the answer. */
  loseAnswerOfCommit(which: number): void
  /** Commits sent since `loseAnswerOfCommit`. */
  commits(): number
}

/** The text that both query protocols send. */
const commitText = Buffer.from('commit\0')

export const postgresWay = async (t: Pick<Test, 'teardown'>, to: number): Promise<PostgresWay> => {
  const sockets = new Set<Socket>()
  let target = to
  let state: 'open' | 'cut' | 'swallowing' = 'open'
  let [commits, losesAt] = [0, 0]
  let [answers, dropsAt] = [0, 0]
  let delayMs = 0
  /** Timers with the same delay keep their order. Data sent during a longer delay also stays ahead of later data. */
  const carrier = (to: Socket) => {
    let last = 0
    return (data: Buffer) => {
      const due = Math.max(last, performance.now() + delayMs)
      last = due
      if (due <= performance.now()) to.write(data)
      else setTimeout(() => to.write(data), Math.ceil(due - performance.now()))
    }
  }
  const server = createServer(socket => {
    if (state === 'cut') return socket.destroy()
    const beyond = connect(target, '127.0.0.1')
    let isDeaf = false
    const [toServer, toClient] = [carrier(beyond), carrier(socket)]
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
    }
    socket.on('data', data => {
      if (state === 'swallowing') return
      if (data.includes(commitText)) {
        commits += 1
        isDeaf = commits === losesAt
      }
      toServer(data)
    })
    beyond.on('data', data => {
      answers += 1
      if (isDeaf || answers === dropsAt) socket.destroy()
      else if (state !== 'swallowing') toClient(data)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const cut = () => {
    state = 'cut'
    drop()
  }
  t.teardown(() => {
    cut()
    server.close()
  })
  return {
    port: (server.address() as { port: number }).port,
    cut,
    mend: () => {
      state = 'open'
    },
    swallow: () => {
      state = 'swallowing'
    },
    delay: ms => {
      delayMs = ms
    },
    lead: port => {
      target = port
    },
    drop,
    dropAtAnswer(which) {
      answers = 0
      dropsAt = which
    },
    loseAnswerOfCommit(which) {
      commits = 0
      losesAt = which
    },
    commits: () => commits,
  }
}
