import type { Db } from '../db.ts'
import { listWaiting, listWaitingConnections, type WaitingRow } from './store.ts'

/** Rows of the shared address stand before all connections: no connection has this id. */
const sharedAddress = ''

/**
 * One pass over what waits: connections in turn, each in its order of arrival, so that what pours in for one number
 * holds up no other. A row that is passed over is not met again in the same pass.
 */
export function createWaitingRows(db: Db) {
  const reached = new Map<string, number>()
  /** All there was of these has been passed. */
  const passed = new Set<string>()
  let last = sharedAddress
  let isOver = false

  /** Whose turn it is, beginning behind the one served last; `isWhole`: nobody else waits. */
  const listNext = async (limit: number) => {
    const most = limit + passed.size
    const first = [sharedAddress, ...(await listWaitingConnections(db, sharedAddress, most))]
    const isWhole = first.length <= most
    const behind = isWhole ? first.slice(first.indexOf(last) + 1) : await listWaitingConnections(db, last, most)
    const lines = [...new Set([...behind, ...first])].filter(id => !passed.has(id))
    return { lines: lines.slice(0, limit), isWhole: isWhole && lines.length <= limit }
  }

  const take = async (id: string, limits: { rows: number; bytes: number }) => {
    const { rows, isAll } = await listWaiting(db, id === sharedAddress ? null : id, reached.get(id) ?? 0, limits)
    const end = rows.at(-1)
    if (end) reached.set(id, end.seq)
    if (isAll) passed.add(id)
    last = id
    return rows
  }

  return {
    /** As many rows as fit both limits, in order of arrival, and always one; none: the pass is over. */
    async next({ rows, bytes }: { rows: number; bytes: number }): Promise<WaitingRow[]> {
      const found: WaitingRow[] = []
      while (!found.length && !isOver) {
        const { lines, isWhole } = await listNext(rows)
        let left = bytes
        for (const [i, id] of lines.entries()) {
          const share = Math.ceil((rows - found.length) / (lines.length - i))
          const some = await take(id, { rows: Math.max(1, share), bytes: left })
          found.push(...some)
          left -= some.reduce((sum, row) => sum + row.raw.length, 0)
          if (left <= 0 || found.length >= rows) break
        }
        isOver = !lines.length || (isWhole && lines.every(id => passed.has(id)))
      }
      return found.sort((a, b) => a.seq - b.seq)
    },
  }
}
