/** One message of a stream. `oversized`: its data is larger than the limit and left out. */
export interface SseMessage {
  /** Its `id:`. Undefined: it has none. */
  readonly id: string | undefined
  readonly data: string
  readonly oversized: boolean
}

/**
 * Reads `text/event-stream`, chunk by chunk. Holds at most `maxChars` of one message: the rest of a larger one is
 * skipped up to the empty line that ends it.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function createSseParser({ maxChars }: { readonly maxChars: number }) {
  const decoder = new TextDecoder()
  /** The beginning of a line whose end has not come. */
  let rest = ''
  let isLineTooLong = false
  /** The last chunk ended with CR: an LF that follows belongs to it. */
  let endedWithCr = false
  let id: string | undefined
  let data: string[] = []
  let chars = 0
  let oversized = false

  const readLine = (line: string): void => {
    const at = line.indexOf(':')
    const field = at < 0 ? line : line.slice(0, at)
    const value = at < 0 ? '' : line.slice(line[at + 1] === ' ' ? at + 2 : at + 1)
    if (field === 'id' && !value.includes('\0')) id = value
    if (field !== 'data') return
    chars += value.length + 1
    if (chars > maxChars) {
      oversized = true
      data = []
    } else if (!oversized) data.push(value)
  }

  const endMessage = (): SseMessage | undefined => {
    const message = data.length || oversized ? { id, data: data.join('\n'), oversized } : undefined
    id = undefined
    data = []
    chars = 0
    oversized = false
    return message
  }

  return {
    /** The messages that end in this chunk. */
    push(chunk: Uint8Array): SseMessage[] {
      let text = decoder.decode(chunk, { stream: true })
      if (endedWithCr && text.startsWith('\n')) text = text.slice(1)
      if (text) endedWithCr = text.endsWith('\r')
      const messages: SseMessage[] = []
      const lines = text.split(/\r\n|\r|\n/)
      const last = lines.pop() ?? ''
      for (const [i, part] of lines.entries()) {
        const line = i === 0 ? rest + part : part
        const isSkipped = i === 0 && isLineTooLong
        if (isSkipped) oversized = true
        if (i === 0) {
          rest = ''
          isLineTooLong = false
        }
        if (line === '' && !isSkipped) {
          const message = endMessage()
          if (message) messages.push(message)
        } else if (!isSkipped) readLine(line)
      }
      rest += last
      if (isLineTooLong || rest.length > maxChars) {
        isLineTooLong = true
        rest = ''
      }
      return messages
    },
  }
}
