import { type Static, Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { type Language, languages } from '#shared/kernel/language.ts'
import { type ReportRhythm, reportRhythms } from '#shared/stats/report.ts'
import { type ComposingParts, createComposing, readTimeZone } from './composing.ts'
import { periodKey, reportPeriodAt } from './report-period.ts'
import { findReport, givePeriodBack, listRecipients, saveReport, takePeriod } from './store.ts'

export interface MailingParts extends ComposingParts {
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
  readonly mail: Mail
}

const dayMs = 86_400_000
/** Enough for a mail server that is down for a day. */
const tries = 30
const dueKey = 'due'

const Mailing = Type.Object({
  userId: Type.String(),
  /** The language of the page on which the person subscribed. Absent: the language they use. */
  language: Type.Optional(Type.Enum(languages)),
  rhythm: Type.Enum(reportRhythms),
  from: Type.String(),
  to: Type.String(),
  /** True if the person requested this report, so that it is mailed whether or not they are a recipient. */
  isAsked: Type.Boolean(),
})
type Mailing = Static<typeof Mailing>

/** Two jobs: one for each organization falls due with its period, and one mails the report to one person. */
export function createReportMailing(parts: MailingParts) {
  const { clock, jobs, writes, mail, businessHours } = parts
  const composeLetter = createComposing(parts)
  const by = systemActor('statistics')

  const zoneOf = (orgId: string, db: Db) => readTimeZone(businessHours, orgId, db)

  const deliver = async (orgId: string, mailing: Mailing): Promise<Outcome | undefined> => {
    const { userId, isAsked } = mailing
    const period = periodKey(mailing.rhythm, mailing)
    const letter = await composeLetter(orgId, mailing)
    if (!letter) return undefined
    // Taken before it is sent: after a crash in between, a report is missing rather than mailed twice.
    const isTaken = isAsked || (await writes.run(orgId, by, ({ db }) => takePeriod(db, orgId, userId, period)))
    if (!isTaken) return undefined
    try {
      await mail.send(letter)
      return undefined
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'MAIL_RECIPIENT_REFUSED') return { kind: 'failed', reason: error.code }
      if (!isAsked) await writes.run(orgId, by, ({ db }) => givePeriodBack(db, orgId, userId, period))
      return { kind: 'retry', reason: error.code }
    }
  }

  const mails = jobs.register({
    name: 'stats.reportMail',
    looksWithinMs: dayMs,
    payload: Mailing,
    lane: 'bulk',
    atOnce: 2,
    perOrg: 1,
    tries,
    isKept: false,
    run: ({ orgId, payload }) => deliver(orgId, payload),
  })

  /** Adds a mail for each recipient once for a period. Returns when the next period is due; undefined: no report. */
  const addDue = async ({ db, orgId, afterCommit }: OrgWrite): Promise<string | undefined> => {
    const report = await findReport(db, orgId)
    if (!report) return undefined
    const { rhythm, sent_period: sent } = report
    const { due, nextAt } = reportPeriodAt(rhythm, clock.now().getTime(), await zoneOf(orgId, db))
    const period = periodKey(rhythm, due)
    // An earlier one after a change of the time zone was mailed before.
    const isNew = period > sent || !sent.startsWith(rhythm)
    if (isNew) {
      const recipients = (await listRecipients(db, orgId)).filter(one => one.unsubscribed_at === null)
      await mails.add(
        db,
        orgId,
        recipients.map(({ user_id: userId }) => ({
          payload: { userId, rhythm, ...due, isAsked: false },
          uniqueKey: `${userId} ${period}`,
        })),
      )
      afterCommit(mails.wake)
    }
    await saveReport(db, orgId, { rhythm, sent_period: isNew ? period : sent, next_at: nextAt })
    return nextAt
  }

  const due = jobs.register({
    name: 'stats.reportDue',
    looksWithinMs: 32 * dayMs,
    keepsTime: 'chosen',
    payload: Type.Object({}),
    lane: 'bulk',
    atOnce: 2,
    perOrg: 1,
    isKept: false,
    async run({ orgId }) {
      const nextAt = await writes.run(orgId, by, addDue)
      if (nextAt === undefined) return undefined
      return { kind: 'again', afterMs: Math.max(0, Date.parse(nextAt) - clock.now().getTime()) }
    },
  })

  /** Plans the next report, by the clock of now. */
  const plan = async ({ db, orgId, afterCommit }: OrgWrite, rhythm: ReportRhythm, sent: string | undefined) => {
    const { due: last, nextAt } = reportPeriodAt(rhythm, clock.now().getTime(), await zoneOf(orgId, db))
    const sentPeriod = sent?.startsWith(rhythm) ? sent : periodKey(rhythm, last)
    await saveReport(db, orgId, { rhythm, sent_period: sentPeriod, next_at: nextAt })
    await due.replace(db, orgId, [{ uniqueKey: dueKey, job: { payload: {}, uniqueKey: dueKey, dueAt: nextAt } }])
    afterCommit(due.wake)
  }

  const listener: TransactionListener<'organization.changed'> = {
    name: 'time of the statistics report',
    on: ['organization.changed'],
    async handle(write) {
      const report = await findReport(write.db, write.orgId)
      if (!report) return
      const { nextAt } = reportPeriodAt(report.rhythm, clock.now().getTime(), await zoneOf(write.orgId, write.db))
      // A report that is due now is mailed first.
      if (nextAt !== report.next_at && report.next_at > isoNow(clock))
        await plan(write, report.rhythm, report.sent_period)
    },
  }

  return {
    listener,
    plan,
    /** No report falls due any more. */
    async cancel({ db, orgId }: OrgWrite): Promise<void> {
      await due.cancel(db, orgId, [dueKey])
    },
    /** Mails the report of the last period to somebody who asks for it. */
    async mailNow(
      { db, orgId, afterCommit }: OrgWrite,
      { userId, language }: { userId: string; language: Language },
    ): Promise<void> {
      const rhythm = (await findReport(db, orgId))?.rhythm ?? 'weekly'
      const { due: days } = reportPeriodAt(rhythm, clock.now().getTime(), await zoneOf(orgId, db))
      await mails.add(db, orgId, [{ payload: { userId, language, rhythm, ...days, isAsked: true } }])
      afterCommit(mails.wake)
    },
  }
}
