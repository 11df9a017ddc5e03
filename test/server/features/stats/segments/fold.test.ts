import t from 'tap'
import type { SegmentMessage } from '#server/features/stats/segments/facts.ts'
import { foldSegments, maxWaits, type Segment } from '#server/features/stats/segments/fold.ts'
import { type Line, type LineName, lines } from '#test/helpers/segment-history.ts'

const minute = 60_000
const begin = Date.parse('2026-03-02T12:00:00.000Z')

const messageOf = (line: Line, at: number, seq: number): SegmentMessage => ({
  seq,
  id: `m${seq}`,
  conversation_id: 'c',
  at: new Date(at).toISOString(),
  direction: line.direction,
  type: line.type ?? 'text',
  author_kind: line.authorKind ?? null,
  author_id: line.authorId ?? null,
  status: line.status ?? 'delivered',
  import_id: null,
  content: line.content === undefined ? null : JSON.stringify(line.content),
})

/** `[minute, what]` */
const segmentsIn = (...said: readonly (readonly [number, LineName])[]) =>
  foldSegments(said.map(([at, name], i) => messageOf(lines[name], begin + at * minute, i + 1)))

const minutes = (at: number | null | undefined) => (at === null || at === undefined ? null : (at - begin) / minute)
const one = (segments: Segment[]): Segment => {
  t.equal(segments.length, 1)
  return segments[0] as Segment
}
const day = 24 * 60

t.test('a segment begins with the customer, and ends when it is resolved or silent for a day', async t => {
  const starts = (...said: readonly (readonly [number, LineName])[]) =>
    segmentsIn(...said).map(s => minutes(s.startedAt))
  t.same(starts([0, 'ana'], [1, 'customer'], [2, 'ana']), [1], 'what we say first begins none')
  t.same(starts([0, 'customer'], [5, 'resolved'], [11, 'ana'], [12, 'customer']), [0, 12])
  t.same(starts([0, 'customer'], [5, 'resolved'], [10, 'reopened'], [11, 'customer']), [0], 'archived by mistake')
  t.same(starts([0, 'customer'], [5, 'resolved'], [6, 'ana'], [6, 'reopened'], [7, 'customer']), [0])
  t.same(starts([0, 'customer'], [5, 'resolved'], [11, 'reopened'], [12, 'customer']), [0, 12], 'opened again later')
  t.same(starts([0, 'customer'], [day - 1, 'customer']), [0])
  t.same(starts([0, 'customer'], [day, 'customer']), [0, day])
  t.same(starts([0, 'customer'], [day - 1, 'bot'], [2 * day - 2, 'customer']), [0], 'any message ends the silence')
  t.same(starts([0, 'customer'], [day - 1, 'note'], [day, 'customer']), [0, day], 'a note does not')
  t.same(starts([0, 'welcome'], [0, 'note'], [0, 'bulk']), [], 'nobody wrote')
  const [first, second] = segmentsIn([0, 'customer'], [3, 'ana'], [4, 'resolved'], [9, 'customer'])
  t.same([minutes(first?.resolvedAt), first?.isLast, second?.resolvedAt, second?.isLast], [4, false, null, true])
})

t.test('who waited before an archiving by mistake waits on after it', async t => {
  const waiting = (...said: readonly (readonly [number, LineName])[]) => minutes(one(segmentsIn(...said)).waitingSince)
  t.equal(waiting([0, 'customer'], [5, 'resolved'], [6, 'reopened']), 0)
  t.equal(waiting([0, 'customer'], [5, 'resolved'], [6, 'ana'], [6, 'reopened']), null, 'and was answered')
})

t.test('the first response is what a person types, after the customer or the hand-over', async t => {
  const first = (...said: readonly (readonly [number, LineName])[]) => {
    const { handedAt, firstReplyAt, firstReplyBy } = one(segmentsIn(...said))
    return [minutes(handedAt), minutes(firstReplyAt), firstReplyBy]
  }
  t.same(first([0, 'customer'], [1, 'bot'], [2, 'template'], [3, 'program'], [4, 'luis']), [null, 4, 'luis'])
  t.same(first([0, 'customer'], [1, 'bot'], [5, 'handedOver'], [9, 'ana'], [10, 'luis']), [5, 9, 'ana'])
  t.same(first([0, 'customer'], [5, 'handedToAna'], [6, 'phone']), [5, 6, null], 'WhatsApp’s app does not say who')
  t.same(first([0, 'customer'], [5, 'agentLeft']), [5, null, null])
  t.same(first([0, 'customer'], [5, 'handedOver'], [8, 'handedOver']), [5, null, null], 'the first hand-over counts')
  t.same(first([0, 'customer'], [2, 'failed'], [5, 'luis']), [null, 5, 'luis'], 'a failed message never arrived')
})

t.test('each run of the customer waits for the next person', async t => {
  const { waits, waitingSince } = one(
    segmentsIn(
      [0, 'customer'],
      [1, 'customer'],
      [4, 'ana'],
      [5, 'ana'],
      [10, 'customer'],
      [11, 'bot'],
      [30, 'customer'],
    ),
  )
  t.same(waits, [0, 4 * minute])
  t.equal(minutes(waitingSince), 10)
  t.equal(minutes(one(segmentsIn([0, 'customer'], [1, 'bot'], [7, 'handedOver'])).waitingSince), 7)
  const many = Array.from({ length: maxWaits * 2 + 20 }, (_, i) => [i, i % 2 ? 'ana' : 'customer'] as const)
  t.equal(one(segmentsIn(...many)).waits.length, 2 * maxWaits)
})

t.test('a segment belongs to the assignee, otherwise to who answered, and to the last team', async t => {
  const of = (...said: readonly (readonly [number, LineName])[]) =>
    segmentsIn(...said).map(({ ownerId, teamId }) => `${ownerId} ${teamId}`)
  t.same(of([0, 'customer']), ['null null'])
  t.same(of([0, 'customer'], [1, 'luis']), ['luis null'], 'who answers has what nobody was given')
  t.same(of([0, 'toAna'], [1, 'toSales'], [2, 'customer'], [3, 'luis']), ['ana sales'])
  t.same(of([0, 'customer'], [1, 'luis'], [2, 'toAna'], [3, 'ofNobody']), ['luis null'])
  t.same(of([0, 'toAna'], [1, 'customer'], [2, 'resolved'], [3, 'ofNobody'], [4, 'customer']), [
    'ana null',
    'null null',
  ])
})

t.test('a segment says whether an advertisement, a bulk send or nothing of ours caused it', async t => {
  const origin = (...said: readonly (readonly [number, LineName])[]) =>
    segmentsIn(...said).map(segment => segment.origin)
  t.same(origin([0, 'customer']), ['organic'])
  t.same(origin([0, 'fromAd']), ['ad'])
  t.same(origin([0, 'customer'], [1, 'fromAd']), ['organic'], 'the first message says it')
  t.same(origin([0, 'bulk'], [6 * day, 'customer']), ['bulk'])
  t.same(origin([0, 'bulk'], [8 * day, 'customer']), ['organic'])
  t.same(origin([0, 'bulk'], [1, 'ana'], [2, 'customer']), ['organic'])
})
