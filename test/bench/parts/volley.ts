import { connect, type Socket } from 'node:net'
import { AnswerReader } from './answer-reader.ts'

export interface Order {
  readonly port: number
  readonly connections: number
  readonly count: number
  /** The whole request of the i-th shot, ready for the wire. */
  request(i: number): Buffer
  /** Shots a second, sent when they are due whether or not earlier ones were answered; absent: as fast as answers come. */
  readonly rate?: number
  onAnswer?(i: number, status: number): void
}

export interface Outcome {
  readonly seconds: number
  readonly answered: number
  /** Answers that were not 2xx, and connections that broke. */
  readonly faults: number
  readonly bytes: number
  /** When each shot was due, on this process's clock. */
  readonly due: Float64Array
  /** Milliseconds to the first and to the last byte. At a fixed rate both count from when the shot was due. */
  readonly first: Float64Array
  readonly last: Float64Array
}

interface Gun {
  readonly socket: Socket
  readonly reader: AnswerReader
  shot: number
}

/**
 * Sends so many prepared requests over keep-alive connections and notes every answer: who was told 200 is known one by
 * one, which no load tool tells. At a fixed rate a slow answer delays nobody's start, and what had to queue is counted.
 */
export async function volley(order: Order): Promise<Outcome> {
  const { count, rate } = order
  const due = new Float64Array(count)
  const first = new Float64Array(count)
  const last = new Float64Array(count)
  let [sent, answered, faults, bytes] = [0, 0, 0, 0]
  const guns: Gun[] = []
  const idle: Gun[] = []
  const begin = performance.now()
  let timer: NodeJS.Timeout | undefined

  await new Promise<void>((resolve, reject) => {
    const fire = (gun: Gun) => {
      gun.shot = sent
      due[sent] = rate ? begin + (sent * 1000) / rate : performance.now()
      gun.socket.write(order.request(sent))
      sent += 1
    }
    const isDue = () => sent < count && (!rate || performance.now() - begin >= (sent * 1000) / rate)
    const receive = (gun: Gun, data: Buffer) => {
      const { shot } = gun
      const now = performance.now()
      bytes += data.length
      if (!first[shot]) first[shot] = now - (due[shot] as number)
      if (!gun.reader.feed(data)) return
      last[shot] = now - (due[shot] as number)
      answered += 1
      if (gun.reader.status < 200 || gun.reader.status > 299) faults += 1
      order.onAnswer?.(shot, gun.reader.status)
      if (answered === count) resolve()
      else if (isDue()) fire(gun)
      else idle.push(gun)
    }
    for (let i = 0; i < order.connections; i += 1) {
      const gun: Gun = {
        socket: connect({ port: order.port, host: '127.0.0.1', noDelay: true }),
        reader: new AnswerReader(),
        shot: -1,
      }
      gun.socket.on('connect', () => (isDue() ? fire(gun) : idle.push(gun)))
      gun.socket.on('data', data => receive(gun, data))
      gun.socket.on('error', reject)
      gun.socket.on('close', () => reject(new Error(`A connection was closed after ${answered} of ${count} answers`)))
      guns.push(gun)
    }
    if (rate)
      timer = setInterval(() => {
        while (idle.length && isDue()) fire(idle.pop() as Gun)
      }, 1)
  }).finally(() => {
    clearInterval(timer)
    for (const { socket } of guns)
      socket
        .removeAllListeners('close')
        .on('error', () => undefined)
        .destroy()
  })
  return { seconds: (performance.now() - begin) / 1000, answered, faults, bytes, due, first, last }
}
