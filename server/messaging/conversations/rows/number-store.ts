import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'

/** One of the organization's numbers. */
export interface OwnNumber {
  readonly id: string
  readonly kind: 'cloud' | 'sandbox'
  readonly phoneNumberId: string
  /** Meta's account that the number belongs to. */
  readonly wabaId: string
  readonly phone: string
  /** The phone number, if a conversation has to show which number it belongs to. */
  readonly shownPhone: string | null
  /** The state that the numbers feature stored: `connected`, `reauthorise`, `blocked`. */
  readonly status: string
  /** New people it may write to within a day. `Infinity`: no limit. Null: Meta has not said. */
  readonly messagingLimit: number | null
  /** False: it was disconnected. Its conversations stay, and nothing can be sent. */
  readonly isConnected: boolean
}

const ofOrg = hotQuery((db, p: { orgId: string }) =>
  db
    .selectFrom('wa_connection')
    .select([
      'id',
      'kind',
      'phone_number_id',
      'waba_id',
      'phone',
      'shown_phone',
      'status',
      'disconnected_at',
      'created_at',
      'messaging_limit',
      'place',
    ])
    .where('org_id', '=', p.orgId),
)

/**
 * All numbers an organization has or had: connected ones first, then by the order that members chose, or by creation.
 */
export async function listOwnNumbers(db: Db, orgId: string): Promise<OwnNumber[]> {
  const rows = await ofOrg(db, { orgId })
  // Sorting a few rows here avoids a temporary table in the database.
  const numbers = rows
    .toSorted((a, b) => a.place - b.place || (a.created_at + a.id < b.created_at + b.id ? -1 : 1))
    .map(row => ({
      id: row.id,
      kind: row.kind,
      phoneNumberId: row.phone_number_id,
      wabaId: row.waba_id,
      phone: row.phone,
      shownPhone: row.shown_phone,
      status: row.status,
      messagingLimit: row.messaging_limit === -1 ? Number.POSITIVE_INFINITY : row.messaging_limit,
      isConnected: row.disconnected_at === null,
    }))
  return [...numbers.filter(number => number.isConnected), ...numbers.filter(number => !number.isConnected)]
}
