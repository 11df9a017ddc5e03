/** Longer cells are cut: no imported text is as long. */
const cellMaxChars = 256 * 1024

/** A row of a dump. Columns are found by name, whatever their order and case. */
export class DumpRow {
  readonly table: string
  /** The line of the dump in which it is. For several rows in one statement, the line in which the statement begins. */
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
    const cell = place === undefined ? null : (this.#cells[place]?.slice(0, cellMaxChars) ?? null)
    if (!this.#isCopied || cell === null) return cell
    return cell === '\\N' ? null : copied(cell)
  }

  is(name: string): boolean {
    return /^(?:t|true|1)$/i.test(this.get(name) ?? '')
  }
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const code = /x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[\s\S]|$/y

/** A cell as PostgreSQL's COPY writes it. @see postgresql.org/docs/current/sql-copy.html, "Text Format" */
const copied = (cell: string): string => {
  let text = ''
  let from = 0
  for (let at = cell.indexOf('\\'); at !== -1; at = cell.indexOf('\\', from)) {
    const plain = escapes[cell[at + 1] ?? '']
    if (plain !== undefined) {
      text += cell.slice(from, at) + plain
      from = at + 2
      continue
    }
    code.lastIndex = at + 1
    const found = code.exec(cell)?.[0] ?? ''
    text += cell.slice(from, at)
    if (/^x./.test(found)) text += String.fromCharCode(Number.parseInt(found.slice(1), 16))
    else if (/^[0-7]/.test(found)) text += String.fromCharCode(Number.parseInt(found, 8))
    else text += found
    from = at + 1 + found.length
  }
  return from === 0 ? cell : text + cell.slice(from)
}
