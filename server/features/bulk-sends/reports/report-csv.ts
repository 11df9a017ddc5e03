import { csvLine as lineOf } from '#server/platform/text/csv-line.ts'
import { failureKey } from '#server/whatsapp/errors/errors.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { ReportRow } from './report-store.ts'

type Translate = (language: Language, key: string) => string

const columns = ['number', 'who', 'state', 'why', 'at'] as const

export const reportHead = (language: Language, translate: Translate): string =>
  lineOf(
    columns.map(name => translate(language, `bulk-sends:column.${name}`)),
    language,
  )

/** Translation key of why somebody was omitted or a message failed. */
const reasonKey = (state: string, reason: string): string =>
  state === 'omitted' ? `bulk-sends:omission.${reason}` : failureKey(reason)

/** Why somebody was omitted or a message failed. Nobody typed a template: nothing is said of a text that is saved. */
export const sayReason = (translate: (key: string) => string, state: string, reason: string): string =>
  translate(reasonKey(state, reason)).replace(` ${translate('bulk-sends:typedTextSaved')}`, '')

/** CSV lines of recipients. `at` is UTC. */
export function reportLines(rows: readonly ReportRow[], language: Language, translate: Translate): string {
  const why = ({ state, reason }: ReportRow) => {
    if (reason === null) return ''
    return sayReason(key => translate(language, key), state, reason)
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
