import { csvLine } from '#server/platform/text/csv-line.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { SegmentItem } from '#shared/stats/summary.ts'

type Translate = (language: Language, key: string) => string

const columns = [
  'id',
  'number',
  'name',
  'tags',
  'owner',
  'team',
  'origin',
  'startedAt',
  'firstResponse',
  'wait',
  'endedAt',
  'messagesIn',
  'messagesOut',
  'state',
] as const

/** Makes spreadsheets read UTF-8. */
const byteOrderMark = '\ufeff'

/** The line with the names of the columns. */
export const segmentHead = (language: Language, translate: Translate): string =>
  byteOrderMark +
  csvLine(
    columns.map(name => translate(language, `stats:csv.${name}`)),
    language,
  )

const seconds = (ms: number | null) => (ms === null ? '' : `${Math.round(ms / 1000)}`)

/** A segment as a line. Times are UTC; an erased contact has neither number nor name. */
export const segmentLine = (item: SegmentItem, language: Language, translate: Translate): string =>
  csvLine(
    [
      item.id,
      item.number ?? '',
      item.name ?? '',
      item.tags.join(', '),
      item.owner ?? '',
      item.team ?? '',
      translate(language, `stats:summary.origin.${item.origin}`),
      item.startedAt,
      seconds(item.firstResponseMs),
      seconds(item.waitMs),
      item.endedAt ?? '',
      `${item.messagesIn}`,
      `${item.messagesOut}`,
      translate(language, `stats:list.state.${item.state}`),
    ],
    language,
  )
