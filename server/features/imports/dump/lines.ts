import type { Refusal } from '#shared/imports/states.ts'
import type { RecordLine } from '../reading/record-source.ts'
import type { OddRow } from './reader.ts'
import { DumpRow } from './row.ts'

type Place = Pick<OddRow, 'table' | 'line'>

export const recordLine = ({ table, line }: Place, record: object): RecordLine => ({
  file: table,
  number: line,
  text: JSON.stringify(record),
})

export const refusedLine = ({ table, line }: Place, why: Refusal, text: string): RecordLine => ({
  file: table,
  number: line,
  text,
  why,
})

export const isRow = (one: DumpRow | OddRow): one is DumpRow => one instanceof DumpRow
