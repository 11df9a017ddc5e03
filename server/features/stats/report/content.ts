import { asWords } from '#server/platform/mail/as-words.ts'
import type { Language } from '#shared/kernel/language.ts'
import { shortDate, shortTime } from '#shared/kernel/time.ts'
import { fewCases } from '#shared/stats/definitions.ts'
import { durationText, relativeChange } from '#shared/stats/duration.ts'
import { responseBucketsMs } from '#shared/stats/filter.ts'
import type { ReportRhythm } from '#shared/stats/report.ts'
import type { GroupAnswer, StatsSummary } from '#shared/stats/summary.ts'
import type { BlockTable } from '../blocks/block.ts'
import { bucketName, type GroupKind, groupName, type SummaryWords } from '../blocks/summary-tables.ts'

/** A figure with what stands beside it. */
interface FigureLine {
  readonly name: string
  readonly value: string
  readonly beside: readonly string[]
}

/** A table; its first column names the rows. */
interface Section {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The content of a report, from which its HTML and its text are made. */
export interface ReportContent {
  readonly subject: string
  readonly title: string
  readonly days: string
  /** Says that the figures are only the recipient's own, or that older messages are still being counted. */
  readonly notes: readonly string[]
  readonly alerts: readonly string[]
  readonly figures: readonly FigureLine[]
  readonly sections: readonly Section[]
}

interface ReportFacts {
  readonly org: string
  readonly rhythm: ReportRhythm
  readonly summary: StatsSummary
  /** True: only what the recipient did themselves is counted. */
  readonly isOwn: boolean
  /** Tables of blocks, by their titles. */
  readonly blocks: readonly { readonly title: string; readonly table: BlockTable }[]
}

/** More rows of a table stand on the page. */
const maxRows = 10
const none = '—'
const isTime = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

const formatsOf = (language: Language) => {
  const number = new Intl.NumberFormat(language)
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const amount = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return {
    number: (n: number) => number.format(n),
    amount: (n: number) => amount.format(n),
    percent: (part: number) => percent.format(part),
  }
}

export function reportContent(
  { org, rhythm, summary, isOwn, blocks }: ReportFacts,
  words: SummaryWords,
): ReportContent {
  const { language, say } = words
  const { number, amount, percent } = formatsOf(language)
  const { figures, promise, promiseMs, unanswered, buckets } = summary
  const day = (date: string) => shortDate(`${date}T12:00:00.000Z`, language, 'UTC')
  const days = say('export.range', { from: day(summary.from), to: day(summary.to) })

  const change = (value: number | null, before: number | null): string => {
    const part = relativeChange(value, before)
    if (part === null) return say('summary.noBefore')
    if (part === 0) return say('summary.same')
    return say(part < 0 ? 'summary.fell' : 'summary.rose', { share: percent(Math.abs(part)) })
  }
  const median = ({ count, medianMs }: { count: number; medianMs: number | null }): string => {
    return medianMs === null || count < fewCases ? none : durationText(medianMs)
  }
  const timed = (name: 'firstResponse' | 'customerWait' | 'resolution', more: readonly string[] = []): FigureLine => {
    const { count, medianMs, p90Ms, meanMs, before } = figures[name]
    const isFew = count < fewCases || p90Ms === null || meanMs === null
    return {
      name: say(`summary.figure.${name}`),
      value: median({ count, medianMs }),
      beside: [
        ...(isFew
          ? [count ? say('summary.fewWhy', { count }) : say('summary.noCases')]
          : [
              change(medianMs, before),
              say('summary.p90', { time: durationText(p90Ms) }),
              say('summary.mean', { time: durationText(meanMs) }),
            ]),
        ...more,
      ],
    }
  }
  const { attended, containment, cost } = figures
  const lines: FigureLine[] = [
    {
      name: say('summary.figure.attended'),
      value: number(attended.value),
      beside: [change(attended.value, attended.before)],
    },
    timed('firstResponse', [
      ...(figures.firstResponse.count && promiseMs !== null
        ? [
            say('summary.promise', {
              share: percent(promise.kept.count / figures.firstResponse.count),
              time: durationText(promiseMs),
            }),
          ]
        : []),
      ...(unanswered.count ? [say('summary.unanswered', { count: unanswered.count })] : []),
    ]),
    timed('customerWait', [say('summary.waitingNow', { count: figures.customerWait.waitingNow })]),
    timed('resolution'),
    {
      name: say('summary.figure.containment'),
      value: containment.share === null || containment.withBot < fewCases ? none : percent(containment.share),
      beside: [
        containment.withBot
          ? say('summary.ofBots', { ended: number(containment.ended), all: number(containment.withBot) })
          : say('summary.noBots'),
      ],
    },
    ...(cost
      ? [
          {
            name: say('summary.figure.cost'),
            value: cost.amounts
              .map(({ amount, currency }) =>
                new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code' }).format(
                  amount,
                ),
              )
              .join(' + '),
            beside: [say('summary.estimated')],
          },
        ]
      : []),
  ]

  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  const responses: Section = {
    title: say('summary.figure.firstResponse'),
    columns: [say('summary.time'), say('summary.conversations'), '%'],
    rows: total
      ? buckets.map(({ count }, bucket) => [
          bucketName(bucket, responseBucketsMs, say),
          number(count),
          percent(count / total),
        ])
      : [],
  }
  const isFew = (count: number) => count > 0 && count < fewCases
  const cell = (cases: GroupAnswer['resolution']): string =>
    isFew(cases.count) ? say('summary.few', { count: cases.count }) : median(cases)
  const inTime = ({ answered: { count }, inPromise }: GroupAnswer): string => {
    if (!count) return none
    return isFew(count) ? say('summary.ofBots', { ended: inPromise, all: count }) : percent(inPromise / count)
  }
  const group = (kind: GroupKind): Section => ({
    title: say(`summary.by.${kind}`),
    columns: [
      '',
      ...['needsPerson', 'firstResponse', ...(promiseMs === null ? [] : ['inPromise']), 'resolution'].map(name =>
        say(`summary.column.${name}`),
      ),
    ],
    // A table of nobody alone says nothing.
    rows: (summary[kind].some(({ id }) => id !== null) ? summary[kind] : [])
      .slice(0, maxRows)
      .map((one: GroupAnswer) => [
        asWords(groupName(one, kind, say)),
        number(one.needsPerson.count),
        cell(one.firstResponse),
        ...(promiseMs === null ? [] : [inTime(one)]),
        cell(one.resolution),
      ]),
  })
  const cellText = (cell: string | number | null): string => {
    if (cell === null || cell === '') return none
    if (typeof cell === 'number') return Number.isInteger(cell) ? number(cell) : amount(cell)
    return isTime.test(cell) ? shortTime(cell, language, summary.timeZone) : asWords(cell)
  }
  const block = ({ title, table: { columns, rows } }: ReportFacts['blocks'][number]): Section => ({
    title,
    columns,
    rows: rows.slice(0, maxRows).map(row => row.map(cellText)),
  })
  const title = say(`report.title.${rhythm}`, { org: asWords(org) })
  return {
    subject: `${title}: ${days}`,
    title,
    days,
    notes: [
      ...(isOwn ? [say('report.own')] : []),
      ...(summary.counting ? [say('summary.counting', { share: percent(summary.counting.done) })] : []),
    ],
    alerts: summary.alerts.map(({ kind, count, ms, name }) =>
      say(`summary.alerts.${kind}`, { count, name: asWords(name ?? ''), time: durationText(ms ?? 0) }),
    ),
    figures: lines,
    sections: [responses, group('members'), group('teams'), group('tags'), ...blocks.map(block)].filter(
      ({ rows }) => rows.length > 0,
    ),
  }
}
