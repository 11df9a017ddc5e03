import { crc32, deflateSync } from 'node:zlib'
import { sampleVideo } from './sample-video.ts'

/** Small generated files, for customers who send a file without choosing one. */
export interface Sample {
  mime: string
  name: string | null
  bytes: Buffer
}

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A colour gradient in steps, 8-bit RGB. */
const png = (size = 96): Buffer => {
  const rows = Buffer.alloc(size * (1 + size * 3))
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const at = y * (1 + size * 3) + 1 + x * 3
      rows.set([40 + Math.floor(x / 16) * 26, 120 + Math.floor(y / 16) * 16, 160], at)
    }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** One page with one line. The cross-reference table needs byte offsets. */
const pdf = (): Buffer => {
  const stream = 'BT /F1 24 Tf 72 720 Td (Recado) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const xref = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** Ogg's checksum: polynomial 04c11db7, neither reflected nor inverted. @see RFC 3533 */
const oggCrc = (bytes: Buffer): number => {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1) >>> 0
  }
  return crc >>> 0
}

const oggPage = (packets: readonly Buffer[], facts: { flags: number; samples: number; sequence: number }): Buffer => {
  const header = Buffer.alloc(27 + packets.length)
  header.write('OggS', 0, 'latin1')
  header[5] = facts.flags
  header.writeBigInt64LE(BigInt(facts.samples), 6)
  header.writeUInt32LE(0x5245_4341, 14)
  header.writeUInt32LE(facts.sequence, 18)
  header[26] = packets.length
  header.set(
    packets.map(packet => packet.length),
    27,
  )
  const page = Buffer.concat([header, ...packets])
  page.writeUInt32LE(oggCrc(page), 22)
  return page
}

/** A second of silence: fifty Opus frames of 20 ms, mono. @see RFC 7845, RFC 6716 §3.1 */
const voiceNote = (): Buffer => {
  const head = Buffer.alloc(19)
  head.write('OpusHead', 0, 'latin1')
  head.set([1, 1], 8)
  head.writeUInt16LE(312, 10)
  head.writeUInt32LE(48_000, 12)
  const tags = Buffer.concat([Buffer.from('OpusTags\x06\0\0\0Recado\0\0\0\0', 'latin1')])
  const frames = Array.from({ length: 50 }, () => Buffer.from([0xf8, 0xff, 0xfe]))
  return Buffer.concat([
    oggPage([head], { flags: 2, samples: 0, sequence: 0 }),
    oggPage([tags], { flags: 0, samples: 0, sequence: 1 }),
    oggPage(frames, { flags: 4, samples: 48_000 + 312, sequence: 2 }),
  ])
}

/** A second of silent MP3: frames of MPEG 1 layer III, 32 kbit/s, 44.1 kHz, mono; zeros are silence. */
const song = (): Buffer => {
  const frame = Buffer.alloc(104)
  frame.set([0xff, 0xfb, 0x10, 0xc4])
  return Buffer.concat(Array.from({ length: 38 }, () => frame))
}

/** Writes bits from the lowest up, as VP8L requires. */
const bitWriter = () => {
  const bits: number[] = []
  return {
    put(value: number, count: number) {
      for (let i = 0; i < count; i += 1) bits.push((value >> i) & 1)
    },
    bytes: () =>
      Buffer.from(
        Array.from({ length: Math.ceil(bits.length / 8) }, (_, i) =>
          bits.slice(i * 8, i * 8 + 8).reduce((byte, bit, at) => byte | (bit << at), 0),
        ),
      ),
  }
}

/** A lossless 512×512 picture of one colour: each code has one symbol, so pixels take no bits. @see RFC 9649 §3 */
const webp = (): Buffer => {
  const out = bitWriter()
  out.put(511, 14)
  out.put(511, 14)
  out.put(0, 1 + 3)
  // No transform, no colour cache, one group of codes.
  out.put(0, 1 + 1 + 1)
  for (const symbol of [0xb4, 0x2e, 0x7a, 0xff, 0]) {
    // A simple code with one 8-bit symbol.
    out.put(1, 1)
    out.put(0, 1)
    out.put(1, 1)
    out.put(symbol, 8)
  }
  const data = Buffer.concat([Buffer.from([0x2f]), out.bytes()])
  const padded = data.length % 2 ? Buffer.concat([data, Buffer.alloc(1)]) : data
  const header = Buffer.alloc(20)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(12 + padded.length, 4)
  header.write('WEBPVP8L', 8, 'latin1')
  header.writeUInt32LE(data.length, 16)
  return Buffer.concat([header, padded])
}

const samples: Readonly<Record<string, () => Sample>> = {
  image: () => ({ mime: 'image/png', name: null, bytes: png() }),
  sticker: () => ({ mime: 'image/webp', name: null, bytes: webp() }),
  document: () => ({ mime: 'application/pdf', name: 'recado.pdf', bytes: pdf() }),
  voice: () => ({ mime: 'audio/ogg; codecs=opus', name: null, bytes: voiceNote() }),
  audio: () => ({ mime: 'audio/mpeg', name: null, bytes: song() }),
  video: () => ({ mime: 'video/mp4', name: null, bytes: sampleVideo() }),
}

/** A file of this kind; a document for kinds without files of their own. */
export const mediaSample = (kind: string): Sample => (samples[kind] ?? samples.document)?.() as Sample
