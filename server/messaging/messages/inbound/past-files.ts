import { previewText } from '#server/messaging/conversations/conversations.ts'
import { findRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { OrgDb, OrgWrite } from '#server/platform/events/write.ts'
import type { CustomerIds, WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { saveLastText } from '../changes/store.ts'
import type { NewMedia } from '../message-store.ts'
import { type Draft, isNotice } from './draft.ts'
import { findPlaceholders, fillPlaceholders as savePlaceholders } from './past-file-store.ts'

/** True if it stands for a file of the imported history, which arrives later. */
export const isPlaceholder = ({ item }: Pick<Draft, 'item'>): boolean =>
  !isNotice(item) && item.body.content?.withheld === 'pastFile'

/** Its placeholder may have arrived earlier. */
export const isPastFile = ({ item, media }: Pick<Draft, 'item' | 'media'>): boolean =>
  !isNotice(item) && item.past === true && media !== undefined

type Echo = Extract<WebhookItem, { kind: 'echo' }>
const isFileToNobody = (item: WebhookItem): item is Echo =>
  item.kind === 'echo' && item.past === true && item.recipient.other !== undefined

/** Adds the recipient to files of the history that lack it. Their placeholders have it. */
export async function withRecipients(
  db: OrgDb,
  orgId: string,
  items: readonly WebhookItem[],
): Promise<readonly WebhookItem[]> {
  const files = items.filter(isFileToNobody)
  if (!files.length) return items
  const wamids = files.map(({ wamid }) => wamid)
  const placeholders = await findPlaceholders(db, wamids, { orgId })
  const conversationIds = [...new Set(placeholders.map(placeholder => placeholder.conversation_id))]
  const rows = conversationIds.length ? await findRows.byId(db, conversationIds, { orgId }) : []
  const rowOf = new Map(rows.map(row => [row.id, row]))
  const recipients = new Map<string, CustomerIds>()
  for (const { wamid, conversation_id: id } of placeholders) {
    const { wa_id: waId, bsuid } = rowOf.get(id) ?? { wa_id: null, bsuid: null }
    if (waId ?? bsuid) recipients.set(wamid, { ...(waId ? { waId } : {}), ...(bsuid ? { bsuid } : {}) })
  }
  return items.map(item => {
    const recipient = isFileToNobody(item) ? recipients.get(item.wamid) : undefined
    return recipient ? ({ ...item, recipient } as Echo) : item
  })
}

export interface Filled {
  /** Messages that changed. */
  readonly messageIds: readonly string[]
  /** Conversations whose list row changed. */
  readonly relisted: ReadonlySet<string>
  /** Files to download. */
  readonly media: readonly NewMedia[]
}

/** Replaces placeholders of earlier webhooks by their files. */
export async function fillPlaceholders({ db, orgId }: OrgWrite, known: readonly Draft[]): Promise<Filled> {
  const files = new Map(known.filter(isPastFile).map(draft => [draft.message.wamid as string, draft]))
  const placeholders = files.size ? await findPlaceholders(db, [...files.keys()], { orgId }) : []
  if (!placeholders.length) return { messageIds: [], relisted: new Set(), media: [] }
  const filled = placeholders.map(placeholder => ({ placeholder, ...(files.get(placeholder.wamid) as Draft) }))
  await savePlaceholders(
    db,
    filled.map(({ placeholder: { seq }, message: { type, text, content } }) => ({ seq, type, text, content })),
    { orgId },
  )
  const listed = filled.map(({ placeholder: { conversation_id, seq }, message: { type, text } }) => {
    return { conversation_id, seq, preview: previewText(text), kind: type }
  })
  const relisted = await saveLastText(db, listed, { orgId })
  return {
    messageIds: placeholders.map(({ id }) => id),
    relisted: new Set(relisted.map(({ id }) => id)),
    media: filled.flatMap(({ placeholder, media }) => (media ? [{ ...media, messageId: placeholder.id }] : [])),
  }
}
