import type { Config } from '#server/platform/config/config.ts'
import type { Db } from '#server/platform/db/database.ts'
import { actorOf, systemActor } from '#server/platform/events/actors.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import {
  type ReportRecipient,
  reportNowEveryMinutes,
  type StatsReport,
  type statsReportApi,
} from '#shared/stats/report.ts'
import { reportErrors } from './errors.ts'
import { createReportMailing, type MailingParts } from './mailing.ts'
import {
  deleteReport,
  findAsked,
  findMembers,
  findRecipient,
  findReport,
  listRecipients,
  markUnsubscribed,
  replaceRecipients,
  saveAsked,
} from './store.ts'

interface ReportParts extends MailingParts {
  readonly config: Pick<Config, 'mail'>
}

const pauseMs = reportNowEveryMinutes * 60_000

/** The report of statistics by mail: who gets it, when, and how they stop it. */
export function createStatsReports(parts: ReportParts) {
  const { databases, clock, config, writes, tokens, findOrganization } = parts
  const { read } = databases
  const mailing = createReportMailing(parts)

  const present = async (db: Db, { orgId, userId, role }: Member): Promise<StatsReport> => {
    const report = await findReport(db, orgId)
    const rows = await listRecipients(db, orgId)
    const shown = roleCan(role, 'org:update') ? rows : rows.filter(row => row.user_id === userId)
    const recipients = shown.map(
      (row): ReportRecipient => ({
        userId: row.user_id,
        name: row.name,
        unsubscribedAt: row.unsubscribed_at,
        gets: row.unsubscribed_at === null && roleCan(effectiveRole(row.role), 'stats:read'),
      }),
    )
    return {
      rhythm: report?.rhythm ?? null,
      nextAt: report?.next_at ?? null,
      recipients,
      hasMailServer: config.mail.smtpUrl !== undefined,
    }
  }

  /** Idempotent. @throws STATS_REPORT_LINK_INVALID */
  const unsubscribe = async (token: string): Promise<void> => {
    const found = tokens.read(token)
    if (!found) throw reportErrors.LINK_INVALID()
    const { orgId, userId } = found
    const was = await writes.run(orgId, systemActor('statistics'), ({ db }) =>
      markUnsubscribed(db, orgId, userId, isoNow(clock)),
    )
    if (!was) throw reportErrors.LINK_INVALID()
  }

  const service: ServiceOf<typeof statsReportApi, Member> = {
    getReport: member => present(read, member),

    /** @throws InvalidInput for somebody who is no member */
    setReport: (member, { body: { rhythm, recipients } }) =>
      writes.run(member.orgId, actorOf(member), async write => {
        const { db, orgId } = write
        const ids = recipients.map(({ userId }) => userId)
        const members = await findMembers(db, orgId, ids)
        const at = ids.findIndex((id, i) => !members.has(id) || ids.indexOf(id) !== i)
        if (at >= 0) throw new InvalidInput([{ field: `body.recipients.${at}.userId`, code: 'invalid', params: {} }])
        await replaceRecipients(
          db,
          orgId,
          recipients.map(({ userId }) => userId),
        )
        const before = await findReport(db, orgId)
        if (rhythm) await mailing.plan(write, rhythm, before?.sent_period)
        else {
          await deleteReport(db, orgId)
          await mailing.cancel(write)
        }
        return present(db, member)
      }),

    /**
     * @throws STATS_REPORT_NOT_WHILE_IMPERSONATING, and APP_TOO_MANY_REQUESTS within some minutes after the one before
     */
    async sendNow(member) {
      if (member.impersonatedBy) throw reportErrors.NOT_WHILE_IMPERSONATING()
      return writes.run(member.orgId, actorOf(member), async write => {
        const { db, orgId } = write
        const { userId, language, email } = member
        const now = clock.now()
        const askedAt = await findAsked(db, orgId, userId)
        const waitMs = askedAt === undefined ? 0 : Date.parse(askedAt) + pauseMs - now.getTime()
        if (waitMs > 0) throw appErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: Math.ceil(waitMs / 1_000) })
        await saveAsked(db, orgId, userId, now.toISOString())
        await mailing.mailNow(write, { userId, language })
        return { to: email }
      })
    },

    async getSubscription(_visitor, { query: { token } }) {
      const found = tokens.read(token)
      const row = found && (await findRecipient(read, found.orgId, found.userId))
      if (!found || !row) return { organization: null, isSubscribed: false }
      const { name } = (await findOrganization(read, found.orgId)) ?? { name: null }
      return { organization: name, isSubscribed: row.unsubscribed_at === null }
    },

    async unsubscribe(_visitor, { body: { token } }) {
      await unsubscribe(token)
      return { success: true }
    },
  }

  return { service, unsubscribe, listener: mailing.listener }
}

export type StatsReports = ReturnType<typeof createStatsReports>
