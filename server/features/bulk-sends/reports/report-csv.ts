import { csvLine as lineOf } from '#server/platform/text/csv-line.ts'
import type { Translate } from '#server/platform/text/i18n.ts'
import { failureText } from '#server/whatsapp/errors/errors.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { ReportRow } from './report-store.ts'

const columns = ['number', 'who', 'state', 'why', 'at'] as const

type TranslateTo = (language: Language, key: string, params?: Readonly<Record<string, unknown>>) => string

export const reportHead = (language: Language, translate: TranslateTo): string =>
  lineOf(
    columns.map(name => translate(language, `bulk-sends:column.${name}`)),
    language,
  )

/** Why somebody was omitted or a message failed. */
export const sayReason = (translate: Translate, state: string, reason: string): string =>
  state === 'omitted' ? translate(`bulk-sends:omission.${reason}`) : failureText(translate, reason)

/** CSV lines of recipients. `at` is UTC. */
export function reportLines(rows: readonly ReportRow[], language: Language, translate: TranslateTo): string {
  const why = ({ state, reason }: ReportRow) => {
    if (reason === null) return ''
    return sayReason((key, params) => translate(language, key, params), state, reason)
  }
  return rows
    .map(row =>
      lineOf(
        [
          row.given,
          row.name ?? '',
          translate(language, `bulk-sends:recipient.${row.state}`),
          why(row),
          row.changed_at?.slice(0, 19).replace('T', ' ') ?? '',
        ],
        language,
      ),
    )
    .join('')
}
