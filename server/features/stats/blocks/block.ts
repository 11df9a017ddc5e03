import type { OrgCaller } from '#server/platform/http/actor.ts'
import { csvLine } from '#server/platform/text/csv-line.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { Capability } from '#shared/kernel/permissions.ts'
import type { BlockName } from '#shared/stats/blocks.ts'
import type { Period } from '../figures/period.ts'

/** The request for a block. */
export interface BlockRequest {
  readonly period: Period
  /** One of our numbers, in digits. Only templates and costs are counted by number. */
  readonly number?: string | undefined
  /** Rows at most. */
  readonly rows: number
  /** The day it is in the organization's time zone. */
  readonly today: string
}

/** A number is written as the reader's language writes it; null is an empty cell. */
type Cell = string | number | null

export interface BlockTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** The words of a block in one language: keys below `stats:blocks`. */
export type Say = (key: string) => string

/** A block of figures. The page, the report and the mail read it in the same way. */
export interface Block<Answer = unknown> {
  readonly name: BlockName
  /** Only members who have this see it in a mail; absent: all who see statistics. */
  readonly needs?: Capability
  read(viewer: OrgCaller, request: BlockRequest): Promise<Answer>
  toTable(answer: Answer, say: Say): BlockTable
}

const cellText = (cell: Cell, language: Language): string => {
  if (cell === null || typeof cell === 'string') return cell ?? ''
  return language === 'es' ? `${cell}`.replace('.', ',') : `${cell}`
}

export const tableCsv = (lines: BlockTable['rows'], language: Language): string =>
  lines
    .map(row =>
      csvLine(
        row.map(cell => cellText(cell, language)),
        language,
      ),
    )
    .join('')
