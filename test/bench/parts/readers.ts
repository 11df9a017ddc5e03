import { connect, type Socket } from 'node:net'

export interface ReadersOrder {
  readonly port: number
  readonly path?: string
  readonly count: number
  /** Readers take these in turn. */
  readonly cookies: readonly string[]
  /** Notes when each word that begins so was first seen: what an event is recognized by. */
  readonly wants?: string
  /** Notes the delay of each event that carries `"sentAt":` (milliseconds of the clock both processes share). */
  readonly timesFrom?: () => boolean
}

export interface Reader {
  readonly socket: Socket
  /** Events counted by their `id:`. */
  events: number
  /** Numbers that did not follow the one before. */
  gaps: number
  lastId: number
  closed: boolean
  /** When a wanted word came, by the word. */
  readonly seen: Map<string, number>
  /** Milliseconds from `sentAt` to here. */
  readonly delays: number[]
  tail: string
}

export interface Readers {
  readonly list: readonly Reader[]
  readonly bytes: number
  close(): void
}

/** Connects one by one in small groups: a storm of connections is another measurement. */
const atOnce = 50

/**
 * Readers of an event stream, thousands in one process: raw sockets and no more parsing than the count needs.
 * Resolves when every one of them has its first bytes.
 */
export async function openReaders(order: ReadersOrder): Promise<Readers> {
  const list: Reader[] = []
  let bytes = 0
  const open = (i: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true })
      const reader: Reader = {
        socket,
        events: 0,
        gaps: 0,
        lastId: -1,
        closed: false,
        seen: new Map(),
        delays: [],
        tail: '',
      }
      list.push(reader)
      const cookie = order.cookies[i % order.cookies.length]
      socket.write(
        `GET ${order.path ?? '/api/sse'} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n${cookie ? `cookie: ${cookie}\r\n` : ''}\r\n`,
      )
      socket.once('data', first => {
        const status = first.toString('latin1', 9, 12)
        if (status === '200') resolve()
        else reject(new Error(`The stream was refused with ${status}`))
      })
      socket.on('data', data => {
        bytes += data.length
        take(reader, data, order)
      })
      socket.on('error', () => undefined)
      socket.once('close', () => {
        reader.closed = true
        reject(new Error('The stream was closed at once'))
      })
    })
  for (let from = 0; from < order.count; from += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, order.count - from) }, (_, i) => open(from + i)))
  return {
    list,
    get bytes() {
      return bytes
    },
    close() {
      for (const { socket } of list) socket.destroy()
    },
  }
}

const sentMark = '"sentAt":'

/** Whole blocks only: what a piece of the network cuts off waits for the next piece. */
const take = (reader: Reader, data: Buffer, order: ReadersOrder) => {
  const text = reader.tail + data.toString('latin1')
  const now = performance.timeOrigin + performance.now()
  let begin = 0
  for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', begin)) {
    const at = text.indexOf('id:', begin)
    if (at >= 0 && at < end) {
      const id = Number.parseInt(text.slice(at + 3, at + 20), 10)
      const body = text.indexOf('data:', begin)
      // A block of only `id:` moves the place and is no event.
      if (body >= 0 && body < end) {
        reader.events += 1
        if (reader.lastId >= 0 && id !== reader.lastId + 1) reader.gaps += 1
        if (order.wants) note(reader, text.slice(body, end), order.wants)
        if (order.timesFrom?.()) {
          const sent = text.indexOf(sentMark, body) + sentMark.length
          if (sent > sentMark.length && sent < end)
            reader.delays.push(now - Number.parseFloat(text.slice(sent, sent + 20)))
        }
      }
      reader.lastId = id
    }
    begin = end + 2
  }
  reader.tail = text.slice(begin)
}

const note = (reader: Reader, block: string, wants: string) => {
  const at = block.indexOf(wants)
  if (at < 0) return
  const word = block.slice(at, block.indexOf('"', at))
  if (!reader.seen.has(word)) reader.seen.set(word, performance.now())
}
