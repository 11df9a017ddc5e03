import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A way to a server of PostgreSQL on which things go wrong. */
export interface PostgresWay {
  readonly port: number
  /** Every connection ends, and no new one comes about. */
  cut(): void
  mend(): void
  /** Nothing arrives any more on connections that stay open, as when the machine at the other end is gone. */
  swallow(): void
  /** What is sent arrives so much later, in its order. */
  delay(ms: number): void
  /** New connections come to another server; open ones stay where they are. */
  lead(port: number): void
  /** Each open connection ends; a new one comes about. */
  drop(): void
  /** The so-manieth piece from now on that the server says is never heard: its connection ends instead. */
  dropAtAnswer(which: number): void
  /** The so-manieth COMMIT from now on arrives, and what the server says to it is never heard. */
  loseAnswerOfCommit(which: number): void
  /** How many were sent since `loseAnswerOfCommit`. */
  commits(): number
}

/** What the wire carries for it, whichever way it is asked. */
const commitText = Buffer.from('commit\0')

export const postgresWay = async (t: Pick<Test, 'teardown'>, to: number): Promise<PostgresWay> => {
  const sockets = new Set<Socket>()
  let target = to
  let state: 'open' | 'cut' | 'swallowing' = 'open'
  let [commits, losesAt] = [0, 0]
  let [answers, dropsAt] = [0, 0]
  let delayMs = 0
  /** Timers keep the order of what waits as long; what was sent while it was slower stays before what comes after. */
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
