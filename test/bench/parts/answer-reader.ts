const headEnd = Buffer.from('\r\n\r\n')

/** Reads one HTTP/1.1 answer after another of a connection without pipelining; says when one is complete. */
export class AnswerReader {
  status = 0
  private head: Buffer | undefined = Buffer.alloc(0)
  private left = 0
  private isChunked = false
  private line = ''
  private isTail = false

  /** True when the answer ends with these bytes. */
  feed(bytes: Buffer): boolean {
    if (!this.head) return this.body(bytes)
    this.head = this.head.length ? Buffer.concat([this.head, bytes]) : bytes
    const end = this.head.indexOf(headEnd)
    if (end < 0) return false
    const head = this.head.toString('latin1', 0, end)
    const rest = this.head.subarray(end + 4)
    this.head = undefined
    this.status = Number(head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    this.isChunked = length === undefined && this.status !== 204
    this.left = Number(length ?? 0)
    this.line = ''
    this.isTail = false
    return this.body(rest)
  }

  private body(bytes: Buffer): boolean {
    const done = this.isChunked ? this.chunks(bytes) : this.counted(bytes)
    if (done) this.head = Buffer.alloc(0)
    return done
  }

  private counted(bytes: Buffer): boolean {
    this.left -= bytes.length
    return this.left <= 0
  }

  private chunks(bytes: Buffer): boolean {
    let at = 0
    while (at < bytes.length) {
      if (this.left > 0) {
        const step = Math.min(this.left, bytes.length - at)
        this.left -= step
        at += step
        continue
      }
      const end = bytes.indexOf(10, at)
      this.line += bytes.toString('latin1', at, end < 0 ? bytes.length : end + 1)
      if (end < 0) return false
      at = end + 1
      const text = this.line.trim()
      this.line = ''
      if (this.isTail && text === '') return true
      const size = Number.parseInt(text, 16)
      if (size === 0) this.isTail = true
      // The chunk and the line end after it.
      else this.left = size + 2
    }
    return false
  }
}
