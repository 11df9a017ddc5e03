import type { Db } from '#server/platform/db/database.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'
import { bulkSendErrors } from './errors.ts'

/** One of the organization's numbers. */
export interface SendingNumber {
  readonly id: string
  readonly phone: string
  readonly status: string
  /** People it may write to first within a day; `Infinity`: however many. Null: Meta has not said. */
  readonly messagingLimit: number | null
  readonly isConnected: boolean
}

/** By which number a send leaves and whose rights it has, as other rooms know it. */
export interface Senders {
  /** In the order in which they came, those that are connected first. */
  listNumbers(db: Db, orgId: string): Promise<readonly SendingNumber[]>
  /** What somebody is in the organization; undefined: no member (any more). */
  findRole(db: Db, orgId: string, userId: string): Promise<OrgRole | undefined>
}

/** The first number that is connected. @throws BULK_SENDS_NOT_CONNECTED */
export const requireNumber = (numbers: readonly SendingNumber[]): SendingNumber => {
  const number = numbers.find(one => one.isConnected)
  if (!number) throw bulkSendErrors.NOT_CONNECTED()
  return number
}
