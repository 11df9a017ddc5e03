import { CompiledQuery } from 'kysely'
import type { Db } from '../../db.ts'

const query = CompiledQuery.raw('select pg_current_snapshot()::text as version')

/**
 * Which of all transactions are over, as the server sees it. The same twice: nobody has committed between, whichever
 * process it is.
 */
async function readVersion(db: Db): Promise<string | undefined> {
  const { rows } = await db.executeQuery<{ version: string }>(query)
  return rows[0]?.version
}

/**
 * The same for many who ask at once: those who come while one is being read share the next, which begins after all of
 * them asked. Nobody gets one that was read before they came.
 */
export function sharedVersion(db: Db): () => Promise<string | undefined> {
  let reading: Promise<unknown> | undefined
  let next: Promise<string | undefined> | undefined
  const read = (): Promise<string | undefined> => {
    const mine = readVersion(db).finally(() => {
      if (reading === mine) reading = undefined
    })
    reading = mine
    return mine
  }
  return () => {
    if (!reading) return read()
    const begin = () => {
      next = undefined
      return read()
    }
    next ??= reading.then(begin, begin)
    return next
  }
}
