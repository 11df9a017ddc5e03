import type { Db } from '#server/platform/db/database.ts'
import type { SegmentMessage } from './facts.ts'
import { type Carry, nothingKnown, type Reading, readMessage, type Segment } from './fold.ts'
import {
  type ConversationRow,
  carryOf,
  clearDue,
  deleteSegmentsFrom,
  findConversations,
  findLastSegments,
  findPlaces,
  findSegmentBefore,
  findStartFrom,
  findStartUpTo,
  listArrived,
  listDue,
  listFromPosition,
  type PlaceRow,
  type Position,
  readSegmentPlace,
  rowOf,
  savePlaces,
  saveSegmentPlace,
  saveSegments,
  seedOf,
  segmentOf,
} from './store.ts'
import type { ConversationSegmentTable } from './table.ts'

/** Messages of one statement while the segments of a conversation are rebuilt. */
const messagesAtOnce = 500

const isBefore = (a: Position, b: Position): boolean => a.at < b.at || (a.at === b.at && a.seq < b.seq)
const compareSaid = (a: Position, b: Position): number => (isBefore(a, b) ? -1 : 1)

/** Rows to write together at the end of a slice. */
interface Changes {
  readonly segments: Map<string, ConversationSegmentTable>
  readonly places: Map<string, PlaceRow>
}
const noChanges = (): Changes => ({ segments: new Map(), places: new Map() })

const write = async (trx: Db, { segments, places }: Changes): Promise<void> => {
  await saveSegments(trx, [...segments.values()], {})
  await savePlaces(trx, [...places.values()], {})
}

/** Adds the rows of these segments to the changes. */
const recordSegments = (changes: Changes, conversation: ConversationRow, segments: Iterable<Segment>): void => {
  const { id: conversationId, org_id: orgId, connection_id: connectionId, kind } = conversation
  for (const segment of segments)
    changes.segments.set(segment.id, rowOf(segment, { conversationId, orgId, connectionId, kind }))
}

/** Reads messages, which are in the order in which they were said, into the segments of their conversation. */
const applyMessages = (
  changes: Changes,
  conversation: ConversationRow,
  { reading, messages }: { reading: Reading; messages: readonly SegmentMessage[] },
): void => {
  const changed = new Set<Segment>()
  for (const message of messages) for (const segment of readMessage(reading, message)) changed.add(segment)
  recordSegments(changes, conversation, changed)
  const last = messages.at(-1)
  if (!last) return
  const { ownerId, teamId, bulkAt } = reading.carry
  changes.places.set(conversation.id, {
    conversation_id: conversation.id,
    org_id: conversation.org_id,
    at: last.at,
    seq: last.seq,
    owner_id: ownerId,
    team_id: teamId,
    bulk_at: bulkAt === null ? null : new Date(bulkAt).toISOString(),
  })
}

/** Reads all messages of a conversation from a position on into its segments, and writes them. */
const readFrom = async (
  trx: Db,
  conversation: ConversationRow,
  { reading, from, isIncluded }: { reading: Reading; from: Position | undefined; isIncluded: boolean },
): Promise<void> => {
  for (let place = from, included = isIncluded; ; included = false) {
    const messages = await listFromPosition(trx, conversation.id, {
      from: place,
      isIncluded: included,
      limit: messagesAtOnce,
    })
    const changes = noChanges()
    applyMessages(changes, conversation, { reading, messages })
    await write(trx, changes)
    if (messages.length < messagesAtOnce) return
    place = messages.at(-1)
  }
}

/** The first message from which segments are rebuilt. `isFirst`: it is the first message of the conversation. */
interface RebuildStart {
  readonly at: Position
  readonly seed: Carry
  readonly isFirst: boolean
}

/**
 * Retention deletes old messages. A segment that lost its first messages cannot be rebuilt and stays as it is, so the
 * rebuild starts with the next one. Undefined: no segment can be rebuilt.
 */
const findRebuildStart = async (
  trx: Db,
  conversationId: string,
  { from, first }: { from: Position | undefined; first: Position },
): Promise<RebuildStart | undefined> => {
  const before = await findStartUpTo(trx, conversationId, from ?? first)
  const isKept = (start: { started_at: string; start_seq: number }) =>
    isBefore({ at: start.started_at, seq: start.start_seq }, first)
  const start = before && isKept(before) ? await findStartFrom(trx, conversationId, first) : before
  if (start) return { at: { at: start.started_at, seq: start.start_seq }, seed: seedOf(start), isFirst: false }
  if (await findSegmentBefore(trx, conversationId, first)) return undefined
  return { at: first, seed: nothingKnown, isFirst: true }
}

