import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive, at most 4 GB. */
export interface ZipFile {
  /** Separated by `/`. */
  readonly name: string
  readonly at: Date
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** False: compression would not help. */
  readonly isText: boolean
}

interface Written {
  /** A small buffer would keep the pool it is cut from, for each file. */
  readonly name: string
  readonly stamp: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

const version = 45
/** UTF-8 name; sizes follow the content. */
const flags = 0x0808
const deflated = 8
const max32 = 0xffffffff
const max16 = 0xffff

/** MS-DOS date and time, in UTC. */
const stampOf = (at: Date): number => {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107)
  const day = ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}

/** Little-endian fields of the given sizes. */
const fields = (...values: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer => {
  const buffer = Buffer.alloc(values.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of values) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}

const localHeader = (name: Buffer, stamp: number): Buffer =>
  Buffer.concat([
    fields([4, 0x04034b50], [2, version], [2, flags], [2, deflated], [4, stamp]),
    fields([4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]),
    name,
  ])

const centralHeader = ({ name: text, stamp, crc, packed, size, offset }: Written): Buffer => {
  const name = Buffer.from(text, 'utf8')
  const extra = offset < max32 ? Buffer.alloc(0) : fields([2, 1], [2, 8], [8, offset])
  return Buffer.concat([
    fields([4, 0x02014b50], [2, version], [2, version], [2, flags], [2, deflated], [4, stamp]),
    fields([4, crc], [4, packed], [4, size], [2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0]),
    fields([4, Math.min(offset, max32)]),
    name,
    extra,
  ])
}

const ending = (count: number, bytes: number, offset: number): Buffer => {
  const isLarge = count >= max16 || offset >= max32 || bytes >= max32
  const large = Buffer.concat([
    fields([4, 0x06064b50], [8, 44], [2, version], [2, version], [4, 0], [4, 0], [8, count], [8, count]),
    fields([8, bytes], [8, offset]),
    fields([4, 0x07064b50], [4, 0], [8, offset + bytes], [4, 1]),
  ])
  const small = Math.min(count, max16)
  return Buffer.concat([
    ...(isLarge ? [large] : []),
    fields([4, 0x06054b50], [2, 0], [2, 0], [2, small], [2, small]),
    fields([4, Math.min(bytes, max32)], [4, Math.min(offset, max32)], [2, 0]),
  ])
}

/**
 * Writes an archive file by file, keeping only names in memory. Any program opens it (ZIP 4.5: sizes after the content,
 * 64 bits for large files).
 */
export async function* zip(files: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const file of files) {
    const name = Buffer.from(file.name, 'utf8')
    const stamp = stampOf(file.at)
    const begin = offset
    let [crc, size, packed] = [0, 0, 0]
    const metered = async function* () {
      for await (const chunk of file.body) {
        crc = crc32(chunk, crc)
        size += chunk.byteLength
        yield chunk
      }
    }
    const header = localHeader(name, stamp)
    yield header
    // Level 1 takes less than half the processor time of the default, and the archive is a tenth larger.
    const deflate = createDeflateRaw(file.isText ? { level: 1 } : { level: 0, chunkSize: 1 << 18 })
    const pumped = pipeline(Readable.from(metered()), deflate)
    // The loop below throws the same error. This avoids an unhandled rejection.
    pumped.catch(() => {})
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      packed += chunk.length
      yield chunk
    }
    await pumped
    const behind = fields([4, 0x08074b50], [4, crc], [4, packed], [4, size])
    yield behind
    offset += header.length + packed + behind.length
    written.push({ name: file.name, stamp, crc, packed, size, offset: begin })
  }
  let bytes = 0
  for (const one of written) {
    const header = centralHeader(one)
    bytes += header.length
    yield header
  }
  yield ending(written.length, bytes, offset)
}
