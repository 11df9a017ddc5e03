import { type RawBuilder, sql } from 'kysely'
import { hotQuery } from '../db.ts'
import type { SoughtTerms, WordIndex } from '../word-index-shape.ts'

/** Quotes a term as a lexeme of a tsquery. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const selectHits = hotQuery<{ query: string; end: number; most: number }, { seq: number }>((db, p) => ({
  compile: () =>
    sql<{ seq: number }>`select seq from message_index
      where terms @@ ${p.query}::tsquery and seq < ${p.end}::bigint order by seq desc limit ${p.most}::int`.compile(db),
}))

/** Terms are lexemes in a GIN index, which PostgreSQL maintains concurrently. */
export const postgresWordIndex: WordIndex = {
  async add(trx, rows) {
    const lists = rows.map(({ seq, terms }) => [seq, terms])
    await sql`insert into message_index (seq, terms)
      select (row->>0)::bigint, array_to_tsvector(array(select json_array_elements_text(row->1)))
      from json_array_elements(${JSON.stringify(lists)}::json) as row`.execute(trx)
  },
  async remove(trx, seqs) {
    await sql`delete from message_index where seq in (select value from ${postgresNumberRows(JSON.stringify(seqs))} as gone)`.execute(
      trx,
    )
  },
  merge: async () => false,
  mergeContacts: async () => false,
  async find(db, anyOf, range) {
    const query = anyOf
      .map(terms => `(${terms.map(({ text, isPrefix }) => `${quoted(text)}${isPrefix ? ':*' : ''}`).join(' & ')})`)
      .join(' | ')
    return (await selectHits(db, { query, ...range })).map(row => row.seq)
  },
}

/** @see contactsUnder */
export const postgresContactsUnder = (sought: SoughtTerms): RawBuilder<unknown> => {
  const has = (terms: readonly string[]) =>
    sql`string_to_array(terms, ' ') @> array(select json_array_elements_text(${JSON.stringify(terms)}::json))`
  const conditions = sought.map(lists => sql`(${sql.join(lists.map(has), sql` or `)})`)
  return sql`(select seq from contact_words where ${sql.join(conditions, sql` and `)})`
}

/** @see numberRows */
export const postgresNumberRows = (listed: string): RawBuilder<unknown> =>
  sql`(select value::bigint as value from json_array_elements_text(${listed}::json))`

/** @see hasPart */
export const postgresHasPart = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`strpos(${sql.ref(column)}, ${text}) > 0`