/** Rebuilds the segment that contains a position and all segments after it. Without `from`: all of the conversation. */
async function rebuildSegments(trx: Db, conversation: ConversationRow, from: Position | undefined): Promise<void> {
  const { id } = conversation
  const [first] = await listFromPosition(trx, id, { from: undefined, isIncluded: true, limit: 1 })
  if (!first) return
  const begin = await findRebuildStart(trx, id, { from, first })
  if (!begin) {
    const [place] = await findPlaces(trx, [id], {})
    const [last] = await findLastSegments(trx, [id], {})
    if (!place) return
    const reading = { carry: carryOf(place), last: last && segmentOf(last) }
    return readFrom(trx, conversation, { reading, from: place, isIncluded: false })
  }
  await deleteSegmentsFrom(trx, id, begin.isFirst ? undefined : begin.at)
  const before = begin.isFirst ? undefined : await findSegmentBefore(trx, id, begin.at)
  const last = before && { ...segmentOf(before), isLast: true }
  const changes = noChanges()
  if (last) recordSegments(changes, conversation, [last])
  await write(trx, changes)
  await readFrom(trx, conversation, { reading: { carry: begin.seed, last }, from: begin.at, isIncluded: true })
}

/** Reads newly arrived messages into segments. A message older than one already read rebuilds the segments after it. */
const applyArrived = async (trx: Db, messages: readonly SegmentMessage[]): Promise<void> => {
  const byConversation = Map.groupBy(messages, message => message.conversation_id)
  const ids = [...byConversation.keys()]
  const places = new Map((await findPlaces(trx, ids, {})).map(place => [place.conversation_id, place]))
  const lasts = new Map((await findLastSegments(trx, ids, {})).map(row => [row.conversation_id, row]))
  const changes = noChanges()
  const late: [ConversationRow, Position][] = []
  for (const conversation of await findConversations(trx, ids, {})) {
    const some = (byConversation.get(conversation.id) ?? []).toSorted(compareSaid)
    const place = places.get(conversation.id)
    const [first] = some
    if (!first) continue
    // The same position: a rebuild has read this message before.
    if (place && !isBefore(place, first)) {
      late.push([conversation, first])
      continue
    }
    const last = lasts.get(conversation.id)
    const reading = { carry: place ? carryOf(place) : nothingKnown, last: last && segmentOf(last) }
    applyMessages(changes, conversation, { reading, messages: some })
  }
  await write(trx, changes)
  for (const [conversation, first] of late) await rebuildSegments(trx, conversation, first)
}

export interface SliceSize {
  readonly messages: number
  readonly conversations: number
}
/** A slice of this size holds the database's only writer for some ten milliseconds. */
export const defaultSlice: SliceSize = { messages: 250, conversations: 20 }

/** `nothing`: there was nothing to read. `rest`: everything is read now. `slice`: the slice was full, more may follow. */
type SliceResult = 'nothing' | 'rest' | 'slice'

/**
 * Rebuilds conversations that are marked as due, then reads the next messages in the order of their arrival.
 * @param touched gets the ids of the conversations that were read
 */
export async function readSlice(trx: Db, size: SliceSize, touched: Set<string> = new Set()): Promise<SliceResult> {
  const due = await listDue(trx, size.conversations)
  for (const { id } of due) touched.add(id)
  for (const conversation of due) if (conversation.is_nobody === 0) await rebuildSegments(trx, conversation, undefined)
  if (due.length)
    await clearDue(
      trx,
      due.map(({ id }) => id),
    )
  const arrived = await listArrived(trx, await readSegmentPlace(trx), size.messages)
  // Imported messages are history of another program: no figure counts them.
  const counted = arrived.filter(message => message.import_id === null)
  for (const message of counted) touched.add(message.conversation_id)
  if (counted.length) await applyArrived(trx, counted)
  const last = arrived.at(-1)
  if (last) await saveSegmentPlace(trx, last.seq)
  if (!last && !due.length) return 'nothing'
  return due.length === size.conversations || arrived.length === size.messages ? 'slice' : 'rest'
}
