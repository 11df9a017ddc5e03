import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { hotQuery } from '../db.ts'
import type { SoughtTerms, WordIndex } from '../word-index-shape.ts'

/** Indexing this many characters takes some milliseconds; others run between statements. */
const charsPerStatement = 8 * 1024

type Row = Parameters<WordIndex['add']>[1][number]

/** Splits rows into statements; a row beyond the limit gets its own. */
export function* statementsOf(rows: readonly Row[]): Generator<(readonly [seq: number, terms: string])[]> {
  let some: (readonly [number, string])[] = []
  let chars = 0
  for (const { seq, terms } of rows) {
    const text = terms.join(' ')
    if (some.length && chars + text.length > charsPerStatement) {
      yield some
      some = []
      chars = 0
    }
    some.push([seq, text])
    chars += text.length
  }
  if (some.length) yield some
}

const selectHits = hotQuery<{ query: string; end: number; most: number }, { seq: number }>((db, p) => ({
  compile: () =>
    sql<{ seq: number }>`select rowid as seq from message_index
      where message_index match ${p.query} and rowid < cast(${p.end} as integer)
      order by rowid desc limit cast(${p.most} as integer)`.compile(db),
}))

/** SQLite's FTS index; each insert merges a few pages of its segments. */
export const sqliteWordIndex: WordIndex = {
  async add(trx, rows) {
    for (const some of statementsOf(rows))
      await sql`insert into message_index (rowid, terms)
        select json_extract(value, '$[0]'), json_extract(value, '$[1]') from json_each(${JSON.stringify(some)})`.execute(
        trx,
      )
  },
  async remove(trx, seqs) {
    await sql`delete from message_index where rowid in (select value from json_each(${JSON.stringify(seqs)}))`.execute(
      trx,
    )
  },
  merge: (trx, pages) => mergePages(trx, 'message_index', pages),
  mergeContacts: (trx, pages) => mergePages(trx, 'contact_index', pages),
  async find(db, anyOf, range) {
    const query = anyOf
      .map(terms => `(${terms.map(({ text, isPrefix }) => `"${text}"${isPrefix ? ' *' : ''}`).join(' AND ')})`)
      .join(' OR ')
    return (await selectHits(db, { query, ...range })).map(row => row.seq)
  },
}

const countChanges = async (db: Db) =>
  (await sql<{ n: number }>`select total_changes() as n`.execute(db)).rows[0]?.n ?? 0

async function mergePages(trx: Db, index: 'message_index' | 'contact_index', pages: number): Promise<boolean> {
  const before = await countChanges(trx)
  await sql`insert into ${sql.table(index)} (${sql.ref(index)}, rank) values ('merge', cast(${pages} as integer))`.execute(
    trx,
  )
  // A merge that found nothing to do counts one change, the command itself.
  return (await countChanges(trx)) - before > 1
}

/** @see contactsUnder */
export const sqliteContactsUnder = (sought: SoughtTerms): RawBuilder<unknown> => {
  const all = (terms: readonly string[]) => `(${terms.map(term => `"${term}"`).join(' AND ')})`
  const query = sought.map(lists => `(${lists.map(all).join(' OR ')})`).join(' AND ')
  return sql`(select rowid as seq from contact_index where contact_index match ${query})`
}

/** @see numberRows */
export const sqliteNumberRows = (listed: string): RawBuilder<unknown> => sql`json_each(${listed})`

/** Half the cost of `like`, which folds each letter. @see hasPart */
export const sqliteHasPart = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`instr(${sql.ref(column)}, ${text})`
