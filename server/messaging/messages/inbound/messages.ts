import { createHash } from 'node:crypto'
import type { Opened } from '#server/messaging/conversations/changes/opened.ts'
import { newConversation } from '#server/messaging/conversations/conversations.ts'
import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { OwnNumber } from '#server/messaging/conversations/rows/number-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import type { Directory } from '#server/messaging/directory/directory.ts'
import type { Contact } from '#server/messaging/directory/known-contact.ts'
import { runMerges } from '#server/messaging/directory/merge.ts'
import type { Merged } from '#server/messaging/directory/merge-store.ts'
import { identifiersOf } from '#server/messaging/identifier.ts'
import { linkedFile } from '#server/messaging/media/linked-file.ts'
import type { OrgDb, OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { CustomerIds, InboundContent, InboundMedia, WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { insertMessages, type NewMedia, type NewMessage } from '../message-store.ts'
import { type Draft, isNotice, type Notice, type Of, type Posted } from './draft.ts'
import { createOrder } from './order.ts'
import { type Filled, fillPlaceholders, isPastFile, isPlaceholder } from './past-files.ts'

interface PostParts {
  clock: Clock
  ids: (at?: number) => string
}

/** A new message as it was inserted. */
export interface Fresh extends Draft {
  readonly seq: number
}

/** Undefined for a notice that WhatsApp did not send as a message. */
const wamidOf = (item: Posted): string | undefined => ('wamid' in item ? item.wamid : undefined)

export const isPosted = (item: WebhookItem): item is Posted =>
  item.kind === 'message' || item.kind === 'echo' || isNotice(item)

export const sendersOf = (item: WebhookItem): CustomerIds[] => {
  if (item.kind === 'echo') return [item.recipient]
  if (item.kind === 'identity') return [item.previous, item.current]
  return isNotice(item) || item.kind === 'message' || item.kind === 'reaction' ? [item.sender] : []
}

export const isAddressable = (sender: CustomerIds) => identifiersOf(sender).length > 0

const recordSenderOf = (directory: Directory, item: Posted): Contact => {
  if (item.kind === 'echo') return directory.recordSender(item.recipient, item.at)
  if (item.kind === 'identity') return directory.rename(item.previous, item.current, item.at)
  return directory.recordSender(item.sender, item.at)
}

/** Map key of the conversation of a contact on one of our numbers. */
export const conversationOf = (contact: { id: string }, number: { id: string }): string => `${contact.id} ${number.id}`

/** All conversations of these contacts, by `conversationOf`. */
export const findRowsOf = async (
  db: OrgDb,
  orgId: string,
  contactIds: readonly string[],
): Promise<Map<string, ListRow>> => {
  const found = contactIds.length ? await findRows.byContact(db, contactIds, { orgId }) : []
  return new Map(found.map(row => [conversationOf({ id: row.contact_id }, { id: row.connection_id }), row]))
}

/** The number of the organization that received an item: the one it names, otherwise the first. */
export type NumberOfItem = (item: WebhookItem) => OwnNumber

/** @throws when the organization has no number, which cannot happen for an organization that receives webhooks */
export const numberOfItems = (numbers: readonly OwnNumber[]): NumberOfItem => {
  const [first] = numbers
  const byId = new Map(numbers.map(number => [number.phoneNumberId, number]))
  return item => {
    const number = (item.phoneNumberId && byId.get(item.phoneNumberId)) || first
    if (!number) throw new Error('A webhook arrived for an organization that has no number')
    return number
  }
}

/** A hash of the notice's content, so that a repeated notice without an id by Meta is stored once. */
const noticeId = (row: ListRow, item: Notice): string => {
  // With several numbers, Meta sends one webhook for each.
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

/** The picture of an advertisement. It is stored, because its address expires and readers must not load it from Meta. */
const pictureOfAd = (item: Of<'message'> | Of<'echo'>, { kind }: OwnNumber): InboundMedia | undefined => {
  // Simulated messages must cause no requests to other servers.
  const isReal = item.kind === 'message' && !item.past && kind === 'cloud'
  const picture = isReal ? item.body.content?.referral?.picture : undefined
  return picture === undefined ? undefined : { providerId: linkedFile(picture), mime: 'image/jpeg' }
}

interface Placed {
  readonly item: Posted
  readonly number: OwnNumber
  contact: Contact
}

/** All conversations of these contacts, by `conversationOf`. Creates missing ones on the numbers that received something. */
const findOrOpenConversations = async (
  db: OrgDb,
  orgId: string,
  placed: readonly Placed[],
  parts: PostParts,
): Promise<{ rows: Map<string, ListRow>; opened: Opened[] }> => {
  const rows = await findRowsOf(
    db,
    orgId,
    placed.map(({ contact }) => contact.id),
  )
  const now = isoNow(parts.clock)
  const opened: Opened[] = []
  for (const { contact, number } of placed) {
    const key = conversationOf(contact, number)
    if (rows.has(key)) continue
    const row = newConversation({ id: parts.ids(parts.clock.now().getTime()), orgId, at: now, contact, number })
    // The first message sets the time of activity, which may be long ago.
    row.last_activity_at = ''
    opened.push({ row, contact })
    rows.set(key, row)
  }
  // A repeated message under another sender is not stored, so its new row would keep an empty time.
  await saveConversations(
    db,
    opened.map(({ row }) => ({ ...row, last_activity_at: now })),
    { orgId },
  )
  return { rows, opened }
}

/** Stores who the items are from. Returns them with their contacts as they are after merges. */
async function placeItems(
  { db, orgId }: OrgWrite,
  items: readonly Posted[],
  directory: Directory,
  numberOf: NumberOfItem,
): Promise<{ placed: Placed[]; merged: Merged[] }> {
  const placed: Placed[] = items.map(item => ({
    item,
    number: numberOf(item),
    contact: recordSenderOf(directory, item),
  }))
  const merged = await runMerges(db, orgId, await directory.save())
  for (const one of placed) while (one.contact.mergedInto) one.contact = one.contact.mergedInto
  return { placed, merged }
}

/** The file of a message, to be downloaded: its own, or the picture of its advertisement. */
const mediaOf = ({ item, number }: Placed, messageId: string, newId: () => string): NewMedia | undefined => {
  const file = isNotice(item) ? undefined : (item.body.media ?? pictureOfAd(item, number))
  return (
    file && {
      id: newId(),
      messageId,
      providerId: file.providerId,
      mime: file.mime,
      name: file.name ?? null,
      sha256: file.sha256 ?? null,
    }
  )
}

/** The messages of these items, each once. If a file and its placeholder are among them, the file wins. */
function draftMessages(
  placed: readonly Placed[],
  rows: ReadonlyMap<string, ListRow>,
  { ids, clock }: PostParts,
): Draft[] {
  const newId = () => ids(clock.now().getTime())
  const orderIn = createOrder()
  const byName = new Map<string, Draft>()
  for (const one of placed) {
    const { item, contact, number } = one
    const row = rows.get(conversationOf(contact, number)) as ListRow
    const given = wamidOf(item)
    const earlier = given === undefined ? undefined : byName.get(given)
    if (earlier && !isPlaceholder(earlier)) continue
    // Imported history keeps its times.
    const at = !isNotice(item) && item.past ? item.at : orderIn(row, item.at)
    const message = messageOf(row, item, at, newId)
    const name = message.wamid ?? message.id
    if (!earlier && byName.has(name)) continue
    const draft = { item, contact, row, message, media: mediaOf(one, message.id, newId) }
    if (!earlier || isPastFile(draft)) byName.set(name, draft)
  }
  return [...byName.values()]
}

/** Inserts messages. Returns the new ones, and those that were stored before. */
async function insertDrafts(
  { db, orgId }: OrgWrite,
  drafts: readonly Draft[],
): Promise<{ fresh: Fresh[]; known: Draft[] }> {
  const messages = drafts.map(({ message }) => message)
  const seqOf = new Map((await insertMessages(db, messages, { orgId })).map(row => [row.id, row.seq]))
  const fresh = drafts.flatMap(draft => {
    const seq = seqOf.get(draft.message.id)
    return seq === undefined ? [] : [{ ...draft, seq }]
  })
  return { fresh, known: drafts.filter(draft => !seqOf.has(draft.message.id)) }
}

/**
 * Stores new contacts, conversations and messages of these items. Returns the new messages (`fresh`), the placeholders
 * that got their files (`filled`), the merged contacts (`merged`), the conversations by `conversationOf` (`rows`) and the
 * new ones among them (`opened`).
 */
export async function storeInbound(
  write: OrgWrite,
  items: readonly Posted[],
  directory: Directory,
  parts: PostParts & { numberOf: NumberOfItem },
): Promise<{ fresh: Fresh[]; filled: Filled; merged: Merged[]; rows: Map<string, ListRow>; opened: Opened[] }> {
  const { placed, merged } = await placeItems(write, items, directory, parts.numberOf)
  const { rows, opened } = await findOrOpenConversations(write.db, write.orgId, placed, parts)
  const { fresh, known } = await insertDrafts(write, draftMessages(placed, rows, parts))
  const filled = await fillPlaceholders(write, known)
  return { fresh, filled, merged, rows, opened }
}
