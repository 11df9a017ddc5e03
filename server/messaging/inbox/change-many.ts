import type { Viewer } from '#server/identity/visibility/scope.ts'
import { type Choose, giveToTeam } from '#server/messaging/assignment/giving-out.ts'
import { setTag } from '#server/messaging/contacts/tagging.ts'
import { emitChanged } from '#server/messaging/conversations/changes/emit-changed.ts'
import { archive, markRead, markUnread } from '#server/messaging/conversations/changes/flags.ts'
import { listSeenRows } from '#server/messaging/conversations/changes/flags-store.ts'
import { readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { presentConversation } from '#server/messaging/conversations/shown/present.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { assignMany } from '#server/messaging/people/assigning.ts'
import type { Snoozing } from '#server/messaging/snoozes/snoozing.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { readFutureTime } from '#server/platform/time/future-time.ts'
import type { ChatsChange } from '#shared/inbox/chat-changes.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { snoozeLimits } from '#shared/inbox/snooze.ts'

type ManyParts = Parameters<typeof markRead>[2] & {
  readonly tags: Tags
  readonly choosing?: Choose
  readonly snoozing: Snoozing
}

/**
 * Applies a change to many conversations in one write. `missing`: ids that do not exist for this viewer. @throws
 * InvalidInput when nothing is requested, INBOX_CHAT_NOT_FOUND when none exists, and what tagging and assigning throw;
 * then nothing is changed.
 */
export async function changeMany(
  write: OrgWrite,
  viewer: Viewer,
  { ids: given, ...asked }: ChatsChange,
  parts: ManyParts,
): Promise<{ items: Conversation[]; missing: string[] }> {
  const { archived, read, snoozedUntil, tagId, untagId, userId, teamId, control } = asked
  if ([archived, read, snoozedUntil, tagId, untagId, userId, teamId].every(value => value === undefined))
    throw new InvalidInput([{ field: 'body', code: 'invalid', params: {} }])
  const { db, orgId } = write
  const ids = [...new Set(given)]
  let rows = await listSeenRows(db, viewer, ids)
  if (!rows.length) throw inboxErrors.CHAT_NOT_FOUND({ fields: ['body.ids'] })
  if (tagId !== undefined) await setTag(write, rows, { tagId, isOn: true }, parts.tags)
  if (untagId !== undefined) await setTag(write, rows, { tagId: untagId, isOn: false }, parts.tags)
  if (userId !== undefined || teamId !== undefined) {
    const before = new Set(rows)
    rows = await giveToTeam(write, await assignMany(write, rows, { userId, teamId, control }), asked, parts.choosing)
    await emitChanged(
      write,
      rows.filter(row => !before.has(row)),
    )
  }
  if (read !== undefined) rows = read ? await markRead(write, rows, parts) : await markUnread(write, rows)
  if (archived !== undefined) rows = await archive(write, rows, archived)
  if (snoozedUntil === null) rows = await parts.snoozing.end(write, rows)
  else if (snoozedUntil !== undefined) {
    const until = readFutureTime(parts.clock, snoozedUntil, { field: 'body.snoozedUntil', days: snoozeLimits.days })
    rows = await parts.snoozing.snooze(write, rows, { until, ifNoAnswer: false })
  }
  const tags = await readTagsOfContacts(
    db,
    orgId,
    rows.map(row => row.contact_id),
  )
  const found = new Set(rows.map(row => row.id))
  return {
    items: rows.map(row => presentConversation(row, tags.get(row.contact_id))),
    missing: ids.filter(id => !found.has(id)),
  }
}
