import type { Config } from '#server/platform/config/config.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { maxTrustedDevices, type TrustedDevice, trustedDays } from '#shared/auth/second-factor.ts'
import { deviceOf } from '../sessions/user-agent.ts'
import { createDeviceToken, deviceCookie, hashDeviceToken, readDeviceToken } from './trusted-device-cookie.ts'
import { addTrustedDevice, deleteTrustedDevice, listTrustedDevices, recordDeviceUse } from './trusted-device-store.ts'

const trustedSeconds = trustedDays * 24 * 60 * 60

export interface TrustedDevices {
  /** True if this person trusts the browser with these cookies. Records the use. */
  isTrusted(userId: string, cookie: string | undefined): Promise<boolean>
  /** Trusts a browser; returns its `set-cookie` header. */
  add(trx: Db, userId: string, browser: { userAgent: string | null; ip: string }): Promise<string>
  list(userId: string): Promise<TrustedDevice[]>
  /** False: the person has no such device. */
  end(trx: Db, userId: string, id: string): Promise<boolean>
}

export function createTrustedDevices({
  config,
  databases,
  clock,
}: {
  config: Pick<Config, 'publicUrl'>
  databases: Databases
  clock: Clock
}): TrustedDevices {
  return {
    async isTrusted(userId, cookie) {
      const token = readDeviceToken(config.publicUrl, userId, cookie)
      if (token === undefined) return false
      return recordDeviceUse(databases.write, { userId, tokenHash: hashDeviceToken(token), now: isoNow(clock) })
    },

    async add(trx, userId, { userAgent, ip }) {
      const token = createDeviceToken()
      const device = {
        id: newId(),
        userId,
        tokenHash: hashDeviceToken(token),
        userAgent,
        ipAddress: ip,
        at: isoNow(clock),
        expiresAt: isoIn(clock, trustedSeconds * 1000),
      }
      await addTrustedDevice(trx, device, maxTrustedDevices)
      return deviceCookie(config.publicUrl, { userId, token, seconds: trustedSeconds })
    },

    async list(userId) {
      const rows = await listTrustedDevices(databases.read, userId, { now: isoNow(clock), limit: maxTrustedDevices })
      return rows.map(row => ({
        id: row.id,
        ...deviceOf(row.user_agent),
        address: row.ip_address,
        trustedAt: row.created_at,
        lastUsedAt: row.last_used_at,
        expiresAt: row.expires_at,
      }))
    },

    end: deleteTrustedDevice,
  }
}
