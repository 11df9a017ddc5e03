import type { Db } from '#server/platform/db/database.ts'
import { listWaiting, listWaitingLines, type WaitingRow } from './store.ts'

/**
 * One pass over waiting rows: lines in turn, each in order of arrival, so that one busy number delays no other. A row
 * that was passed is returned again only after `giveBack`.
 */
export function createWaitingRows(db: Db) {
  const reached = new Map<string, number>()
  let last: string | undefined

  /** The lines to serve next, starting after the last one served. */
  const listNext = async (limit: number, asked: ReadonlySet<string>) => {
    const first = await listWaitingLines(db, undefined, limit + 1)
    const at = last === undefined ? -1 : first.indexOf(last)
    const isThere = first.length <= limit && (last === undefined || at >= 0)
    const behind = isThere ? first.slice(at + 1) : await listWaitingLines(db, last, limit)
    return [...new Set([...behind, ...first])].filter(line => !asked.has(line)).slice(0, limit)
  }

  const take = async (line: string, limits: { rows: number; bytes: number }) => {
    const rows = await listWaiting(db, line, reached.get(line) ?? 0, limits)
    const end = rows.at(-1)
    if (end) reached.set(line, end.seq)
    last = line
    return rows
  }

  return {
    /**
     * The next rows within both limits, and at least one if a line that is not busy has any. The first row of each
     * line, then the second of each.
     */
    async next(
      { rows, bytes }: { rows: number; bytes: number },
      busy: ReadonlySet<string> = new Set(),
    ): Promise<WaitingRow[]> {
      const found: { row: WaitingRow; rank: number }[] = []
      const asked = new Set<string>(busy)
      while (!found.length) {
        const lines = await listNext(rows + asked.size, asked)
        if (!lines.length) break
        let left = bytes
        for (const [i, line] of lines.entries()) {
          const share = Math.ceil((rows - found.length) / (lines.length - i))
          const some = await take(line, { rows: Math.max(1, share), bytes: left })
          asked.add(line)
          found.push(...some.map((row, rank) => ({ row, rank })))
          left -= some.reduce((sum, row) => sum + (row.raw?.length ?? 0), 0)
          if (left <= 0 || found.length >= rows) break
        }
      }
      return found.sort((a, b) => a.rank - b.rank || a.row.seq - b.row.seq).map(({ row }) => row)
    },
    /** Makes these rows, and all behind them in their lines, be returned again. */
    giveBack(rows: readonly { line: string; seq: number }[]): void {
      for (const { line, seq } of rows) reached.set(line, Math.min(reached.get(line) ?? seq, seq - 1))
    },
  }
}
