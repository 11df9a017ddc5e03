import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { MediaTable } from './table.ts'

export interface PendingMedia {
  id: string
  orgId: string
  messageId: string
  /** Our number that received it. */
  connectionId: string
  providerId: string
  mime: string
  sha256: string | null
  createdAt: string
}

/** Returns the files that are still to be fetched, of any organization. */
export async function findPending(db: Db, ids: readonly string[]): Promise<Map<string, PendingMedia>> {
  const rows = await db
    .selectFrom('media')
    .innerJoin('message', 'message.id', 'media.message_id')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .select(['media.id', 'media.org_id', 'media.message_id', 'media.provider_id', 'media.mime', 'media.sha256'])
    .select(['media.created_at', 'conversation.connection_id'])
    .where('media.id', 'in', ids)
    .where('media.state', '=', 'pending')
    .execute()
  return new Map(
    rows.map(row => [
      row.id,
      {
        id: row.id,
        orgId: row.org_id,
        messageId: row.message_id,
        connectionId: row.connection_id,
        providerId: row.provider_id,
        mime: row.mime,
        sha256: row.sha256,
        createdAt: row.created_at,
      },
    ]),
  )
}

type Change = Partial<Pick<MediaTable, 'state' | 'mime' | 'size' | 'sha256' | 'path' | 'width' | 'height' | 'error'>>

/** Returns false when the file does not exist or is not in the expected state. */
export async function changeMedia(
  db: OrgDb,
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

/** The organization of a file, without checking the viewer. */
export async function findMediaOrganization(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('media').select('org_id').where('id', '=', id).executeTakeFirst())?.org_id
}

/** A file of a conversation this viewer sees. Undefined also if its message was deleted. */
export const findMedia = (db: Db, viewer: Viewer, id: string): Promise<MediaFacts | undefined> =>
  findWhere(db, viewer, 'media.id', id)

/** A file of a conversation this viewer sees, by WhatsApp's id of it. Undefined also if its message was deleted. */
export const findMediaByProvider = (db: Db, viewer: Viewer, providerId: string): Promise<MediaFacts | undefined> =>
  findWhere(db, viewer, 'media.provider_id', providerId)

async function findWhere(
  db: Db,
  { orgId, scope }: Viewer,
  column: 'media.id' | 'media.provider_id',
  id: string,
): Promise<MediaFacts | undefined> {
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
    .where(column, '=', id)
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
