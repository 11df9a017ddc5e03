import { type Static, Type } from 'typebox'
import { type ActingParts, findActingCaller } from '#server/identity/auth/acting-callers.ts'
import type { BusinessHoursService } from '#server/identity/orgs/business-hours.ts'
import type { OrgSettingsService } from '#server/identity/orgs/settings.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { type Language, languages } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { defaultLanguage } from '#shared/orgs/setting-fields.ts'
import type { StatsFilter } from '#shared/stats/filter.ts'
import { oneClickPath, type ReportRhythm, reportRhythms } from '#shared/stats/report.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'
import type { Block } from '../blocks/block.ts'
import type { SummaryWords } from '../blocks/summary-tables.ts'
import { requirePeriod } from '../figures/required-period.ts'
import { reportContent } from './content.ts'
import { reportLetter } from './letter.ts'
import { periodKey, type ReportDays, reportPeriodAt } from './report-period.ts'
import {
  findAddressee,
  findRecipient,
  findReport,
  givePeriodBack,
  listRecipients,
  saveReport,
  takePeriod,
} from './store.ts'
import type { SubscriptionTokens } from './subscription-token.ts'

export interface MailingParts extends ActingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
  readonly mail: Mail
  readonly publicUrl: string
  readonly tokens: SubscriptionTokens
  readonly businessHours: Pick<BusinessHoursService, 'zonedHours'>
  readonly orgSettings: Pick<OrgSettingsService, 'languageOf'>
  /** Blocks of the page that stand in the report, too. */
  readonly blocks: readonly Block[]
  getSummary(
    caller: OrgCaller,
    asked: { query: StatsFilter & { compare?: boolean } },
  ): Promise<StatsSummary> | StatsSummary
  translate(language: Language, key: string, params?: Record<string, string | number>): string
}

const dayMs = 86_400_000
/** Enough for a mail server that is down for a day. */
const tries = 30
const dueKey = 'due'
const rowsOfBlock = 10

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

/** Whether the report shows only the person's own work: they answer customers and do not manage members. */
const seesOnlyOwn = ({ role }: OrgCaller): boolean => roleCan(role, 'chat:reply') && !roleCan(role, 'member:manage')

/** Two jobs: one for each organization falls due with its period, and one mails the report to one person. */
export function createReportMailing(parts: MailingParts) {
  const { databases, clock, jobs, writes, mail, publicUrl, tokens, businessHours, orgSettings } = parts
  const { blocks, getSummary, translate } = parts
  const { read } = databases
  const by = systemActor('statistics')

  const timeZoneOf = async (orgId: string, db: Db): Promise<string> =>
    (await businessHours.zonedHours(orgId, db)).timeZone

  const wordsIn = (language: Language): SummaryWords => ({
    language,
    say: (key, params) => translate(language, `stats:${key}`, params),
  })

  const tablesFor = async (caller: OrgCaller, days: ReportDays, { language }: SummaryWords) => {
    const timeZone = await timeZoneOf(caller.orgId, read)
    const period = requirePeriod(days, { now: clock.now().getTime(), timeZone })
    const tables = []
    for (const block of blocks) {
      if (block.needs && !roleCan(caller.role, block.needs)) continue
      const say = (key: string) => translate(language, `stats:blocks.${key}`)
      const answer = await block.read(caller, { period, rows: rowsOfBlock, today: period.to })
      const table = block.toTable(answer, say)
      tables.push({ title: say(`${block.name}.title`), table })
    }
    return tables
  }

  /** Undefined: they left, may not see statistics, or have no verified address. */
  const makeLetter = async (orgId: string, { userId, rhythm, from, to, isAsked, ...asked }: Mailing) => {
    const addressee = await findAddressee(read, orgId, userId)
    if (!addressee) return undefined
    const language =
      asked.language ?? addressee.language ?? (await orgSettings.languageOf(orgId, read)) ?? defaultLanguage
    const author = { kind: 'person', id: userId, name: '', language } as const
    const caller = await findActingCaller(read, orgId, author, parts)
    if (!caller || !roleCan(caller.role, 'stats:read')) return undefined
    const words = wordsIn(language)
    const isOwn = seesOnlyOwn(caller)
    const filter = { from, to, ...(isOwn ? { member: userId } : {}) }
    const summary = await getSummary(caller, { query: { ...filter, compare: true } })
    const tables = isOwn ? [] : await tablesFor(caller, { from, to }, words)
    const content = reportContent({ org: caller.orgName, rhythm, summary, isOwn, blocks: tables }, words)
    const token = tokens.make({ orgId, userId })
    const recipient = await findRecipient(read, orgId, userId)
    const canUnsubscribe = recipient?.unsubscribed_at === null
    const page = `${publicUrl}${paths.stats(caller.orgSlug)}?${new URLSearchParams(filter)}`
    return reportLetter(
      content,
      {
        to: addressee.email,
        page,
        isAsked,
        unsubscribePage: canUnsubscribe ? `${publicUrl}${paths.statsUnsubscribe(token)}` : undefined,
        oneClick: canUnsubscribe ? `${publicUrl}${oneClickPath}?${new URLSearchParams({ token })}` : undefined,
      },
      words,
    )
  }

  const deliver = async (orgId: string, mailing: Mailing): Promise<Outcome | undefined> => {
    const { userId, isAsked } = mailing
    const period = periodKey(mailing.rhythm, mailing)
    const letter = await makeLetter(orgId, mailing)
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
    const { due, nextAt } = reportPeriodAt(rhythm, clock.now().getTime(), await timeZoneOf(orgId, db))
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

  /** When the next report falls due, by the clock of now. */
  const plan = async ({ db, orgId, afterCommit }: OrgWrite, rhythm: ReportRhythm, sent: string | undefined) => {
    const { due: last, nextAt } = reportPeriodAt(rhythm, clock.now().getTime(), await timeZoneOf(orgId, db))
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
      const { nextAt } = reportPeriodAt(report.rhythm, clock.now().getTime(), await timeZoneOf(write.orgId, write.db))
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
      const { due: days } = reportPeriodAt(rhythm, clock.now().getTime(), await timeZoneOf(orgId, db))
      await mails.add(db, orgId, [{ payload: { userId, language, rhythm, ...days, isAsked: true } }])
      afterCommit(mails.wake)
    },
  }
}
