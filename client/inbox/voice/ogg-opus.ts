import type { OpusSound } from './webm-opus.ts'

/** Samples per second that Ogg uses for Opus, whatever the recording's rate. */
const rate = 48_000
const packetsPerPage = 50
const maxSegments = 255
const headerBytes = 27
const isFirst = 2
const isLast = 4

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  return crc >>> 0
})
const crcOf = (bytes: Uint8Array): number =>
  bytes.reduce((crc, byte) => ((crc << 8) ^ (crcTable[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0, 0)

/** Length of a packet in samples. @see RFC 6716 §3.1 */
export const samplesOf = (packet: Uint8Array): number => {
  const [toc = 0, count = 0] = packet
  const mode = toc >> 3
  const ms = mode < 12 ? [10, 20, 40, 60][mode & 3] : mode < 16 ? [10, 20][mode & 1] : [2.5, 5, 10, 20][mode & 3]
  const frames = [1, 2, 2, count & 0x3f][toc & 3] ?? 1
  return ((ms ?? 20) * frames * rate) / 1000
}

/** The lengths of a packet's 255-byte segments. If the last is full, an empty one follows. */
const segmentsOf = (packet: Uint8Array): number[] => {
  const whole = Math.floor(packet.length / 255)
  return [...Array<number>(whole).fill(255), packet.length % 255]
}

const page = (
  packets: readonly Uint8Array[],
  { flags, samples, sequence }: { flags: number; samples: number; sequence: number },
): Uint8Array => {
  const segments = packets.flatMap(segmentsOf)
  const body = headerBytes + segments.length
  const bytes = new Uint8Array(body + packets.reduce((sum, { length }) => sum + length, 0))
  const view = new DataView(bytes.buffer)
  bytes.set([0x4f, 0x67, 0x67, 0x53, 0, flags])
  view.setBigUint64(6, BigInt(samples), true)
  // The file has one stream, so any serial number is valid.
  view.setUint32(14, 1, true)
  view.setUint32(18, sequence, true)
  bytes[26] = segments.length
  bytes.set(segments, headerBytes)
  let at = body
  for (const packet of packets) {
    bytes.set(packet, at)
    at += packet.length
  }
  view.setUint32(22, crcOf(bytes), true)
  return bytes
}

const tags = (): Uint8Array => {
  const vendor = new TextEncoder().encode('Recado')
  const bytes = new Uint8Array(8 + 4 + vendor.length + 4)
  bytes.set(new TextEncoder().encode('OpusTags'))
  new DataView(bytes.buffer).setUint32(8, vendor.length, true)
  bytes.set(vendor, 12)
  return bytes
}

/** Writes the sound as Ogg, which WhatsApp requires for voice. @see RFC 7845 */
export function writeOgg({ head, packets }: OpusSound): Uint8Array<ArrayBuffer>[] {
  const pages = [
    page([head], { flags: isFirst, samples: 0, sequence: 0 }),
    page([tags()], { flags: 0, samples: 0, sequence: 1 }),
  ]
  let some: Uint8Array[] = []
  let segments = 0
  let samples = 0
  const close = (flags: number) => {
    pages.push(page(some, { flags, samples, sequence: pages.length }))
    some = []
    segments = 0
  }
  for (const packet of packets) {
    const more = segmentsOf(packet).length
    if (some.length === packetsPerPage || segments + more > maxSegments) close(0)
    some.push(packet)
    segments += more
    samples += samplesOf(packet)
  }
  close(isLast)
  return pages as Uint8Array<ArrayBuffer>[]
}
