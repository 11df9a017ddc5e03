/** A row of a dump. Columns are found by name, whatever their order and case. */
export class DumpRow {
  readonly table: string
  /** Where it stands in the dump; of several in one statement, where that begins. */
  readonly line: number
  readonly #columns: ReadonlyMap<string, number>
  readonly #cells: readonly (string | null)[]
  readonly #isCopied: boolean

  constructor(
    place: { table: string; line: number; columns: ReadonlyMap<string, number> },
    cells: readonly (string | null)[],
    isCopied: boolean,
  ) {
    this.table = place.table
    this.line = place.line
    this.#columns = place.columns
    this.#cells = cells
    this.#isCopied = isCopied
  }

  /** Null: it is empty, or there is no such column. */
  get(name: string): string | null {
    const place = this.#columns.get(name.toLowerCase())
    const cell = place === undefined ? null : (this.#cells[place] ?? null)
    if (!this.#isCopied || cell === null) return cell
    return cell === '\\N' ? null : copied(cell)
  }

  is(name: string): boolean {
    return /^(?:t|true|1)$/i.test(this.get(name) ?? '')
  }
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** A cell as PostgreSQL's COPY writes it. @see postgresql.org/docs/current/sql-copy.html, "Text Format" */
const copied = (cell: string): string =>
  cell.includes('\\')
    ? cell.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g, (_all, code: string) => {
        if (/^x./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
        if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
        return escapes[code] ?? code
      })
    : cell
