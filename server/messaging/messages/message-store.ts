import { sql } from 'kysely'
import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hasFile } from '#shared/inbox/message-kinds.ts'
import type { MessageDirection } from '#shared/inbox/messages.ts'

/** A message as the thread shows it. */
export interface MessageCore {
  id: string
  conversation_id: string
  wamid: string | null
  direction: string
  type: string
  text: string
  content: string | null
  at: string
  status: string
  failed_at: string | null
  error_code: string | null
  unconfirmed: number
  reply_to_wamid: string | null
  author_kind: string | null
  author_name: string | null
  client_key: string | null
  edited_at: string | null
  revoked_at: string | null
}

/** The file of a message. */
export interface MediaFacts {
  media_id: string
  media_mime: string
  media_name: string | null
  media_size: number | null
  media_state: 'pending' | 'stored' | 'failed'
  media_error: string | null
  media_width: number | null
  media_height: number | null
}

export type MessageRow = MessageCore & { [K in keyof MediaFacts]?: MediaFacts[K] | null }

const coreColumns = [
  'message.id',
  'message.conversation_id',
  'message.wamid',
  'message.direction',
  'message.type',
  'message.text',
  'message.content',
  'message.at',
  'message.status',
  'message.failed_at',
  'message.error_code',
  'message.unconfirmed',
  'message.reply_to_wamid',
  'message.author_kind',
  'message.author_name',
  'message.client_key',
  'message.edited_at',
  'message.revoked_at',
] as const

const mediaColumns = [
  'media.id as media_id',
  'media.mime as media_mime',
  'media.name as media_name',
  'media.size as media_size',
  'media.state as media_state',
  'media.error as media_error',
  'media.width as media_width',
  'media.height as media_height',
] as const

/** Messages without their files. Most have none, so the thread loads files separately instead of joining them. */
export const selectCore = (db: Db) => db.selectFrom('message').select(coreColumns)

/** Messages with their files. */
export const selectMessages = (db: Db) =>
  selectCore(db).leftJoin('media', 'media.message_id', 'message.id').select(mediaColumns)

const findMedia = lookupQuery<{ orgId: string }, MediaFacts & { message_id: string }>((db, ids, { orgId }) =>
  db
    .selectFrom('media')
    .select(['media.message_id', ...mediaColumns])
    .where('media.message_id', 'in', ids)
    .where(belongsTo('media.org_id', orgId)),
)

/** The picture of the advertisement is stored as the message's file. */
const cameByAd = ({ content }: MessageCore) => content?.includes('"referral"') === true

/** Adds the files to these messages. Queries only for kinds that have files. */
export async function attachMedia(db: Db, orgId: string, rows: readonly MessageCore[]): Promise<MessageRow[]> {
  const ids = rows.flatMap(row => (hasFile(row.type) || cameByAd(row) ? [row.id] : []))
  if (!ids.length) return rows as MessageRow[]
  const files = new Map((await findMedia(db, ids, { orgId })).map(file => [file.message_id, file]))
  return rows.map(row => ({ ...row, ...files.get(row.id) }))
}

export const findMessages = {
  byId: lookupQuery<{ orgId: string }, MessageRow>((db, ids, { orgId }) =>
    selectMessages(db).where(belongsTo('message.org_id', orgId)).where('message.id', 'in', ids),
  ),
}

export interface NewMessage {
  id: string
  conversationId: string
  wamid: string | null
  direction: MessageDirection
  type: string
  text: string
  content: string | null
  at: string
  status: string
  sentAt: string | null
  replyToWamid: string | null
  authorKind: string | null
  authorId: string | null
  authorName: string | null
  clientKey: string | null
  /** `OutboundContent` as JSON. Null: the message is a text, whose content is `text`, or was not sent by us. */
  outbound: string | null
}

/** Inserts messages, except those whose wamid or id exists. Returns id and seq of the inserted ones. */
export const insertMessages = bulkWrite<NewMessage, { orgId: string }, { id: string; seq: number }>(
  (db, rows, { orgId }) =>
    db
      .insertInto('message')
      .values(
        rows.map(row => ({
          id: row.id,
          org_id: orgId,
          conversation_id: row.conversationId,
          wamid: row.wamid,
          direction: row.direction,
          type: row.type,
          text: row.text,
          content: row.content,
          at: row.at,
          status: row.status,
          sent_at: row.sentAt,
          reply_to_wamid: row.replyToWamid,
          author_kind: row.authorKind,
          author_id: row.authorId,
          author_name: row.authorName,
          client_key: row.clientKey,
          outbound: row.outbound,
        })),
      )
      .onConflict(conflict => conflict.doNothing())
      .returning(['id', 'seq']),
)

/** The columns that are equal in all messages of a bulk insert. */
type AlikeMessages = { readonly orgId: string } & Pick<
  NewMessage,
  'at' | 'direction' | 'type' | 'status' | 'authorKind' | 'authorId' | 'authorName'
>

/** Like `insertMessages`, for messages that share `AlikeMessages` and quote nothing. Binds the shared values once. */
export const insertAlike = bulkWrite<
  Pick<NewMessage, 'id' | 'conversationId' | 'text' | 'content' | 'outbound'>,
  AlikeMessages,
  { id: string; seq: number }
