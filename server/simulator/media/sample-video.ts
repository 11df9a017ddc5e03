/**
 * A one-picture video that every player opens: H.264 with uncompressed blocks (I_PCM) in an MP4 with one track. @see
 * ITU-T H.264 §7.3, ISO/IEC 14496-12
 */
const blocks = 2
const pixels = blocks * 16
const durationMs = 1000

/** Writes bits from the highest down, and H.264's exponential-Golomb numbers. */
const bitWriter = () => {
  const bits: number[] = []
  const put = (value: number, count: number) => {
    for (let i = count - 1; i >= 0; i -= 1) bits.push((value >> i) & 1)
  }
  return {
    put,
    golomb(value: number) {
      const length = 32 - Math.clz32(value + 1)
      put(0, length - 1)
      put(value + 1, length)
    },
    align() {
      while (bits.length % 8) bits.push(0)
    },
    /** The stop bit, then zeros up to the byte. */
    end(): Buffer {
      put(1, 1)
      while (bits.length % 8) bits.push(0)
      return Buffer.from(
        Array.from({ length: bits.length / 8 }, (_, i) =>
          bits.slice(i * 8, i * 8 + 8).reduce((byte, bit) => (byte << 1) | bit, 0),
        ),
      )
    },
  }
}

/** Inserts a 3 after two zeros before a small byte, which would look like a start code. */
const guarded = (payload: Buffer): Buffer => {
  const bytes: number[] = []
  for (const byte of payload) {
    if (byte <= 3 && bytes.at(-1) === 0 && bytes.at(-2) === 0) bytes.push(3)
    bytes.push(byte)
  }
  return Buffer.from(bytes)
}
const unit = (header: number, payload: Buffer) => Buffer.concat([Buffer.from([header]), guarded(payload)])

/** Baseline, level 1, no reordering. */
const sequenceParameters = (): Buffer => {
  const out = bitWriter()
  out.put(66, 8)
  out.put(0xc0, 8)
  out.put(10, 8)
  for (const value of [0, 0, 2, 1]) out.golomb(value)
  out.put(0, 1)
  out.golomb(blocks - 1)
  out.golomb(blocks - 1)
  // Frames only, direct inference, no cropping, no usability information.
  out.put(0b1100, 4)
  return unit(0x67, out.end())
}

const pictureParameters = (): Buffer => {
  const out = bitWriter()
  out.golomb(0)
  out.golomb(0)
  out.put(0, 2)
  for (let i = 0; i < 3; i += 1) out.golomb(0)
  out.put(0, 3)
  for (let i = 0; i < 3; i += 1) out.golomb(0)
  out.put(0, 3)
  return unit(0x68, out.end())
}

/** One key picture: each block has 256 samples of luma and twice 64 of chroma. */
const picture = (): Buffer => {
  const out = bitWriter()
  out.golomb(0)
  out.golomb(7)
  out.golomb(0)
  out.put(0, 4)
  out.golomb(0)
  out.put(0, 2)
  out.golomb(0)
  for (let block = 0; block < blocks * blocks; block += 1) {
    out.golomb(25)
    out.align()
    for (let i = 0; i < 256; i += 1) out.put(70 + block * 30 + (i % 16), 8)
    for (let i = 0; i < 128; i += 1) out.put(i < 64 ? 150 : 100, 8)
  }
  return unit(0x65, out.end())
}

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0), 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...parts])
}

/** Integers of 16 and 32 bits: `[bits, value]`. */
const fields = (...list: readonly (readonly [16 | 32, number])[]): Buffer =>
  Buffer.concat(
    list.map(([bits, value]) => {
      const bytes = Buffer.alloc(bits / 8)
      if (bits === 16) bytes.writeUInt16BE(value)
      else bytes.writeUInt32BE(value)
      return bytes
    }),
  )
const words = (...values: number[]) => fields(...values.map(value => [32, value] as const))
const zeros = (count: number) => Buffer.alloc(count)
const unity = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

const sampleEntry = (sps: Buffer, pps: Buffer): Buffer => {
  const configuration = Buffer.concat([
    Buffer.from([1, 66, 0xc0, 10, 0xff, 0xe1]),
    fields([16, sps.length]),
    sps,
    Buffer.from([1]),
    fields([16, pps.length]),
    pps,
  ])
  return box(
    'avc1',
    zeros(6),
    fields([16, 1]),
    zeros(16),
    fields([16, pixels], [16, pixels], [32, 0x480000], [32, 0x480000], [32, 0], [16, 1]),
    zeros(32),
    fields([16, 24], [16, 0xffff]),
    box('avcC', configuration),
  )
}

const sampleTable = (sampleBytes: number, offset: number): Buffer =>
  box(
    'stbl',
    box('stsd', words(0, 1), sampleEntry(sequenceParameters(), pictureParameters())),
    box('stts', words(0, 1, 1, durationMs)),
    box('stsc', words(0, 1, 1, 1, 1)),
    box('stsz', words(0, sampleBytes, 1)),
    box('stco', words(0, 1, offset)),
  )

const movie = (sampleBytes: number, offset: number): Buffer => {
  const reference = box('dinf', box('dref', words(0, 1), box('url ', words(1))))
  const handler = box('hdlr', words(0, 0), Buffer.from('vide', 'latin1'), zeros(13))
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, 1000, durationMs), fields([16, 0x55c4], [16, 0])),
    handler,
    box('minf', box('vmhd', words(1), zeros(8)), reference, sampleTable(sampleBytes, offset)),
  )
  const track = box('tkhd', words(3, 0, 0, 1, 0, durationMs), zeros(16), unity, words(pixels << 16, pixels << 16))
  const header = box(
    'mvhd',
    words(0, 0, 0, 1000, durationMs, 0x10000),
    fields([16, 0x100]),
    zeros(10),
    unity,
    zeros(24),
    words(2),
  )
  return box('moov', header, box('trak', track, media))
}

/** A second of MP4, 32×32 pixels, under two kilobytes. */
export function sampleVideo(): Buffer {
  const frame = picture()
  const sample = Buffer.concat([words(frame.length), frame])
  const type = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1'))
  // The offset is computed in two passes; the length of the boxes does not depend on its value.
  const offset = type.length + movie(sample.length, 0).length + 8
  return Buffer.concat([type, movie(sample.length, offset), box('mdat', sample)])
}
