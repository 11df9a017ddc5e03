import { createHash } from 'node:crypto'
import type { RecordKind, RecordLine, RecordSource } from '../reading/record-source.ts'
import { isRow, refusedLine } from './lines.ts'
import { type Dump, openDump } from './open.ts'
import type { OddRow } from './reader.ts'
import type { DumpRow } from './row.ts'

/** An account or company of the other program. Its dump may have several. */
export interface DumpAccount {
  readonly id: string
  readonly name: string
  readonly chats: number
  /** The account was made at this time, which tells two installations with the same ids apart. */
  readonly madeAt: string
}

const accountsShown = 50

/** The accounts with the most chats first, and the one to import: the wanted one, otherwise the first. */
export const rankAccounts = (accounts: readonly DumpAccount[], wanted: string | undefined) => {
  const ranked = accounts.toSorted((a, b) => b.chats - a.chats)
  const chosen = ranked.find(({ id }) => id === wanted) ?? ranked[0] ?? { id: '', name: '', chats: 0, madeAt: '' }
  return { ranked, chosen }
}

/** Makes lines of rows. Rows that could not be read are refused lines; others that are not wanted are left out. */
export async function* readDumpLines(
  rows: AsyncIterable<DumpRow | OddRow>,
  isWanted: (row: DumpRow) => boolean,
  make: (row: DumpRow) => Iterable<RecordLine>,
): AsyncGenerator<RecordLine> {
  for await (const row of rows) {
    if (!isRow(row)) yield refusedLine(row, row.why, row.text)
    else if (isWanted(row)) yield* make(row)
  }
}

/** Opens a dump and reads its tables. The dump is closed if that fails. @throws ImportStopped */
export async function openWith<Tables>(
  bytes: Parameters<typeof openDump>[0],
  read: (dump: Dump) => Promise<Tables>,
): Promise<{ dump: Dump; tables: Tables }> {
  const dump = await openDump(bytes)
  try {
    return { dump, tables: await read(dump) }
  } catch (error) {
    dump.close()
    throw error
  }
}

interface SourceParts {
  /** The name of the program in the ids of its organizations. */
  readonly program: string
  readonly dump: Dump
  readonly tables: { close(): void }
  readonly accounts: ReturnType<typeof rankAccounts>
  readonly hasExactTimes: boolean
  readonly makers: { readonly [K in RecordKind]: () => AsyncGenerator<RecordLine> }
}

/** A dump as a source of records. */
export function createDumpSource({
  program,
  dump,
  tables,
  accounts,
  hasExactTimes,
  makers,
}: SourceParts): RecordSource {
  const { ranked, chosen } = accounts
  const identity = createHash('sha256').update(`${chosen.id} ${chosen.madeAt}`).digest('hex').slice(0, 32)
  const all = ranked.slice(0, accountsShown).map(({ id, name, chats }) => ({ id, name, chats }))
  return {
    manifest: { madeAt: null, organization: { id: `${program}-${identity}`, name: chosen.name.slice(0, 200) } },
    ...(ranked.length > 1 ? { accounts: { chosen: chosen.id, all } } : {}),
    hasFileSums: false,
    hasExactTimes,
    lines: kind => makers[kind](),
    sizeOf: dump.files.sizeOf,
    openFile: dump.files.open,
    close() {
      tables.close()
      dump.close()
    },
  }
}
