import type pg from 'pg'

/** A statement is prepared by name from this use on. */
const timesBefore = 3
/** Named statements per connection; each takes about ten kilobytes on the server. */
const maxKept = 400
/** Limit of counted statements. */
const maxCounted = 2000
/** PostgreSQL's error when a table has changed since a statement was planned. */
const planIsOld = '0A000'

type Query = (text: unknown, values?: unknown, ...rest: unknown[]) => unknown

/**
 * Chooses which statements get a name, because parsing and planning often cost the server more than running. Statements
 * whose text varies with the number of values are many and rarely repeated, so they get none.
 */
export class StatementNames {
  readonly #names = new Map<string, string>()
  #counts = new Map<string, number>()
  #made = 0

  /** Undefined for a rare statement, or if there are enough named ones. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known || this.#names.size >= maxKept) return known
    const count = (this.#counts.get(text) ?? 0) + 1
    if (count < timesBefore) {
      if (this.#counts.size >= maxCounted) this.#counts = new Map()
      this.#counts.set(text, count)
      return undefined
    }
    this.#counts.delete(text)
    this.#made += 1
    const name = `s${this.#made}`
    this.#names.set(text, name)
    return name
  }

  /** The next name differs, so that the server plans again. */
  forget(text: string): void {
    this.#names.delete(text)
  }
}

/**
 * Makes the server keep the plans of frequent statements with parameters. If a table has changed since, the statement
 * is planned and run again; inside a transaction it fails, because the transaction has already failed.
 */
export function prepareFrequentStatements(client: pg.PoolClient, names: StatementNames): void {
  const query = client.query.bind(client) as Query
  const nameFor = (text: unknown, values: unknown, rest: readonly unknown[]) =>
    typeof text === 'string' && Array.isArray(values) && values.length > 0 && rest.length === 0
      ? names.nameOf(text)
      : undefined
  const keeping: Query = async (text, values, ...rest) => {
    const name = nameFor(text, values, rest)
    if (!name) return query(text, values, ...rest)
    const isAlone = client.getTransactionStatus() === 'I'
    try {
      return await query({ name, text, values })
    } catch (error) {
      if ((error as { code?: unknown }).code !== planIsOld) throw error
      names.forget(text as string)
      if (!isAlone) throw error
      return query(text, values)
    }
  }
  client.query = keeping as typeof client.query
}
