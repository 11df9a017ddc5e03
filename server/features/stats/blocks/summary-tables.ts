import type { Language } from '#shared/kernel/language.ts'
import { shortWeekdays } from '#shared/kernel/time.ts'
import type { SummaryBlockName } from '#shared/stats/blocks.ts'
import { fewCases } from '#shared/stats/definitions.ts'
import { plainDurationText } from '#shared/stats/duration.ts'
import { ageBucketsMs, responseBucketsMs } from '#shared/stats/filter.ts'
import type { GroupAnswer, StatsSummary } from '#shared/stats/summary.ts'
import type { BlockTable } from './block.ts'

/** The words of statistics in one language: keys below `stats:`. */
export interface SummaryWords {
  readonly language: Language
  say(key: string, params?: Record<string, string | number>): string
}

type ToTable = (summary: StatsSummary, words: SummaryWords) => BlockTable

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 1000))
const share = (part: number, whole: number): number | null => (whole ? Math.round((1_000 * part) / whole) / 10 : null)
/** A median of few cases would mislead. */
const median = ({ count, medianMs }: { count: number; medianMs: number | null }) =>
  count < fewCases ? null : seconds(medianMs)

/** `Up to 30 s`, `30 s to 2 min`, …, `More than 1 h` */
export const bucketName = (bucket: number, ends: readonly number[], say: SummaryWords['say']): string => {
  const [from, to] = [ends[bucket - 1], ends[bucket]].map(ms => (ms === undefined ? '' : plainDurationText(ms)))
  if (!from) return say('summary.under', { to: to ?? '' })
  return to ? say('summary.between', { from, to }) : say('summary.over', { from })
}

const figures: ToTable = ({ figures: all, needsPerson, unanswered, promise, promiseMs }, { say }) => {
  const { attended, containment, cost } = all
  const name = (figure: string) => say(`summary.figure.${figure}`)
  const timed = (figure: 'firstResponse' | 'customerWait' | 'resolution') => {
    const { count, medianMs, p90Ms, meanMs, before } = all[figure]
    const isFew = count < fewCases
    const [p90, mean] = isFew ? [null, null] : [seconds(p90Ms), seconds(meanMs)]
    return [name(figure), median({ count, medianMs }), 's', seconds(before), count, p90, mean]
  }
  const counted = (says: string, count: number) => [says, count, '', null, null, null, null]
  const percent = (part: number | null) => (part === null ? null : Math.round(part * 1_000) / 10)
  return {
    columns: ['figure', 'value', 'unit', 'before', 'cases', 'p90', 'mean'].map(column =>
      say(`export.column.${column}`),
    ),
    rows: [
      [name('attended'), attended.value, '', attended.before, null, null, null],
      timed('firstResponse'),
      ...(promiseMs === null
        ? []
        : [
            counted(say('export.figure.kept'), promise.kept.count),
            counted(say('export.figure.late'), promise.late.count),
          ]),
      counted(say('export.figure.unanswered'), unanswered.count),
      counted(say('export.figure.needsPerson'), needsPerson.count),
      timed('customerWait'),
      counted(say('export.figure.waitingNow'), all.customerWait.waitingNow),
      timed('resolution'),
      [
        name('containment'),
        containment.withBot < fewCases ? null : percent(containment.share),
        '%',
        percent(containment.before),
        containment.withBot,
        null,
        null,
      ],
      ...(cost?.amounts ?? []).map(({ amount, currency }) => [name('cost'), amount, currency, null, null, null, null]),
    ],
  }
}

const bars =
  (ends: readonly number[], of: (summary: StatsSummary) => readonly { count: number }[], title: string): ToTable =>
  (summary, { say }) => {
    const counts = of(summary)
    const total = counts.reduce((sum, { count }) => sum + count, 0)
    return {
      columns: [say(`summary.${title}`), say('summary.conversations'), '%'],
      rows: counts.map(({ count }, bucket) => [bucketName(bucket, ends, say), count, share(count, total)]),
    }
  }

const heat: ToTable = ({ heat: byDay }, { language, say }) => ({
  columns: [say('export.column.weekday'), ...Array.from({ length: 24 }, (_, hour) => `${hour}`)],
  rows: byDay.map((hours, day) => [shortWeekdays(language)[day] ?? '', ...hours]),
})

const days: ToTable = ({ days: all }, { say }) => ({
  columns: [
    say('export.column.day'),
    say('summary.figure.attended'),
    ...(['firstResponse', 'customerWait', 'resolution'] as const).map(name => `${say(`summary.figure.${name}`)} (s)`),
    say('export.column.withBot'),
    say('export.column.contained'),
  ],
  rows: all.map(one => [
    one.day,
    one.attended,
    median({ count: one.firstResponses, medianMs: one.firstResponseMs }),
    median({ count: one.customerWaits, medianMs: one.customerWaitMs }),
    median({ count: one.resolutions, medianMs: one.resolutionMs }),
    one.withBot,
    one.contained,
  ]),
})

export type GroupKind = 'members' | 'teams' | 'tags'

export const groupName = ({ id, name }: GroupAnswer, kind: GroupKind, say: SummaryWords['say']): string =>
  name ?? say(id === null ? `summary.nobody.${kind}` : 'summary.gone')

const groups =
  (kind: GroupKind): ToTable =>
  (summary, { say }) => ({
    columns: [
      say(`summary.by.${kind}`),
      say('summary.column.needsPerson'),
      say('summary.column.answered'),
      `${say('summary.column.firstResponse')} (s)`,
      say('summary.column.inPromise'),
      `${say('summary.column.resolution')} (s)`,
      say('summary.column.openNow'),
    ],
    rows: summary[kind].map(group => [
      groupName(group, kind, say),
      group.needsPerson.count,
      group.answered.count,
      median(group.firstResponse),
      summary.promiseMs === null ? null : group.inPromise,
      median(group.resolution),
      group.openNow.count,
    ]),
  })

/** The blocks of the summary, as tables. Durations are seconds; with fewer cases than a median needs, its cell is empty. */
export const summaryTables: { readonly [N in SummaryBlockName]: ToTable } = {
  figures,
  responses: bars(responseBucketsMs, ({ buckets }) => buckets, 'time'),
  unattended: bars(ageBucketsMs, ({ unattended }) => unattended.ages, 'wait'),
  heat,
  days,
  members: groups('members'),
  teams: groups('teams'),
  tags: groups('tags'),
}
