/** This area may name these tables of other areas in its SQL. */
export interface TableException {
  readonly area: string
  readonly tables: readonly string[]
  readonly why: string
}

/** The law does not apply to these files. Folders end with a slash. */
export interface FileException {
  readonly where: readonly string[]
  readonly why: string
}

/** `where` may import `what`, although `what` is in a higher layer or another feature. Folders end with a slash. */
export interface ImportException {
  readonly where: string
  readonly what: string
  readonly why: string
}

/** Functions of a file to which a law does not apply, such as queries without a viewer's scope. */
export interface FunctionException {
  readonly file: string
  readonly names: readonly string[]
  readonly why: string
}

/** No open tab shows rows of these tables, so writes to them need no event. */
export interface SilentTables {
  readonly tables: readonly string[]
  readonly why: string
}
