import { belongsTo, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Rows of one organization after a key, in the order of that key. */
interface After<K> {
  readonly orgId: string
  readonly after: K
  readonly limit: number
}

export const listNumbers = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('wa_connection')
    .select(['id', 'kind', 'phone', 'verified_name', 'label', 'created_at', 'disconnected_at'])
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const listPeople = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['user.id', 'user.name', 'user.email', 'member.role', 'member.createdAt as created_at'])
    .where('member.organizationId', '=', orgId)
    .where('user.id', '>', after)
    .orderBy('user.id')
    .limit(limit)
    .execute()

export const listTeams = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('team')
    .select(['id', 'name', 'description'])
    .where('organizationId', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const listTags = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('tag')
    .select(['id', 'label', 'hue', 'created_at'])
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const listFields = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('contact_field')
    .select(['id', 'label', 'kind', 'options'])
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const listContacts = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('contact')
    .select(['id', 'name', 'profile_name', 'username', 'wa_id', 'bsuid', 'is_group', 'note', 'opt_out'])
    .select(['blocked_at', 'blocked_by', 'created_at'])
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const listTagsOfContacts = lookupQuery<{ orgId: string }, { contact_id: string; label: string }>(
  (db, ids, { orgId }) =>
    db
      .selectFrom('contact_tag')
      .innerJoin('tag', 'tag.id', 'contact_tag.tag_id')
      .select(['contact_tag.contact_id', 'tag.label'])
      .where('contact_tag.contact_id', 'in', ids)
      .where(belongsTo('contact_tag.org_id', orgId)),
)

/** Values of custom fields. */
export const listValuesOf = lookupQuery<{ orgId: string }, { contact_id: string; label: string; value: string }>(
  (db, ids, { orgId }) =>
    db
      .selectFrom('contact_value')
      .innerJoin('contact_field', 'contact_field.id', 'contact_value.field_id')
      .select(['contact_value.contact_id', 'contact_field.label', 'contact_value.value'])
      .where('contact_value.contact_id', 'in', ids)
      .where(belongsTo('contact_value.org_id', orgId)),
)

/** The identifier of contacts without a number and a user id, such as groups. */
export const listOtherIds = lookupQuery<{ orgId: string }, { contact_id: string; value: string }>(
  (db, ids, { orgId }) =>
    db
      .selectFrom('contact_identity')
      .select(['contact_id', 'value'])
      .where('contact_id', 'in', ids)
      .where('kind', '=', 'other')
      .where(belongsTo('contact_identity.org_id', orgId)),
)

/** The conversations of these contacts. */
export const listConversations = lookupQuery<
  { orgId: string },
  {
    id: string
    contact_id: string
    connection_id: string
    kind: string
    control: string
    assignee_id: string | null
    team_id: string | null
    archived: number
    last_activity_at: string
    created_at: string
  }
>((db, contactIds, { orgId }) =>
  db
    .selectFrom('conversation')
    .select(['id', 'contact_id', 'connection_id', 'kind', 'control', 'assignee_id', 'team_id', 'archived'])
    .select(['last_activity_at', 'created_at'])
    .where('contact_id', 'in', contactIds)
    .where(belongsTo('conversation.org_id', orgId)),
)

export const listMessages = (db: Db, { orgId, after, limit }: After<number>) =>
  db
    .selectFrom('message')
    .leftJoin('media', 'media.message_id', 'message.id')
    .select(['message.seq', 'message.id', 'message.conversation_id', 'message.wamid', 'message.direction'])
    .select(['message.type', 'message.text', 'message.content', 'message.at', 'message.status', 'message.sent_at'])
    .select(['message.delivered_at', 'message.read_at', 'message.failed_at', 'message.error_code'])
    .select(['message.error_detail', 'message.reply_to_wamid', 'message.author_kind', 'message.author_id'])
    .select(['message.author_name', 'message.edited_at', 'message.revoked_at'])
    .select(['media.id as media_id', 'media.name as media_name', 'media.mime as media_mime'])
    .select(['media.size as media_size', 'media.sha256 as media_sha256', 'media.state as media_state'])
    .where('message.org_id', '=', orgId)
    .where('message.seq', '>', after)
    .orderBy('message.seq')
    .limit(limit)
    .execute()
export type MessageRecordRow = Awaited<ReturnType<typeof listMessages>>[number]

/** Reactions of these messages that were not taken back. */
export const listReactions = lookupQuery<
  { orgId: string },
  { message_id: string; by: string; emoji: string; at: string }
>((db, ids, { orgId }) =>
  db
    .selectFrom('reaction')
    .select(['message_id', 'by', 'emoji', 'at'])
    .where('message_id', 'in', ids)
    .where(belongsTo('reaction.org_id', orgId))
    .where('emoji', '<>', ''),
)

export const listTemplates = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('template')
    .select(['id', 'name', 'language', 'status', 'category', 'parameter_format', 'components', 'quality'])
    .select(['created_at', 'updated_at'])
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Secrets of flows are stored elsewhere: a graph only names them. */
export const listFlows = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('flow')
    .select(['id', 'name', 'is_enabled', 'graph', 'triggers', 'revision', 'published_revision', 'version'])
    .select(['edited_at', 'editor_name', 'created_at'])
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const listFlowVersions = (db: Db, flowId: string, { orgId, after, limit }: After<number>) =>
  db
    .selectFrom('flow_version')
    .select(['flow_id', 'version', 'name', 'graph', 'triggers', 'note', 'published_at', 'author_name'])
    .where('flow_id', '=', flowId)
    .where(belongsTo('flow_version.org_id', orgId))
    .where('version', '>', after)
    .orderBy('version')
    .limit(limit)
    .execute()

export const listBulkSends = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('bulk_send')
    .select(['id', 'name', 'connection_id', 'template_id', 'template', 'state', 'reason', 'author_name'])
    .select(['is_test', 'created_at', 'starts_at', 'started_at', 'ended_at', 'planned', 'queued', 'sent'])
    .select(['delivered', 'read', 'replied', 'unconfirmed', 'failed', 'omitted', 'opted_out'])
    .select(['approved_by', 'approved_at'])
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const listRecipients = (db: Db, sendId: string, { orgId, after, limit }: After<number>) =>
  db
    .selectFrom('bulk_recipient')
    .select(['send_id', 'place', 'given', 'name', 'state', 'reason', 'template_values', 'conversation_id'])
    .select(['handed_at', 'changed_at'])
    .where('send_id', '=', sendId)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .where('place', '>', after)
    .orderBy('place')
    .limit(limit)
    .execute()

/** The ready answers that all members see. */
export const listReadyAnswers = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('ready_answer')
    .leftJoin('ready_answer_file', 'ready_answer_file.answer_id', 'ready_answer.id')
    .select(['ready_answer.id', 'ready_answer.shortcut', 'ready_answer.title', 'ready_answer.text'])
    .select(['ready_answer_file.id as file_id', 'ready_answer_file.name as file_name'])
    .select(['ready_answer_file.mime as file_mime', 'ready_answer_file.path as file_path'])
    .where('ready_answer.org_id', '=', orgId)
    .where('ready_answer.shared', '=', 1)
    .where('ready_answer.id', '>', after)
    .orderBy('ready_answer.id')
    .limit(limit)
    .execute()

export const listScheduled = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('scheduled_message')
    .select(['id', 'conversation_id', 'author_name', 'text', 'due_at', 'ends_on_reply', 'held_code', 'created_at'])
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const listSegments = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('audience_segment')
    .select(['id', 'label', 'filter', 'created_at'])
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The views that all members see. */
export const listViews = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('saved_view')
    .select(['id', 'name', 'filter'])
    .where('org_id', '=', orgId)
    .where('shared', '=', 1)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const listAuditEntries = (db: Db, { orgId, after, limit }: After<string>) =>
  db
    .selectFrom('audit_entry')
    .select(['id', 'at', 'kind', 'action', 'actor_id', 'actor', 'address', 'device', 'subject', 'changes', 'is_done'])
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
