import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable } from '#shared/kernel/list.ts'

export const reportRhythms = ['weekly', 'monthly'] as const
export type ReportRhythm = (typeof reportRhythms)[number]

/** The hour of the organization's clock at which the report is mailed: on Mondays, or on the first of the month. */
export const reportHour = 8
export const maxReportRecipients = 50
/** Between two reports that a member asks for. */
export const reportNowEveryMinutes = 10

const Rhythm = Type.Enum(reportRhythms, { description: '`weekly`: on Mondays · `monthly`: on the first of the month.' })
const UserId = Type.String({ minLength: 1, maxLength: 64 })
const Recipient = Type.Object({
  userId: UserId,
  name: Type.String(),
  unsubscribedAt: Nullable(Type.String({ description: 'When they unsubscribed; null: they get it.' })),
  gets: Type.Boolean({ description: 'False: they unsubscribed, or may not see statistics.' }),
})
export type ReportRecipient = Static<typeof Recipient>

const StatsReport = Type.Object({
  rhythm: Nullable(Rhythm),
  nextAt: Nullable(Type.String({ description: 'When the next one is mailed; null: none is.' })),
  recipients: Type.Array(Recipient, {
    maxItems: maxReportRecipients,
    description: 'All of them for who may change them; else the caller, if they are one.',
  }),
  hasMailServer: Type.Boolean({ description: 'False: mails are written to files, and nobody gets them.' }),
})
export type StatsReport = Static<typeof StatsReport>

const Token = Type.String({ minLength: 1, maxLength: 1_000, description: 'Of the link in a report.' })
const closed = { additionalProperties: false } as const

/** A report of the organization's figures by mail. Everybody gets what they may see. */
export const statsReportApi = {
  getReport: endpoint({
    method: 'GET',
    path: '/stats/mail',
    access: 'stats:read',
    peopleOnly: true,
    reply: StatsReport,
    summary: 'How often the report is mailed, when next, and to which members.',
  }),
  setReport: endpoint({
    method: 'PUT',
    path: '/stats/mail',
    access: 'org:update',
    peopleOnly: true,
    body: Type.Object(
      {
        rhythm: Type.Union([Rhythm, Type.Null()]),
        recipients: Type.Array(Type.Object({ userId: UserId }, closed), {
          maxItems: maxReportRecipients,
          description:
            'Members; each gets it in the language that they use. Who unsubscribed gets it again if they are left out once and then chosen again.',
        }),
      },
      closed,
    ),
    reply: StatsReport,
    summary: 'Sets how often the report is mailed, and to which members. Null: not at all.',
  }),
  sendNow: endpoint({
    method: 'POST',
    path: '/stats/mail/send',
    access: 'stats:read',
    peopleOnly: true,
    status: 202,
    reply: Type.Object({ to: Type.String({ description: 'The address of the caller.' }) }),
    summary: `Mails the caller the report of the last period; once in ${reportNowEveryMinutes} minutes.`,
  }),
  getSubscription: endpoint({
    method: 'GET',
    path: '/stats/mail/subscription',
    access: 'anyone',
    query: Type.Object({ token: Token }, closed),
    reply: Type.Object({
      organization: Nullable(Type.String({ description: 'Its name; null: the link is not one of ours.' })),
      isSubscribed: Type.Boolean(),
    }),
    summary: 'The organization of an unsubscribe link, and whether its reports still come. Changes nothing.',
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/stats/mail/subscription',
    access: 'anyone',
    body: Type.Object({ token: Token }, closed),
    reply: Done,
    refuses: [404],
    summary: 'Unsubscribes the recipient of a report, by the link in it. Needs no sign-in.',
  }),
} as const

/** The address at which mail programs unsubscribe with one click (RFC 8058). */
export const oneClickPath = '/api/stats/mail/unsubscribe'
