import type { Generated } from 'kysely'

/** No row, or a null: the default. */
export interface OrgSettingsTable {
  org_id: string
  time_zone: string | null
  language: string | null
  country: string | null
  /** 1: members sign in with a second factor, or see nothing of it. */
  second_factor_required: Generated<number>
  updated_at: string
}

/** When somebody last asked for a new invitation in place of this one. */
export interface InvitationRenewalTable {
  invitation_id: string
  asked_at: string
}

export interface OrgTables {
  org_settings: OrgSettingsTable
  invitation_renewal: InvitationRenewalTable
}
