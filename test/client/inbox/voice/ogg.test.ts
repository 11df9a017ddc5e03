import fc from 'fast-check'
import t from 'tap'
import { samplesOf, writeOgg } from '#client/inbox/voice/ogg-opus.ts'
import { peaksFrom } from '#client/inbox/voice/peaks.ts'
import { readWebm } from '#client/inbox/voice/webm-opus.ts'

const head = (channels = 1): Buffer => {
  const bytes = Buffer.alloc(19)
  bytes.write('OpusHead')
  bytes.set([1, channels], 8)
  bytes.writeUInt16LE(312, 10)
  bytes.writeUInt32LE(48_000, 12)
  return bytes
}

/** As browsers write it: a streamed element has no size. */
const open = Buffer.from('01ffffffffffffff', 'hex')
const sized = (length: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length) | (1n << 56n))
  return bytes
}
const element = (id: string, data: Uint8Array, isOpen = false) =>
  Buffer.concat([Buffer.from(id, 'hex'), isOpen ? open : sized(data.length), data])
const webm = (packets: readonly Uint8Array[], { perCluster = 3, codec = head() as Uint8Array } = {}) => {
  const clusters: Buffer[] = []
  for (let i = 0; i < packets.length; i += perCluster) {
    const blocks = packets
      .slice(i, i + perCluster)
      .map(packet => element('a3', Buffer.concat([Buffer.from('81000080', 'hex'), packet])))
    clusters.push(element('1f43b675', Buffer.concat([element('e7', Buffer.of(0)), ...blocks]), true))
  }
  const track = Buffer.concat([
    element('d7', Buffer.of(1)),
    element('86', Buffer.from('A_OPUS')),
    element('63a2', codec),
  ])
  const tracks = element('1654ae6b', element('ae', track))
  const info = element('1549a966', element('4d80', Buffer.from('Chrome')))
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    element('18538067', Buffer.concat([info, tracks, ...clusters]), true),
  ])
}

/** A reader that follows the specification: pages with checksums, packets over segments. */
const crcOf = (bytes: Uint8Array) => {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc >>> 0
}
const readOgg = (bytes: Buffer) => {
  const packets: Buffer[] = []
  const pages: { flags: number; samples: number; sequence: number }[] = []
  let part: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    if (bytes.toString('latin1', at, at + 4) !== 'OggS') throw new Error(`no page at ${at}`)
    const count = bytes[at + 26] as number
    const segments = [...bytes.subarray(at + 27, at + 27 + count)]
    const length = 27 + count + segments.reduce((sum, one) => sum + one, 0)
    const page = Buffer.from(bytes.subarray(at, at + length))
    const sum = page.readUInt32LE(22)
    page.writeUInt32LE(0, 22)
    if (crcOf(page) !== sum) throw new Error('a wrong sum')
    pages.push({
      flags: page[5] as number,
      samples: Number(page.readBigUInt64LE(6)),
      sequence: page.readUInt32LE(18),
    })
    let from = at + 27 + count
    for (const segment of segments) {
      part.push(bytes.subarray(from, from + segment))
      from += segment
      if (segment === 255) continue
      packets.push(Buffer.concat(part))
      part = []
    }
    at += length
  }
  return { packets, pages }
}

t.test('a browser’s recording is the same audio in the other container', async t => {
  // 20 ms each, in one frame; some fill their segments completely.
  const packets = [3, 254, 255, 256, 510, 700, ...Array<number>(130).fill(60)].map((length, i) =>
    Buffer.concat([Buffer.of(0x78), Buffer.alloc(length - 1, i)]),
  )
  const sound = readWebm(webm(packets))
  t.same(Buffer.from(sound.head), head())
  const { packets: found, pages } = readOgg(Buffer.concat(writeOgg(sound)))
  t.same(found[0], head())
  t.equal(found[1]?.toString('latin1'), 'OpusTags\x06\0\0\0Recado\0\0\0\0')
  t.same(found.slice(2), packets)
  t.same(
    pages.map(({ sequence }) => sequence),
    pages.map((_, i) => i),
  )
  t.equal(pages[0]?.flags, 2)
  t.equal(pages.at(-1)?.flags, 4)
  t.equal(pages.at(-1)?.samples, packets.length * 960)
})

t.test('packets of any length and clustering are preserved', async () => {
  const packet = fc.uint8Array({ minLength: 1, maxLength: 1500 })
  fc.assert(
    fc.property(
      fc.array(packet, { minLength: 1, maxLength: 80 }),
      fc.integer({ min: 1, max: 9 }),
      (some, perCluster) => {
        const { packets } = readOgg(Buffer.concat(writeOgg(readWebm(webm(some, { perCluster })))))
        return Buffer.concat(packets.slice(2)).equals(Buffer.concat(some)) && packets.length === some.length + 2
      },
    ),
    { numRuns: 60 },
  )
})

t.test('the duration of an Opus packet is read from its first bytes', async t => {
  // SILK 60 ms, hybrid 10 ms, CELT 2.5 ms, two frames of 20 ms, five of 20 ms.
  const cases: [number[], number][] = [
    [[0b00011_000], 2880],
    [[0b01100_000], 480],
    [[0b10000_000], 120],
    [[0b01111_001], 1920],
    [[0b01111_011, 5], 4800],
  ]
  for (const [bytes, samples] of cases) t.equal(samplesOf(Uint8Array.from(bytes)), samples)
})

t.test('a truncated recording ends early; other data is refused, and no input loops for ever', async t => {
  const packets = Array.from({ length: 9 }, (_, i) => Buffer.alloc(100, i + 1))
  const whole = webm(packets)
  t.equal(readWebm(whole.subarray(0, whole.length - 50)).packets.length, 8)
  t.throws(() => readWebm(webm([])))
  t.throws(() => readWebm(webm(packets, { codec: Buffer.from('vorbis, not opus') })))
  t.throws(() => readWebm(Buffer.from('OggS')))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(400), (noise, at) => {
      const bytes = Uint8Array.from(whole)
      bytes.set(noise.subarray(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length))
      try {
        writeOgg(readWebm(bytes))
      } catch (error) {
        return error instanceof Error && error.message === 'No sound by Opus'
      }
      return true
    }),
  )
})

t.test('the waveform shows the loudest moments, however quiet the recording', async t => {
  const bars = peaksFrom(Float32Array.from({ length: 4400 }, (_, i) => (i < 2200 ? 0.01 : -0.02)))
  t.equal(bars.length, 44)
  t.ok(Math.abs((bars[0] ?? 0) - 0.5) < 0.01)
  t.equal(bars.at(-1), 1)
  t.ok(
    peaksFrom(Float32Array.from({ length: 4400 }, () => 0.0001)).every(bar => bar < 0.01),
    'silence is silence',
  )
  t.same(new Set(peaksFrom([])), new Set([0]))
  t.equal(peaksFrom([0.5, 1]).length, 44)
})
