import type { ReportRhythm } from '#shared/stats/report.ts'

/** Times are ISO 8601 UTC text. */
export interface StatsReportTable {
  org_id: string
  rhythm: ReportRhythm
  /** The period that was mailed last. @see periodKey */
  sent_period: string
  next_at: string
}

export interface StatsReportRecipientTable {
  org_id: string
  user_id: string
  unsubscribed_at: string | null
  /** The period that was handed to the mail server last. */
  sent_period: string | null
}

declare module '#server/platform/db/database.ts' {
  interface Database {
    stats_report: StatsReportTable
    stats_report_recipient: StatsReportRecipientTable
    /** A member last asked for a report of their own at `asked_at`. */
    stats_report_asked: { org_id: string; user_id: string; asked_at: string }
  }
}