>((_db, rows, { orgId, at, direction, type, status, authorKind, authorId, authorName }) => {
  const values = sql.join(
    rows.map(row => sql`(${row.id}, ${row.conversationId}, ${row.text}, ${row.content}, ${row.outbound})`),
  )
  return sql<{ id: string; seq: number }>`insert into message
      (id, org_id, conversation_id, direction, type, text, content, at, status, author_kind, author_id, author_name, outbound)
    select v.column1, alike.org_id, v.column2, alike.direction, alike.type, v.column3, v.column4, alike.at, alike.status,
      alike.author_kind, alike.author_id, alike.author_name, v.column5
    from (select ${orgId} as org_id, ${direction} as direction, ${type} as type, ${at} as at, ${status} as status,
      ${authorKind} as author_kind, ${authorId} as author_id, ${authorName} as author_name) as alike
    cross join (values ${values}) as v where true on conflict do nothing returning id, seq`
})

export interface NewMedia {
  id: string
  messageId: string
  providerId: string
  mime: string
  name: string | null
  sha256: string | null
}

/** Inserts files to download from Meta immediately. */
export const insertMedia = bulkWrite<NewMedia, { orgId: string; now: string }, never>(
  (db, rows, { orgId, now }) =>
    db
      .insertInto('media')
      .values(
        rows.map(row => ({
          id: row.id,
          org_id: orgId,
          message_id: row.messageId,
          provider_id: row.providerId,
          mime: row.mime,
          name: row.name,
          sha256: row.sha256,
          state: 'pending' as const,
          created_at: now,
        })),
      )
      .onConflict(conflict => conflict.doNothing()) as never,
)

/** Converts an inserted message to the row that a query would return. */
export const newMessageRow = (message: NewMessage, media?: MediaFacts): MessageRow => ({
  id: message.id,
  conversation_id: message.conversationId,
  wamid: message.wamid,
  direction: message.direction,
  type: message.type,
  text: message.text,
  content: message.content,
  at: message.at,
  status: message.status,
  failed_at: null,
  error_code: null,
  unconfirmed: 0,
  reply_to_wamid: message.replyToWamid,
  author_kind: message.authorKind,
  author_name: message.authorName,
  client_key: message.clientKey,
  edited_at: null,
  revoked_at: null,
  media_id: media?.media_id ?? null,
  media_mime: media?.media_mime ?? null,
  media_name: media?.media_name ?? null,
  media_size: media?.media_size ?? null,
  media_state: media?.media_state ?? null,
  media_error: media?.media_error ?? null,
  media_width: media?.media_width ?? null,
  media_height: media?.media_height ?? null,
})

/** Converts an inserted file to the columns that a query would return. */
export const pendingMediaFacts = ({ id, mime, name }: NewMedia): MediaFacts => ({
  media_id: id,
  media_mime: mime,
  media_name: name,
  media_size: null,
  media_state: 'pending',
  media_error: null,
  media_width: null,
  media_height: null,
})

export interface QuoteRow {
  id: string
  wamid: string
  conversation_id: string
  type: string
  text: string
  direction: string
  author_kind: string | null
  author_name: string | null
  revoked_at: string | null
  /** Id of the file, if the message is a picture that is stored. */
  picture_id?: string
}

const findQuoted = lookupQuery<{ orgId: string }, QuoteRow>((db, wamids, { orgId }) =>
  db
    .selectFrom('message')
    .select(['id', 'wamid', 'conversation_id', 'type', 'text', 'direction', 'revoked_at'])
    .select(['author_kind', 'author_name'])
    .where('org_id', '=', orgId)
    .where('wamid', 'in', wamids)
    .$narrowType<{ wamid: string }>(),
)

const findPictures = lookupQuery<{ orgId: string }, { id: string; message_id: string }>((db, ids, { orgId }) =>
  db
    .selectFrom('media')
    .select(['id', 'message_id'])
    .where('message_id', 'in', ids)
    .where(belongsTo('media.org_id', orgId))
    .where('state', '=', 'stored'),
)

/** The messages that these messages quote, by wamid, with the ids of their pictures. */
export async function readQuotes(
  db: Db,
  orgId: string,
  rows: readonly { reply_to_wamid: string | null }[],
): Promise<ReadonlyMap<string, QuoteRow>> {
  const wamids = rows.flatMap(row => (row.reply_to_wamid === null ? [] : [row.reply_to_wamid]))
  const found = wamids.length ? await findQuoted(db, wamids, { orgId }) : []
  const shown = found.flatMap(row => (row.type === 'image' && row.revoked_at === null ? [row.id] : []))
  const files = shown.length ? await findPictures(db, shown, { orgId }) : []
  const pictures = new Map(files.map(row => [row.message_id, row.id]))
  return new Map(
    found.map(row => {
      const picture = pictures.get(row.id)
      return [row.wamid, picture === undefined ? row : { ...row, picture_id: picture }]
    }),
  )
}

export interface ReactionRow {
  message_id: string
  by: string
  emoji: string
  at: string
}

/** A removed reaction is stored with an empty emoji, so that an older webhook that arrives late cannot restore it. */
const findReactions = lookupQuery<{ orgId: string }, ReactionRow>((db, ids, { orgId }) =>
  db
    .selectFrom('reaction')
    .select(['message_id', 'by', 'emoji', 'at'])
    .where('message_id', 'in', ids)
    .where('org_id', '=', orgId)
    .where('emoji', '<>', ''),
)

/** Reactions that were not removed, by message id. */
export async function readReactions(
  db: Db,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReactionRow[]>> {
  const byMessage = new Map<string, ReactionRow[]>()
  if (!ids.length) return byMessage
  for (const row of await findReactions(db, ids, { orgId })) {
    const reactions = byMessage.get(row.message_id)
    if (reactions) reactions.push(row)
    else byMessage.set(row.message_id, [row])
  }
  return byMessage
}
