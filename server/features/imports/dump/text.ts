import { ImportStopped } from '../work/stopped.ts'

/** Names of encodings in PostgreSQL and MySQL, and the names for `TextDecoder`. */
const encodings: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  sql_ascii: 'utf-8',
  binary: 'utf-8',
  ascii: 'utf-8',
  latin1: 'windows-1252',
  win1252: 'windows-1252',
  latin9: 'iso-8859-15',
  latin2: 'iso-8859-2',
  win1250: 'windows-1250',
  win1251: 'windows-1251',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
}
const stated = /client_encoding\s*(?:=|to)\s*'([\w-]+)'|SET NAMES '?([\w-]+)/i
/** Both programs say it in their first lines. */
const sniffedBytes = 16 * 1024

const decoderFor = (head: Uint8Array): TextDecoder => {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le')
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be')
  const text = Buffer.from(head.subarray(0, sniffedBytes)).toString('latin1')
  const match = stated.exec(text)
  const said = (match?.[1] ?? match?.[2] ?? 'utf8').toLowerCase()
  const encoding = encodings[said]
  if (encoding === undefined) throw new ImportStopped('encoding')
  // PostgreSQL keeps texts only in the encoding that it states. Columns of bytes are mixed into a dump of MySQL.
  return new TextDecoder(encoding, { fatal: match?.[1] !== undefined && said !== 'sql_ascii' })
}

/** The text of a dump in the encoding that it states. @throws ImportStopped for one that it is not in, or not known */
export async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? ''
    } catch (error) {
      throw new ImportStopped('encoding', { cause: error })
    }
  }
  let head: Uint8Array = new Uint8Array()
  for await (const chunk of chunks) {
    if (decoder) {
      yield decode(chunk)
      continue
    }
    head = head.length ? Buffer.concat([head, chunk]) : chunk
    if (head.length < sniffedBytes) continue
    decoder = decoderFor(head)
    yield decode(head)
  }
  if (!decoder) {
    decoder = decoderFor(head)
    yield decode(head)
  }
  yield decode()
}
