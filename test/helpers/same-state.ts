import { createHash } from 'node:crypto'
import type { Databases } from '#server/platform/db/db.ts'
import { allRows } from './rows.ts'

/**
 * Patterns of random values: our ids and WhatsApp's, the simulator's numbers, keys, tokens, request ids, and encrypted
 * or hashed values.
 */
const chance =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|wamid\.[\w+/=-]+|\b\d{14,}\b|\b5491170\d{6}\b|\b1[0-9a-z]{23}\b|(?<![\w+/-])(?=[\w+/-]*[A-Z])(?=[\w+/-]*[a-z])(?=[\w+/-]*\d)[\w+/-]{20,}={0,2}|\b[0-9a-f]{16,}\b/g

const farthest = 5

/** Columns that count the sends of a day. */
const counted = ['delivered', 'failed', 'opted_out', 'read', 'replied', 'sent']

/**
 * Removes what depends on the order of two jobs: a job's position, jobs that became unnecessary, whether a follower
 * runs again, and days whose counts went back to zero. Packed days are made when a job has time, and hold nothing new.
 * An erasure ends when SQLite's log is empty, which waits for open reads; PostgreSQL has no such log.
 */
const comparable = (table: string, rows: readonly Record<string, unknown>[]): readonly object[] => {
  if (table === 'job')
    return rows
      .filter(job => job.state !== 'cancelled' && job.unique_key !== 'look again')
      .map(({ seq: _seq, ...job }) => job)
  if (table === 'conversation_segment_pack') return []
  if (table === 'erasure') return rows.map(row => ({ ...row, finished_at: row.finished_at !== null }))
  if (table === 'event')
    return rows.map(row => (row.type === 'organization' && row.actor === 'system' ? { ...row, at: 'some time' } : row))
  return table === 'sent_day' ? rows.filter(day => counted.some(name => day[name] !== 0)) : rows
}

const short = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 12)

/**
 * The rows of every table, in a form that is equal for two databases that differ only in random values. Each random
 * value is replaced by a hash of its columns and of the values beside it, followed for `looks` steps; with 0 it is
 * left out.
 */
export const stateOf = async (
  databases: Databases,
  except: readonly string[],
  looks = farthest,
): Promise<Record<string, string[]>> => {
  const rows = Object.entries(await allRows(databases, except)).flatMap(([table, all]) =>
    comparable(table, all).map(row => ({ table, text: JSON.stringify(row, Object.keys(row).sort()) })),
  )
  let names = new Map<string, string>()
  const written = ({ table, text }: { table: string; text: string }, own?: string) =>
    `${table} ${text.replace(chance, found => (found === own ? '<this>' : `<${names.get(found) ?? ''}>`))}`
  for (let look = 0; look < looks; look += 1) {
    const places = new Map<string, string[]>()
    for (const row of rows)
      for (const found of new Set(row.text.match(chance)))
        places.set(found, [...(places.get(found) ?? []), written(row, found)])
    names = new Map([...places].map(([found, all]) => [found, short(all.sort().join('\n'))]))
  }
  const state: Record<string, string[]> = {}
  for (const row of rows) state[row.table] = [...(state[row.table] ?? []), written(row)]
  for (const all of Object.values(state)) all.sort()
  return state
}
