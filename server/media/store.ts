import type { Db } from '../db.ts'
import { seenThrough } from '../visibility/condition.ts'
import type { Viewer } from '../visibility/scope.ts'
import type { MediaTable } from './table.ts'

export interface DueMedia {
  id: string
  orgId: string
  messageId: string
  /** The number it came to. */
  connectionId: string
  providerId: string
  mime: string
  sha256: string | null
  attempts: number
  createdAt: string
}

/** Files whose time has come, the longest due first, across organizations. */
export async function listDueMedia(db: Db, now: string, except: readonly string[], limit: number): Promise<DueMedia[]> {
  let query = db
    .selectFrom('media')
    .innerJoin('message', 'message.id', 'media.message_id')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .select(['media.id', 'media.org_id', 'media.message_id', 'media.provider_id', 'media.mime', 'media.sha256'])
    .select(['media.attempts', 'media.created_at', 'conversation.connection_id'])
    .where('media.state', '=', 'pending')
    .where('media.next_attempt_at', '<=', now)
    .orderBy('media.next_attempt_at')
    .limit(limit)
  if (except.length) query = query.where('media.id', 'not in', except)
  return (await query.execute()).map(row => ({
    id: row.id,
    orgId: row.org_id,
    messageId: row.message_id,
    connectionId: row.connection_id,
    providerId: row.provider_id,
    mime: row.mime,
    sha256: row.sha256,
    attempts: row.attempts,
    createdAt: row.created_at,
  }))
}

/** When the next file falls due after `now`; undefined when none waits. */
export async function nextMediaDueAt(db: Db, now: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('media')
    .select(eb => eb.fn.min('next_attempt_at').as('at'))
    .where('state', '=', 'pending')
    .where('next_attempt_at', '>', now)
    .executeTakeFirst()
  return row?.at ?? undefined
}

/** When the file that has been due the longest fell due; undefined: none is due. */
export async function oldestMediaDueAt(db: Db, now: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('media')
    .select('next_attempt_at')
    .where('state', '=', 'pending')
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_attempt_at ?? undefined
}

type Change = Partial<
  Pick<MediaTable, 'state' | 'mime' | 'size' | 'sha256' | 'path' | 'attempts' | 'next_attempt_at' | 'error'>
>

/** Answers false when the file is not there, or not in the state expected. */
export async function changeMedia(
  db: Db,
  orgId: string,
  id: string,
  from: MediaTable['state'],
  change: Change,
): Promise<boolean> {
  const result = await db
    .updateTable('media')
    .set(change)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Makes the files due that wait for this reason; answers how many. */
export async function makeDue(db: Db, orgId: string, reason: string, now: string): Promise<number> {
  const result = await db
    .updateTable('media')
    .set({ next_attempt_at: now })
    .where('org_id', '=', orgId)
    .where('state', '=', 'pending')
    .where('error', '=', reason)
    .where('next_attempt_at', '>', now)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export interface MediaFacts {
  id: string
  orgId: string
  messageId: string
  mime: string
  name: string | null
  size: number | null
  sha256: string | null
  state: MediaTable['state']
  path: string | null
}

/** Whose the file with this id is, whoever asks. */
export async function findMediaOrganization(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('media').select('org_id').where('id', '=', id).executeTakeFirst())?.org_id
}

/** A file of a conversation this viewer sees. Undefined also for that of a message that was taken back. */
export async function findMedia(db: Db, { orgId, scope }: Viewer, id: string): Promise<MediaFacts | undefined> {
  const row = await db
    .selectFrom('media')
    .innerJoin('message', 'message.id', 'media.message_id')
    .select([
      'media.id',
      'media.org_id',
      'media.message_id',
      'media.mime',
      'media.name',
      'media.size',
      'media.sha256',
      'media.state',
      'media.path',
    ])
    .where('media.id', '=', id)
    .where('media.org_id', '=', orgId)
    .where('message.revoked_at', 'is', null)
    .where(seenThrough(scope, 'message.conversation_id'))
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      orgId: row.org_id,
      messageId: row.message_id,
      mime: row.mime,
      name: row.name,
      size: row.size,
      sha256: row.sha256,
      state: row.state,
      path: row.path,
    }
  )
}
