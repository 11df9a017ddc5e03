import { checksumOf, inSeconds } from '#server/messaging/archive/checksum.ts'
import { type ReactionChange, saveReactions } from '#server/messaging/messages/changes/store.ts'
import type { Db } from '#server/platform/db/database.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { type ArchivedMessage, findChecked, findWamids, insertArchived, insertLostFiles } from './archived-store.ts'
import { findIds } from './store.ts'

interface MessageParts {
  readonly clock: Clock
  newId(): string
}

/** Messages of an archive, as history. */
export const createArchivedMessages = ({ clock, newId }: MessageParts) => ({
  /** The id under which each of these messages is here already, by its id in the archive. */
  async findKnown(
    db: Db,
    orgId: string,
    messages: readonly { id: string; source: string; wamid: string | null }[],
  ): Promise<Map<string, string>> {
    const asked = messages.flatMap(({ id, source }) => [id, source])
    const here = new Set((await findIds(db, asked, { orgId })).map(({ id }) => id))
    const wamids = messages.flatMap(({ wamid }) => wamid ?? [])
    const byWamid = new Map((await findWamids(db, wamids, { orgId })).map(row => [row.wamid, row.id]))
    return new Map(
      messages.flatMap(({ id, source, wamid }) => {
        const known = here.has(id) ? id : here.has(source) ? source : wamid ? byWamid.get(wamid) : undefined
        return known === undefined ? [] : [[source, known] as const]
      }),
    )
  },

  /** Stores messages. Returns the ids of those that are new. @throws APP_TOO_MANY_KEPT */
  async store(
    { db, orgId }: OrgWrite,
    importId: string,
    { messages, reactions }: { messages: readonly ArchivedMessage[]; reactions: readonly ReactionChange[] },
  ): Promise<Set<string>> {
    await requireRoomFor(db, orgId, 'notes', messages.filter(({ type }) => type === 'note').length)
    const rows = await insertArchived(db, messages, { orgId, importId })
    const stored = new Set(rows.map(({ id }) => id))
    await saveReactions(
      db,
      reactions.filter(({ messageId }) => stored.has(messageId)),
      { orgId },
    )
    return stored
  },

  /** Files that the archive names and does not have. */
  keepLostFiles: (
    { db, orgId }: OrgWrite,
    files: readonly { messageId: string; mime: string; name: string | null }[],
  ) =>
    insertLostFiles(
      db,
      files.map(file => ({ ...file, id: newId() })),
      { orgId, at: isoNow(clock) },
    ),

  /** Checksums of stored messages, each by its id. */
  async checksumsOf(
    { db, orgId }: OrgWrite,
    messageIds: readonly string[],
    { withFiles = true, exactTimes = true }: { withFiles?: boolean; exactTimes?: boolean } = {},
  ): Promise<Map<string, bigint>> {
    const rows = await findChecked(db, messageIds, { orgId })
    return new Map(
      rows.map(({ id, at, direction, text, sha256, ...row }) => {
        const checked = {
          at,
          direction,
          text,
          sha256: withFiles ? sha256 : null,
          editedAt: row.edited_at,
          deletedAt: row.revoked_at,
        }
        return [id, checksumOf(exactTimes ? checked : inSeconds(checked))]
      }),
    )
  },
})
