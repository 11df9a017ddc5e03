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
  findStartBefore,
  findStartFrom,
  listArrived,
  listDue,
  listSaid,
  type PlaceRow,
  readSegmentPlace,
  rowOf,
  type Said,
  savePlaces,
  saveSegmentPlace,
  saveSegments,
  seedOf,
  segmentOf,
} from './store.ts'
import type { ConversationSegmentTable } from './table.ts'

/** Of a conversation that is read again. */
const messagesAtOnce = 500

const isBefore = (a: Said, b: Said): boolean => a.at < b.at || (a.at === b.at && a.seq < b.seq)
const bySaying = (a: Said, b: Said): number => (isBefore(a, b) ? -1 : 1)

/** What reading changes; written together at the end of a slice. */
interface Changes {
  readonly segments: Map<string, ConversationSegmentTable>
  readonly places: Map<string, PlaceRow>
}
const noChanges = (): Changes => ({ segments: new Map(), places: new Map() })

const write = async (trx: Db, { segments, places }: Changes): Promise<void> => {
  await saveSegments(trx, [...segments.values()], {})
  await savePlaces(trx, [...places.values()], {})
}

const note = (changes: Changes, conversation: ConversationRow, segments: Iterable<Segment>): void => {
  const { id: conversationId, org_id: orgId, connection_id: connectionId, kind } = conversation
  for (const segment of segments)
    changes.segments.set(segment.id, rowOf(segment, { conversationId, orgId, connectionId, kind }))
}

const readAll = (
  changes: Changes,
  conversation: ConversationRow,
  { reading, messages }: { reading: Reading; messages: readonly SegmentMessage[] },
): void => {
  const changed = new Set<Segment>()
  for (const message of messages) for (const segment of readMessage(reading, message)) changed.add(segment)
  note(changes, conversation, changed)
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

const readOn = async (
  trx: Db,
  conversation: ConversationRow,
  { reading, from, isIncluded }: { reading: Reading; from: Said | undefined; isIncluded: boolean },
): Promise<void> => {
  for (let place = from, included = isIncluded; ; included = false) {
    const messages = await listSaid(trx, conversation.id, {
      from: place,
      isIncluded: included,
      limit: messagesAtOnce,
    })
    const changes = noChanges()
    readAll(changes, conversation, { reading, messages })
    await write(trx, changes)
    if (messages.length < messagesAtOnce) return
    place = messages.at(-1)
  }
}

/** Where a conversation is to be read again: at the beginning of a segment, or where it was read up to. */
interface Begin {
  readonly at: Said
  readonly seed: Carry
  readonly isFirst: boolean
}

/**
 * Segments whose first messages were deleted, as they were too old, stay as they are: from there on nothing can be
 * counted again. Undefined: so it is with all of them.
 */
const beginOf = async (
  trx: Db,
  conversationId: string,
  { from, first }: { from: Said | undefined; first: Said },
): Promise<Begin | undefined> => {
  const before = await findStartBefore(trx, conversationId, from ?? first)
  const isKept = (start: { started_at: string; start_seq: number }) =>
    isBefore({ at: start.started_at, seq: start.start_seq }, first)
  const start = before && isKept(before) ? await findStartFrom(trx, conversationId, first) : before
  if (start) return { at: { at: start.started_at, seq: start.start_seq }, seed: seedOf(start), isFirst: false }
  if (await findSegmentBefore(trx, conversationId, first)) return undefined
  return { at: first, seed: nothingKnown, isFirst: true }
}

/** Makes the segments of a conversation again that a place is in or that come after it; undefined: all. */
async function readAgain(trx: Db, conversation: ConversationRow, from: Said | undefined): Promise<void> {
  const { id } = conversation
  const [first] = await listSaid(trx, id, { from: undefined, isIncluded: true, limit: 1 })
  if (!first) return
  const begin = await beginOf(trx, id, { from, first })
  if (!begin) {
    const [place] = await findPlaces(trx, [id], {})
    const [last] = await findLastSegments(trx, [id], {})
    if (!place) return
    const reading = { carry: carryOf(place), last: last && segmentOf(last) }
    return readOn(trx, conversation, { reading, from: place, isIncluded: false })
  }
  await deleteSegmentsFrom(trx, id, begin.isFirst ? undefined : begin.at)
  const before = begin.isFirst ? undefined : await findSegmentBefore(trx, id, begin.at)
  const last = before && { ...segmentOf(before), isLast: true }
  const changes = noChanges()
  if (last) note(changes, conversation, [last])
  await write(trx, changes)
  await readOn(trx, conversation, { reading: { carry: begin.seed, last }, from: begin.at, isIncluded: true })
}

/** Reads messages on that arrived behind a place. Those said before others that are read already make segments anew. */
const readArrived = async (trx: Db, messages: readonly SegmentMessage[]): Promise<void> => {
  const byConversation = Map.groupBy(messages, message => message.conversation_id)
  const ids = [...byConversation.keys()]
  const places = new Map((await findPlaces(trx, ids, {})).map(place => [place.conversation_id, place]))
  const lasts = new Map((await findLastSegments(trx, ids, {})).map(row => [row.conversation_id, row]))
  const changes = noChanges()
  const late: [ConversationRow, Said][] = []
  for (const conversation of await findConversations(trx, ids, {})) {
    const some = (byConversation.get(conversation.id) ?? []).toSorted(bySaying)
    const place = places.get(conversation.id)
    const [first] = some
    if (!first) continue
    // At the place itself: it was read when the segments were made again.
    if (place && !isBefore(place, first)) {
      late.push([conversation, first])
      continue
    }
    const last = lasts.get(conversation.id)
    const reading = { carry: place ? carryOf(place) : nothingKnown, last: last && segmentOf(last) }
    readAll(changes, conversation, { reading, messages: some })
  }
  await write(trx, changes)
  for (const [conversation, first] of late) await readAgain(trx, conversation, first)
}

export interface SliceSize {
  readonly messages: number
  readonly conversations: number
}
/** A slice of this size holds the database's only writer for some ten milliseconds. */
export const defaultSlice: SliceSize = { messages: 400, conversations: 20 }

/** What a slice found: nothing; the last there was; or as much as it takes, and there may be more. */
export type Found = 'nothing' | 'rest' | 'slice'

/** Reads the next messages into segments, after conversations whose segments became invalid. */
export async function readSlice(trx: Db, size: SliceSize): Promise<Found> {
  const due = await listDue(trx, size.conversations)
  for (const conversation of due) if (conversation.is_nobody === 0) await readAgain(trx, conversation, undefined)
  if (due.length)
    await clearDue(
      trx,
      due.map(({ id }) => id),
    )
  const arrived = await listArrived(trx, await readSegmentPlace(trx), size.messages)
  if (arrived.length) await readArrived(trx, arrived)
  const last = arrived.at(-1)
  if (last) await saveSegmentPlace(trx, last.seq)
  if (!last && !due.length) return 'nothing'
  return due.length === size.conversations || arrived.length === size.messages ? 'slice' : 'rest'
}
