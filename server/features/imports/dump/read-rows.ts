import { setImmediate as nextTurn } from 'node:timers/promises'
import { ImportReleased } from '../reading/record-source.ts'
import { ImportStopped } from '../work/stopped.ts'
import { isRow } from './lines.ts'
import type { Dump } from './open.ts'
import type { DumpRow } from './row.ts'

/** Some milliseconds of work. */
const rowsPerTurn = 500

interface Wanted {
  readonly tables: readonly string[]
  /** Columns without which it is a dump of another program, by table. */
  readonly required: Readonly<Record<string, readonly string[]>>
  /** Called for each row, by table. */
  readonly takers: Readonly<Record<string, (row: DumpRow, id: string) => void>>
}

/**
 * Reads the rows of some tables, to the end of the dump.
 * @throws ImportStopped if a required table or column is missing, ImportReleased if `signal` aborts
 */
export async function readRows(dump: Dump, signal: AbortSignal, { tables, required, takers }: Wanted): Promise<void> {
  let read = 0
  for await (const row of dump.rows(tables, { whole: true })) {
    read += 1
    if (read % rowsPerTurn === 0) {
      if (signal.aborted) throw new ImportReleased()
      await nextTurn()
    }
    if (isRow(row)) takers[row.table]?.(row, row.get('id') ?? '')
  }
  for (const [table, columns] of Object.entries(required)) {
    const has = dump.columnsOf(table)
    if (!has) throw new ImportStopped('notDump')
    if (columns.some(name => !has.has(name))) throw new ImportStopped('columns')
  }
}
