import { type ActingParts, findActingCaller } from '#server/identity/auth/acting-callers.ts'
import type { BusinessHoursService } from '#server/identity/orgs/settings/business-hours.ts'
import type { OrgSettingsService } from '#server/identity/orgs/settings/settings.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Letter } from '#server/platform/mail/mail.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import type { StatsFilter } from '#shared/stats/filter.ts'
import { oneClickPath, type ReportRhythm } from '#shared/stats/report.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'
import type { Block } from '../blocks/block.ts'
import type { SummaryWords } from '../blocks/summary-tables.ts'
import { requirePeriod } from '../figures/required-period.ts'
import { reportContent } from './content.ts'
import { reportLetter } from './letter.ts'
import type { ReportDays } from './report-period.ts'
import { findAddressee, findRecipient } from './store.ts'
import type { SubscriptionTokens } from './subscription-token.ts'

export interface ComposingParts extends ActingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly publicUrl: string
  readonly tokens: SubscriptionTokens
  readonly businessHours: Pick<BusinessHoursService, 'zonedHours'>
  readonly orgSettings: Pick<OrgSettingsService, 'read'>
  /** Blocks of the page that stand in the report, too. */
  readonly blocks: readonly Block[]
  getSummary(
    caller: OrgCaller,
    asked: { query: StatsFilter & { compare?: boolean } },
  ): Promise<StatsSummary> | StatsSummary
  translate(language: Language, key: string, params?: Record<string, string | number>): string
}

/** Whose report of which days. */
interface LetterRequest extends ReportDays {
  readonly userId: string
  readonly rhythm: ReportRhythm
  /** Absent: the language that the person uses. */
  readonly language?: Language
  readonly isAsked: boolean
}

const rowsOfBlock = 10

/** The time zone of the organization's clock. */
export const readTimeZone = async (
  businessHours: Pick<BusinessHoursService, 'zonedHours'>,
  orgId: string,
  db: Db,
): Promise<string> => (await businessHours.zonedHours(orgId, db)).timeZone

/** Somebody who answers customers and does not manage members sees only their own work. */
const seesOnlyOwn = ({ role }: OrgCaller): boolean => roleCan(role, 'chat:reply') && !roleCan(role, 'member:manage')

/** Returns the function that writes the report for one person, with what they may see. */
export function createComposing(parts: ComposingParts) {
  const { databases, clock, publicUrl, tokens, businessHours, orgSettings, blocks, getSummary, translate } = parts
  const { read } = databases

  const wordsIn = (language: Language): SummaryWords => ({
    language,
    say: (key, params) => translate(language, `stats:${key}`, params),
  })

  const tablesFor = async (caller: OrgCaller, days: ReportDays, { language }: SummaryWords) => {
    const timeZone = await readTimeZone(businessHours, caller.orgId, read)
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
  return async (
    orgId: string,
    { userId, rhythm, from, to, isAsked, ...asked }: LetterRequest,
  ): Promise<Letter | undefined> => {
    const addressee = await findAddressee(read, orgId, userId)
    if (!addressee) return undefined
    const language = asked.language ?? addressee.language ?? (await orgSettings.read(orgId, 'language', read))
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
}
