import type { Db } from '#server/platform/db/database.ts'

interface NewDevice {
  readonly id: string
  readonly userId: string
  readonly tokenHash: string
  readonly userAgent: string | null
  readonly ipAddress: string | null
  readonly at: string
  readonly expiresAt: string
}

/** Beyond the limit, the device used least recently is removed. */
export async function addTrustedDevice(trx: Db, device: NewDevice, limit: number): Promise<void> {
  const oldest = await trx
    .selectFrom('trusted_device')
    .select('id')
    .where('user_id', '=', device.userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .offset(limit - 1)
    .limit(limit)
    .execute()
  if (oldest.length)
    await trx
      .deleteFrom('trusted_device')
      .where(
        'id',
        'in',
        oldest.map(row => row.id),
      )
      .execute()
  await trx
    .insertInto('trusted_device')
    .values({
      id: device.id,
      user_id: device.userId,
      token_hash: device.tokenHash,
      user_agent: device.userAgent,
      ip_address: device.ipAddress,
      created_at: device.at,
      last_used_at: device.at,
      expires_at: device.expiresAt,
    })
    .execute()
}

/** Records a use; false: the device is not trusted, or no longer. */
export async function recordDeviceUse(
  db: Db,
  device: { userId: string; tokenHash: string; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('trusted_device')
    .set({ last_used_at: device.now })
    .where('token_hash', '=', device.tokenHash)
    .where('user_id', '=', device.userId)
    .where('expires_at', '>', device.now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Last used first. */
export const listTrustedDevices = (db: Db, userId: string, { now, limit }: { now: string; limit: number }) =>
  db
    .selectFrom('trusted_device')
    .select(['id', 'user_agent', 'ip_address', 'created_at', 'last_used_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

/** False: the person has no such device. */
export async function deleteTrustedDevice(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('trusted_device')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
