import type { LoopTurn } from '#server/platform/work/loop-turn.ts'

export const rowsAtOnce = 500

/** Reads rows page by page and yields in between. */
export async function* walk<T, K>(
  turn: LoopTurn,
  { first, keyOf, page }: { first: K; keyOf(row: T): K; page(after: K, limit: number): Promise<T[]> },
): AsyncGenerator<T[]> {
  let after = first
  for (;;) {
    const rows = await page(after, rowsAtOnce)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < rowsAtOnce) return
    after = keyOf(last)
    await turn.giveWay()
  }
}
