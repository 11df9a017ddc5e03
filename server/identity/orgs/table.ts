import type { Generated } from 'kysely'
import type { OrgSettingKey, orgSettingFields } from '#shared/orgs/setting-fields.ts'
import type { StoredSetting } from './settings/columns.ts'

type Fields = typeof orgSettingFields
/** A column for each entry of `orgSettingFields`. */
type SettingColumns = {
  [K in OrgSettingKey as Fields[K]['column']]: Generated<StoredSetting<K>>
}

/** A missing row or null means the default. */
interface OrgSettingsTable extends SettingColumns {
  org_id: string
  retention_ran_at: Generated<string | null>
  /** Messages deleted in the last night. */
  retention_deleted: Generated<number | null>
  updated_at: string
}

/** The person with an expired invitation last asked for a new one at `asked_at`. */
interface InvitationRenewalTable {
  invitation_id: string
  asked_at: string
}

/** A former slug: still leads to its organization, and no other may take it. Written by triggers. */
interface FormerSlugTable {
  slug: string
  org_id: string
}

export interface OrgDeletionTable {
  org_id: string
  /** The person's name at that time. */
  requested_by: string
  requested_at: string
  due_at: string
}

/** Counts of an organization's rows. Triggers maintain them. */
interface RowUseTable {
  org_id: string
  contacts: Generated<number>
  notes: Generated<number>
}

interface OrgTables {
  former_slug: FormerSlugTable
  org_deletion: OrgDeletionTable
  org_settings: OrgSettingsTable
  row_use: RowUseTable
  invitation_renewal: InvitationRenewalTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends OrgTables {}
}
