/** A line of a text file. */
export interface Line {
  /** The line number from 1. */
  readonly number: number
  readonly text: string
}

/** A longer line is cut: no message of WhatsApp is longer. */
export const lineMaxChars = 70_000

const encodingOf = (head: Uint8Array): string => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

/** The lines of a text as its bytes arrive. Holds one line, and what one chunk adds to it, in memory. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxChars = lineMaxChars): AsyncGenerator<Line> {
  let decoder: TextDecoder | undefined
  let number = 0
  let rest = ''
  const lineOf = (text: string): Line => {
    number += 1
    return { number, text: text.endsWith('\r') ? text.slice(0, -1) : text }
  }
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk))
    const text = decoder.decode(chunk, { stream: true })
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      yield lineOf((rest + text.slice(from, Math.min(end, from + maxChars))).slice(0, maxChars))
      rest = ''
      from = end + 1
    }
    if (rest.length < maxChars) rest += text.slice(from, from + maxChars)
  }
  rest += decoder?.decode() ?? ''
  if (rest) yield lineOf(rest.slice(0, maxChars))
}
