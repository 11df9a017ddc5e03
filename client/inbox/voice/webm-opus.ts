/** Opus packets without a container. */
export interface OpusSound {
  /** `OpusHead` as in RFC 7845. */
  readonly head: Uint8Array
  readonly packets: readonly Uint8Array[]
}

/** WebM element ids of containers, whose children are read. */
const containers = new Set([0x18538067, 0x1654ae6b, 0xae, 0x1f43b675, 0xa0])
const codecPrivate = 0x63a2
const simpleBlock = 0xa3
const block = 0xa1
const lacing = 0x06

/** A number whose first bits give its length in bytes. */
const readNumber = (bytes: Uint8Array, at: number, keepsMark: boolean) => {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  if (first === 0 || at + length > bytes.length) return undefined
  let value = keepsMark ? first : first & (0xff >> length)
  for (let i = 1; i < length; i += 1) value = value * 256 + (bytes[at + i] ?? 0)
  return { value, length }
}

const packetOf = (data: Uint8Array): Uint8Array | undefined => {
  const track = readNumber(data, 0, false)
  // After the track number: two bytes of time, one of flags.
  const flags = track && data[track.length + 2]
  if (!track || flags === undefined || flags & lacing) return undefined
  return data.subarray(track.length + 3)
}

/** The single audio track of a WebM file as browsers record it. @throws Error for anything else */
export function readWebm(bytes: Uint8Array): OpusSound {
  const packets: Uint8Array[] = []
  let head: Uint8Array | undefined
  let at = 0
  while (at < bytes.length) {
    const id = readNumber(bytes, at, true)
    const size = id && readNumber(bytes, at + id.length, false)
    // A truncated element.
    if (!id || !size) break
    const start = at + id.length + size.length
    if (containers.has(id.value)) {
      at = start
      continue
    }
    // A streamed file has no sizes of containers, which are not needed.
    if (start + size.value > bytes.length) break
    const data = bytes.subarray(start, start + size.value)
    if (id.value === codecPrivate) head = data
    const packet = id.value === simpleBlock || id.value === block ? packetOf(data) : undefined
    if (packet?.length) packets.push(packet)
    at = start + size.value
  }
  if (!head || String.fromCharCode(...head.subarray(0, 8)) !== 'OpusHead' || !packets.length)
    throw new Error('No sound by Opus')
  return { head, packets }
}
