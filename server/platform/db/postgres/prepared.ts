import type pg from 'pg'

/** How often a statement is asked before the server keeps its plan. */
const timesBefore = 3
/** The most plans a connection has the server keep; each takes some ten kilobytes there. */
const mostKept = 400
/** Statements that were asked too seldom to be kept, at most. */
const mostCounted = 2000
/** The server says so when a table has changed since it planned. */
const planIsOld = '0A000'

type Query = (text: unknown, values?: unknown, ...rest: unknown[]) => unknown

/**
 * Which statements have a name: parsing and planning one often costs the server more than answering it. Statements that
 * differ with the number of their values are many, and most of them come once.
 */
export class StatementNames {
  readonly #names = new Map<string, string>()
  #counts = new Map<string, number>()
  #made = 0

  /** `undefined` for a statement that was asked too seldom, or when enough are kept. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known || this.#names.size >= mostKept) return known
    const count = (this.#counts.get(text) ?? 0) + 1
    if (count < timesBefore) {
      if (this.#counts.size >= mostCounted) this.#counts = new Map()
      this.#counts.set(text, count)
      return undefined
    }
    this.#counts.delete(text)
    this.#made += 1
    const name = `s${this.#made}`
    this.#names.set(text, name)
    return name
  }

  /** Its next name is another one, for which the server plans anew. */
  forget(text: string): void {
    this.#names.delete(text)
  }
}

/**
 * Has the server keep the plans of what is asked of this connection again and again; statements without values stay as
 * they are. Where a table has changed under a plan, the statement is planned anew and asked again; a transaction that it
 * was in has failed by then, and its caller is told.
 */
export function keepPlans(client: pg.PoolClient, names: StatementNames): void {
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
