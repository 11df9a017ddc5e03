import { origins } from '#shared/stats/definitions.ts'
import type { CountedSegment } from '../figures/segment-facts.ts'

/** The stored form of the segments of one day. @see ConversationSegmentPackTable */
export interface Pack {
  readonly data: Buffer
  readonly ids: string
  readonly conversationIds: string
}

/** A pack as it is read. Null: these ids were not read, and segments have none. */
interface ReadPack {
  readonly data: Buffer
  readonly ids: string | null
  readonly conversationIds: string | null
}

const isLastFlag = 1
const hasBotFlag = 2
const originShift = 4

/** Writes whole numbers in 7 bits a byte, least significant first; the highest bit says that another byte follows. */
const createWriter = () => {
  const bytes: number[] = []
  const write = (value: number): void => {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`a pack holds no ${value}`)
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  return { bytes, write, writeOptional: (value: number | null) => write(value === null ? 0 : value + 1) }
}

/**
 * Encodes segments that began on the same UTC day, added newest first. Times are ms since the segment began, which is ms
 * since midnight. Ids of members, teams and numbers are indexes into a list at the end. Absent values are 0, others
 * one more than themselves.
 */
export function createPacker(midnight: number) {
  const { bytes, write, writeOptional } = createWriter()
  const ids: string[] = []
  const conversationIds: string[] = []
  const names = new Map<string, number>()
  const indexOf = (name: string | null): number | null => {
    if (name === null) return null
    const index = names.get(name) ?? names.size
    names.set(name, index)
    return index
  }
  return {
    add(segment: CountedSegment): void {
      const since = (at: number | null) => (at === null ? null : at - segment.startedAt)
      ids.push(segment.id)
      conversationIds.push(segment.conversationId ?? '')
      write(segment.startedAt - midnight)
      write(segment.lastAt - segment.startedAt)
      write(
        (segment.isLast ? isLastFlag : 0) +
          (segment.hasBot ? hasBotFlag : 0) +
          originShift * origins.indexOf(segment.origin),
      )
      for (const at of [segment.resolvedAt, segment.handedAt, segment.firstReplyAt, segment.waitingSince])
        writeOptional(since(at))
      for (const name of [segment.ownerId, segment.teamId, segment.firstReplyBy, segment.connectionId])
        writeOptional(indexOf(name))
      write(segment.waits.length)
      for (const ms of segment.waits) write(ms)
    },
    get size() {
      return ids.length
    },
    finish: (): Pack => {
      const head = Buffer.alloc(8)
      head.writeUInt32LE(ids.length, 0)
      head.writeUInt32LE(bytes.length, 4)
      return {
        data: Buffer.concat([head, Buffer.from(bytes), Buffer.from(JSON.stringify([...names.keys()]))]),
        ids: ids.join('\n'),
        conversationIds: conversationIds.join('\n'),
      }
    },
  }
}

/** Decodes a pack, at most `perSlice` segments at a time, in the order in which they were added. */
export function* unpackSegments(
  { data, ids: idLines, conversationIds: conversationLines }: ReadPack,
  midnight: number,
  perSlice: number,
): Generator<CountedSegment[]> {
  const count = data.readUInt32LE(0)
  const end = 8 + data.readUInt32LE(4)
  const names = JSON.parse(data.toString('utf8', end)) as string[]
  const ids = idLines?.split('\n')
  const conversationIds = conversationLines?.split('\n')
  let position = 8
  const read = (): number => {
    let byte = data[position++] as number
    if (byte < 128) return byte
    let value = byte - 128
    for (let factor = 128; ; factor *= 128) {
      byte = data[position++] as number
      if (byte < 128) return value + byte * factor
      value += (byte - 128) * factor
    }
  }
  const readTime = (startedAt: number): number | null => {
    const value = read()
    return value === 0 ? null : startedAt + value - 1
  }
  const readName = (): string | null => {
    const value = read()
    return value === 0 ? null : (names[value - 1] as string)
  }
  const readWaits = (): number[] => {
    const waits: number[] = []
    for (let left = read(); left > 0; left -= 1) waits.push(read())
    return waits
  }
  const readSegment = (index: number): CountedSegment => {
    const startedAt = midnight + read()
    const lastAt = startedAt + read()
    const flags = read()
    return {
      id: ids?.[index] ?? '',
      conversationId: conversationIds?.[index] || null,
      startedAt,
      lastAt,
      isLast: (flags & isLastFlag) !== 0,
      hasBot: (flags & hasBotFlag) !== 0,
      origin: origins[Math.floor(flags / originShift)] ?? 'organic',
      resolvedAt: readTime(startedAt),
      handedAt: readTime(startedAt),
      firstReplyAt: readTime(startedAt),
      waitingSince: readTime(startedAt),
      ownerId: readName(),
      teamId: readName(),
      firstReplyBy: readName(),
      connectionId: readName() as string,
      waits: readWaits(),
    }
  }
  for (let from = 0; from < count; from += perSlice) {
    const slice: CountedSegment[] = []
    for (let index = from; index < Math.min(count, from + perSlice); index += 1) slice.push(readSegment(index))
    yield slice
  }
}
