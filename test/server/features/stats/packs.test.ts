import t from 'tap'
import type { CountedSegment } from '#server/features/stats/figures/segment-facts.ts'
import { createPacker, unpackSegments } from '#server/features/stats/packs/encoding.ts'
import { origins } from '#shared/stats/definitions.ts'
import { chance } from '#test/helpers/segment-history.ts'

const midnight = Date.parse('2026-11-28')

const roundTrip = (segments: readonly CountedSegment[], perSlice = 7) => {
  const packer = createPacker(midnight)
  for (const segment of segments) packer.add(segment)
  return [...unpackSegments(packer.finish(), midnight, perSlice)]
}

t.test('segments read from a pack equal those that were packed', async t => {
  const next = chance(3)
  const pick = <T>(some: readonly T[]): T => some[Math.floor(next() * some.length)] as T
  const segments = Array.from({ length: 500 }, (_, i): CountedSegment => {
    const startedAt = midnight + pick([0, 1, 86_399_999, Math.floor(next() * 86_400_000)])
    const time = () => startedAt + pick([0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 40, Math.floor(next() * 9e8)])
    const timeOrNull = () => (next() < 0.4 ? null : time())
    return {
      id: `id${i}`,
      conversationId: next() < 0.2 ? null : `conversation${i}`,
      startedAt,
      lastAt: time(),
      resolvedAt: timeOrNull(),
      isLast: next() < 0.5,
      ownerId: pick([null, 'ana', 'luis', 'ñandú "x"']),
      teamId: pick([null, 'ventas']),
      origin: pick(origins),
      hasBot: next() < 0.5,
      handedAt: timeOrNull(),
      firstReplyAt: timeOrNull(),
      firstReplyBy: pick([null, 'ana']),
      waitingSince: timeOrNull(),
      connectionId: pick(['number', 'other']),
      waits: Array.from({ length: 2 * Math.floor(next() * 4) }, () => Math.floor(next() * 2 ** pick([4, 20, 34]))),
    }
  })
  const slices = roundTrip(segments)
  t.same(slices.flat(), segments)
  t.ok(slices.every(slice => slice.length <= 7))
  t.same(roundTrip(segments.slice(0, 1)), [segments.slice(0, 1)])
  t.same(roundTrip([]), [])
})

t.test('a segment with values that a pack cannot hold is refused', async t => {
  const segment = { startedAt: midnight, lastAt: midnight, waits: [] } as unknown as CountedSegment
  t.throws(() => roundTrip([{ ...segment, startedAt: midnight - 1 }]), RangeError)
  t.throws(() => roundTrip([{ ...segment, waits: [0.5, 2] }]), RangeError)
})
