import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type Coding, type CompressedReply, compressInto } from './compression.ts'

/** Parts that are the same for many pages are passed as bytes: encoding them costs a tenth of rendering a page. */
export type Piece = string | Uint8Array

/** The texts that are inserted around each piece of markup that React flushes. */
interface Around {
  /** Into the head of the first piece, before `</head>`. */
  head(): string
  /** After the first piece. */
  afterShell(): readonly Piece[]
  /** Before each later piece: the styles and data it needs. */
  ahead(): string
}

const bytesOf = (piece: Piece): Uint8Array => (typeof piece === 'string' ? Buffer.from(piece) : piece)

const headEnd = Buffer.from('</head>')
const documentEnd = Buffer.from('</body></html>')

/**
 * The stream that React writes to. React calls `flush` after whole elements; only there is it safe to insert something
 * between its bytes.
 */
export class PageStream extends EventEmitter {
  private pieces: Uint8Array[] = []
  private isFirst = true
  private hasEnded = false
  private readonly raw: ServerResponse
  private readonly around: Around
  private readonly coding: Coding | undefined
  private opened: CompressedReply | undefined
  constructor(raw: ServerResponse, around: Around, coding?: Coding) {
    super()
    this.raw = raw
    this.coding = coding
    this.around = around
    raw.on('drain', () => this.emit('drain'))
  }
  private get sink(): CompressedReply {
    this.opened ??= compressInto(this.raw, this.coding)
    return this.opened
  }
  write(piece: Piece): boolean {
    this.pieces.push(bytesOf(piece))
    return this.isFirst || !this.raw.writableNeedDrain
  }
  flush(): void {
    if (this.pieces.length === 0) return
    const markup = Buffer.concat(this.pieces)
    this.pieces = []
    this.sink.write(this.isFirst ? this.shell(markup) : Buffer.concat([Buffer.from(this.around.ahead()), markup]))
    this.isFirst = false
    // When nothing is left React ends in the same turn, and the end flushes.
    queueMicrotask(() => {
      if (!this.hasEnded) this.sink.flush()
    })
  }
  private shell(markup: Buffer): Buffer {
    const head = markup.indexOf(headEnd)
    // Without a document there is no place for styles and scripts.
    if (head < 0) return markup
    const isWhole = markup.subarray(-documentEnd.length).equals(documentEnd)
    const bodyEnd = isWhole ? markup.length - documentEnd.length : markup.length
    return Buffer.concat([
      markup.subarray(0, head),
      Buffer.from(this.around.head()),
      markup.subarray(head, bodyEnd),
      ...this.around.afterShell().map(bytesOf),
      markup.subarray(bodyEnd),
    ])
  }
  end(): void {
    this.flush()
    this.hasEnded = true
    this.sink.end()
    this.emit('end')
  }
  destroy(error?: Error): void {
    this.raw.destroy(error)
  }
}
