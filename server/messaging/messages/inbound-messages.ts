import { createHash } from 'node:crypto'
import type { OrgDb, OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { InboundContent, InboundMedia, Sender, WebhookItem } from '#server/whatsapp/inbound.ts'
import type { Contact, Directory } from '../contacts/contacts.ts'
import { identifiersOf } from '../contacts/identifier.ts'
import { runMerges } from '../contacts/merge.ts'
import type { Merged } from '../contacts/merge-store.ts'
import { newConversation } from '../conversations/conversations.ts'
import { findRows, type ListRow } from '../conversations/list-row-store.ts'
import type { OwnNumber } from '../conversations/number-store.ts'
import { saveConversations } from '../conversations/save-store.ts'
import { linkedFile } from '../media/linked-file.ts'
import { type Draft, isNotice, type Notice, type Of, type Posted } from './draft.ts'
import { insertMessages, type NewMessage } from './message-store.ts'
import { createOrder } from './order.ts'
import { type Filled, fillPlaces, isPastFile, isPlace } from './past-files.ts'

interface PostParts {
  clock: Clock
  ids: (at?: number) => string
}

/** One that was not known yet, with its place of arrival. */
export interface Fresh extends Draft {
  readonly seq: number
}

/** A notice has none, or that of the message it came as. */
const wamidOf = (item: Posted): string | undefined => ('wamid' in item ? item.wamid : undefined)

export const isPosted = (item: WebhookItem): item is Posted =>
  item.kind === 'message' || item.kind === 'echo' || isNotice(item)

export const sendersOf = (item: WebhookItem): Sender[] => {
  if (item.kind === 'echo') return [item.recipient]
  if (item.kind === 'identity') return [item.previous, item.current]
  return isNotice(item) || item.kind === 'message' || item.kind === 'reaction' ? [item.sender] : []
}

export const isAddressable = (sender: Sender) => identifiersOf(sender).length > 0

const whose = (directory: Directory, item: Posted): Contact => {
  if (item.kind === 'echo') return directory.place(item.recipient, item.at)
  if (item.kind === 'identity') return directory.rename(item.previous, item.current, item.at)
  return directory.place(item.sender, item.at)
}

/** A conversation among those of a batch: the contact's on that number. */
export const conversationOf = (contact: { id: string }, number: { id: string }): string => `${contact.id} ${number.id}`

/** All rows of these contacts, by conversation. */
export const findRowsOf = async (
  db: OrgDb,
  orgId: string,
  contactIds: readonly string[],
): Promise<Map<string, ListRow>> => {
  const found = contactIds.length ? await findRows.byContact(db, contactIds, { orgId }) : []
  return new Map(found.map(row => [conversationOf({ id: row.contact_id }, { id: row.connection_id }), row]))
}

/** Which of the organization's numbers an item came to: the one it names, else the first. */
export type NumberOfItem = (item: WebhookItem) => OwnNumber

/** @throws when the organization has never had a number, which nothing that came for it can be true of. */
export const numberOfItems = (numbers: readonly OwnNumber[]): NumberOfItem => {
  const [first] = numbers
  const byId = new Map(numbers.map(number => [number.phoneNumberId, number]))
  return item => {
    const number = (item.phoneNumberId && byId.get(item.phoneNumberId)) || first
    if (!number) throw new Error('Something came for an organization without a number')
    return number
  }
}

/** Without Meta's id the same notice must still be one message: its words are its name. */
const noticeId = (row: ListRow, item: Notice): string => {
  // Where there are several numbers each is told by a webhook of its own.
  const place = row.own_phone === null ? row.org_id : `${row.org_id} ${row.connection_id}`
  const subject =
    item.kind === 'identity'
      ? [identifiersOf(item.previous), identifiersOf(item.current)]
      : [row.id, ...(item.kind === 'handover' ? [item.to] : [item.change, item.who])]
  const facts = JSON.stringify([place, item.at, ...subject])
  return `notice-${createHash('sha256').update(facts).digest('base64url').slice(0, 24)}`
}

const newsOf = (item: Notice): InboundContent => {
  if (item.kind === 'handover')
    return {
      type: 'system',
      text: item.note,
      content: { news: { kind: item.to === 'people' ? 'agentLeft' : 'agentHas' } },
    }
  if (item.kind === 'groupChange')
    return { type: 'system', text: '', content: { news: { kind: item.change, to: item.who } } }
  const { previous, current, note } = item
  const isNumber = previous.waId !== current.waId && current.waId !== undefined
  const numbers = { ...(previous.waId ? { from: previous.waId } : {}), ...(current.waId ? { to: current.waId } : {}) }
  return {
    type: 'system',
    text: note,
    content: { news: isNumber ? { kind: 'number', ...numbers } : { kind: 'userId' } },
  }
}

const statusOf = (item: Posted): string => {
  if (item.kind !== 'echo') return 'received'
  return item.status ?? 'sent'
}

const messageOf = (row: ListRow, item: Posted, at: string, newId: () => string): NewMessage => {
  const body = isNotice(item) ? newsOf(item) : item.body
  const isEcho = item.kind === 'echo'
  const wamid = wamidOf(item)
  return {
    id: isNotice(item) && !wamid ? noticeId(row, item) : newId(),
    conversationId: row.id,
    at,
    wamid: wamid ?? null,
    direction: isEcho ? 'out' : 'in',
    type: body.type,
    text: body.text,
    content: body.content && Object.keys(body.content).length ? JSON.stringify(body.content) : null,
    status: statusOf(item),
    sentAt: isEcho ? item.at : null,
    replyToWamid: (!isNotice(item) && item.replyToWamid) || null,
    authorKind: isEcho ? (item.standby ? 'metaAgent' : 'phone') : null,
    authorId: null,
    authorName: null,
    clientKey: null,
    outbound: null,
  }
}

/** The picture of an advertisement is taken once, before its address ends: no reader asks Meta for it. */
const pictureOfAd = (item: Of<'message'> | Of<'echo'>, { kind }: OwnNumber): InboundMedia | undefined => {
  // Nothing leaves the machine for what is simulated.
  const isReal = item.kind === 'message' && !item.past && kind === 'cloud'
  const picture = isReal ? item.body.content?.referral?.picture : undefined
  return picture === undefined ? undefined : { providerId: linkedFile(picture), mime: 'image/jpeg' }
}

interface Placed {
  readonly item: Posted
  readonly number: OwnNumber
  contact: Contact
}

/** The rows of these contacts by conversation, with those on other numbers; who has none on the number in question gets one. */
const rowsOf = async (
  db: OrgDb,
  orgId: string,
  placed: readonly Placed[],
  parts: PostParts,
): Promise<Map<string, ListRow>> => {
  const rows = await findRowsOf(
    db,
    orgId,
    placed.map(({ contact }) => contact.id),
  )
  const now = isoNow(parts.clock)
  const made: ListRow[] = []
  for (const { contact, number } of placed) {
    const key = conversationOf(contact, number)
    if (rows.has(key)) continue
    const row = newConversation({ id: parts.ids(parts.clock.now().getTime()), orgId, at: now, contact, number })
    // Its activity begins with its first message, which may be an old one.
    row.last_activity_at = ''
    made.push(row)
    rows.set(key, row)
  }
  // A message told again under another sender lands nowhere: its row has the present instead of no time at all.
  await saveConversations(
    db,
    made.map(row => ({ ...row, last_activity_at: now })),
    { orgId },
  )
  return rows
}

/**
 * Stores what is new of these items: contacts, conversations, messages. Answers the new ones, the files that took their
 * places, the threads that became one, and the rows of the list by conversation. @see conversationOf
 */
export async function storeInbound(
  write: OrgWrite,
  items: readonly Posted[],
  directory: Directory,
  parts: PostParts & { numberOf: NumberOfItem },
): Promise<{ fresh: Fresh[]; filled: Filled; merged: Merged[]; rows: Map<string, ListRow> }> {
  const { db, orgId } = write
  const placed: Placed[] = items.map(item => ({ item, number: parts.numberOf(item), contact: whose(directory, item) }))
  const merged = await runMerges(db, orgId, await directory.save())
  for (const one of placed) while (one.contact.mergedInto) one.contact = one.contact.mergedInto
  const rows = await rowsOf(db, orgId, placed, parts)
  const newId = () => parts.ids(parts.clock.now().getTime())
  const orderIn = createOrder()
  const byName = new Map<string, Draft>()
  for (const { item, contact, number } of placed) {
    const row = rows.get(conversationOf(contact, number)) as ListRow
    const given = wamidOf(item)
    const earlier = given === undefined ? undefined : byName.get(given)
    if (earlier && !isPlace(earlier)) continue
    // What is told of the past brings its own order.
    const at = !isNotice(item) && item.past ? item.at : orderIn(row, item.at)
    const message = messageOf(row, item, at, newId)
    const name = message.wamid ?? message.id
    if (!earlier && byName.has(name)) continue
    const file = isNotice(item) ? undefined : (item.body.media ?? pictureOfAd(item, number))
    const media = file && {
      id: newId(),
      messageId: message.id,
      providerId: file.providerId,
      mime: file.mime,
      name: file.name ?? null,
      sha256: file.sha256 ?? null,
    }
    const draft = { item, contact, row, message, media }
    // The file that came with its place stands there at once.
    if (!earlier || isPastFile(draft)) byName.set(name, draft)
  }
  const drafts = [...byName.values()]
  const inserted = await insertMessages(
    db,
    drafts.map(draft => draft.message),
    { orgId },
  )
  const seqOf = new Map(inserted.map(row => [row.id, row.seq]))
  const fresh = drafts.flatMap(draft => {
    const seq = seqOf.get(draft.message.id)
    return seq === undefined ? [] : [{ ...draft, seq }]
  })
  const filled = await fillPlaces(
    write,
    drafts.filter(draft => !seqOf.has(draft.message.id)),
  )
  return { fresh, filled, merged, rows }
}
