import { parseSetting, settingColumns } from '#server/identity/orgs/settings/columns.ts'
import type { Db } from '#server/platform/db/database.ts'
import { orgSettingKeys } from '#shared/orgs/setting-fields.ts'

/** The organization with all its settings; null where nothing was chosen. */
export async function getSettings(db: Db, orgId: string) {
  const { name, slug, createdAt, ...stored } = await db
    .selectFrom('organization')
    .leftJoin('org_settings', 'org_settings.org_id', 'organization.id')
    .where('organization.id', '=', orgId)
    .select(['organization.name', 'organization.slug', 'organization.createdAt'])
    .select(settingColumns(orgSettingKeys))
    .executeTakeFirstOrThrow()
  const settings = Object.fromEntries(orgSettingKeys.map(key => [key, parseSetting(key, stored[key])]))
  return { name, slug, createdAt, ...settings }
}

/** Members after one of them, by membership id. */
export const listMembers = (db: Db, orgId: string, after: string, limit: number) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', orgId)
    .where('member.id', '>', after)
    .select(['member.id', 'user.name', 'user.email', 'member.role', 'member.createdAt'])
    .orderBy('member.id')
    .limit(limit)
    .execute()

export const listTeams = (db: Db, orgId: string, limit: number) =>
  db
    .selectFrom('team')
    .where('organizationId', '=', orgId)
    .select(['name', 'description', 'memberCount'])
    .orderBy('name')
    .limit(limit)
    .execute()

export const listTags = (db: Db, orgId: string, after: string, limit: number) =>
  db
    .selectFrom('tag')
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .select(['id', 'label'])
    .orderBy('id')
    .limit(limit)
    .execute()

export const listTemplates = (db: Db, orgId: string, after: string, limit: number) =>
  db
    .selectFrom('template')
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .select(['id', 'name', 'language', 'category', 'status', 'components'])
    .orderBy('id')
    .limit(limit)
    .execute()

export const listContacts = (db: Db, orgId: string, after: string, limit: number) =>
  db
    .selectFrom('contact')
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .select(['id', 'name', 'profile_name', 'username', 'wa_id', 'opt_out', 'created_at'])
    .orderBy('id')
    .limit(limit)
    .execute()

export const listTagsOf = (db: Db, orgId: string, contactIds: readonly string[]) =>
  db
    .selectFrom('contact_tag')
    .innerJoin('tag', 'tag.id', 'contact_tag.tag_id')
    .where('contact_tag.org_id', '=', orgId)
    .where('contact_tag.contact_id', 'in', contactIds)
    .select(['contact_tag.contact_id', 'tag.label'])
    .orderBy('tag.label')
    .execute()

/** Values of custom fields. */
export const listFieldValues = (db: Db, orgId: string, contactIds: readonly string[]) =>
  db
    .selectFrom('contact_value')
    .innerJoin('contact_field', 'contact_field.id', 'contact_value.field_id')
    .where('contact_value.contact_id', 'in', contactIds)
    .where('contact_field.org_id', '=', orgId)
    .select(['contact_value.contact_id', 'contact_field.label', 'contact_value.value'])
    .orderBy('contact_field.id')
    .execute()

/** Messages after one of them in order of arrival, with conversation and file. */
export const listMessages = (db: Db, orgId: string, after: number, limit: number) =>
  db
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .innerJoin('contact', 'contact.id', 'conversation.contact_id')
    .leftJoin('media', 'media.message_id', 'message.id')
    .where('message.org_id', '=', orgId)
    .where('message.seq', '>', after)
    .select([
      'message.seq',
      'message.id',
      'message.conversation_id',
      'message.direction',
      'message.type',
      'message.text',
      'message.content',
      'message.at',
      'message.status',
      'message.author_name',
      'message.revoked_at',
      'contact.name',
      'contact.profile_name',
      'contact.wa_id',
      'contact.username',
      'media.id as mediaId',
      'media.name as mediaName',
      'media.state as mediaState',
    ])
    .orderBy('message.seq')
    .limit(limit)
    .execute()

/** Stored files after one of them. */
export const listFiles = (db: Db, orgId: string, after: number, limit: number) =>
  db
    .selectFrom('message')
    .innerJoin('media', 'media.message_id', 'message.id')
    .where('message.org_id', '=', orgId)
    .where('message.seq', '>', after)
    .where('media.state', '=', 'stored')
    .where('media.path', 'is not', null)
    .where('message.revoked_at', 'is', null)
    .select(['message.seq', 'message.at', 'media.id', 'media.name', 'media.path'])
    .orderBy('message.seq')
    .limit(limit)
    .execute()

export async function countContents(db: Db, orgId: string): Promise<{ contacts: number; messages: number }> {
  const [contacts, messages] = await Promise.all(
    (['contact', 'message'] as const).map(table =>
      db
        .selectFrom(table)
        .where('org_id', '=', orgId)
        .select(eb => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    ),
  )
  return { contacts: Number(contacts?.count), messages: Number(messages?.count) }
}
