import type { Db } from '#server/platform/db/database.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'
import { bulkSendErrors } from './errors.ts'

/** One of the organization's numbers. */
export interface SendingNumber {
  readonly id: string
  readonly phone: string
  readonly status: string
  /** New people it may write to within a day. `Infinity`: no limit. Null: Meta has not said. */
  readonly messagingLimit: number | null
  readonly isConnected: boolean
}

/** The functions that bulk sends need from numbers and members. */
export interface Senders {
  /** Connected ones first, in order of creation. */
  listNumbers(db: Db, orgId: string): Promise<readonly SendingNumber[]>
  /** Undefined: no member (any more). */
  findRole(db: Db, orgId: string, userId: string): Promise<OrgRole | undefined>
}

/** The first connected number. @throws BULK_SENDS_NOT_CONNECTED */
export const requireNumber = (numbers: readonly SendingNumber[]): SendingNumber => {
  const number = numbers.find(one => one.isConnected)
  if (!number) throw bulkSendErrors.NOT_CONNECTED()
  return number
}
