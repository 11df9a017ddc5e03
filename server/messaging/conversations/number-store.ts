import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'

/** One of the organization's own numbers, as conversations need it. */
export interface OwnNumber {
  readonly id: string
  readonly kind: 'cloud' | 'sandbox'
  readonly phoneNumberId: string
  readonly phone: string
  /** Its phone, where a conversation has to say which number it belongs to. */
  readonly shownPhone: string | null
  /** As the room of numbers keeps it: `connected`, `reauthorise`, `blocked`. */
  readonly status: string
  /** People it may write to first within a day; `Infinity`: however many. Null: Meta has not said. */
  readonly messagingLimit: number | null
  /** False: it was let go. Its conversations stay, and nothing can be sent. */
  readonly isConnected: boolean
}

const ofOrg = hotQuery((db, p: { orgId: string }) =>
  db
    .selectFrom('wa_connection')
    .select([
      'id',
      'kind',
      'phone_number_id',
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

/** All numbers an organization has or had, connected ones first, then in the order they were put into, or came. */
export async function listOwnNumbers(db: Db, orgId: string): Promise<OwnNumber[]> {
  const rows = await ofOrg(db, { orgId })
  // A handful; sorting them here spares the database a table of its own.
  const numbers = rows
    .toSorted((a, b) => a.place - b.place || (a.created_at + a.id < b.created_at + b.id ? -1 : 1))
    .map(row => ({
      id: row.id,
      kind: row.kind,
      phoneNumberId: row.phone_number_id,
      phone: row.phone,
      shownPhone: row.shown_phone,
      status: row.status,
      messagingLimit: row.messaging_limit === -1 ? Number.POSITIVE_INFINITY : row.messaging_limit,
      isConnected: row.disconnected_at === null,
    }))
  return [...numbers.filter(number => number.isConnected), ...numbers.filter(number => !number.isConnected)]
}
