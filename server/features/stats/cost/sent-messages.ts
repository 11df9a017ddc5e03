import type { OrgSettingsService } from '#server/identity/orgs/settings/settings.ts'
import { findOwnPhones } from '#server/messaging/conversations/shown/named.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { createMetaPrices } from './meta-prices.ts'
import { createReplyNotices } from './reply-notices.ts'
import { createSentUpdater } from './updater.ts'

interface SentMessageParts extends Pick<Parameters<typeof createMetaPrices>[0], 'listReaders'> {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Jobs
  readonly log: Log
  readonly writes: Pick<Writes, 'run'>
  readonly notifications: Pick<Notify, 'notifyRoles'>
  readonly orgSettings: Pick<OrgSettingsService, 'read'>
}

/** Keeps the sums of sent messages, reads Meta's own, and notifies people before the free replies of a month end. */
export function createSentMessages(parts: SentMessageParts) {
  const { databases, notifications, orgSettings } = parts
  const readTimeZone = (orgId: string, db?: Db) => orgSettings.read(orgId, 'timeZone', db)
  const notices = createReplyNotices({
    ...parts,
    readTimeZone,
    notifyRoles: notifications.notifyRoles,
    findPhone: async (orgId, connectionId) => (await findOwnPhones(databases.read, orgId)).get(connectionId),
  })
  const { chore } = createMetaPrices({ ...parts, readTimeZone })
  return { ...createSentUpdater({ ...parts, readTimeZone, notices }), chore }
}
