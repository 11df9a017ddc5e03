/**
 * The installation is not in a state to work with, and a person can mend it: what is wrong and the step that mends it.
 * Programs print both and end, without a stack.
 */
export class InstallationFault extends Error {
  override readonly name = 'InstallationFault'
  readonly says: string
  readonly fix: string
  constructor(says: string, fix: string, cause?: unknown) {
    super(`${says}: ${fix}`, { cause })
    this.says = says
    this.fix = fix
  }
}

const restoreStep = 'bring a backup back with npm run restore -- FILE --force'

/** The first error of a chain of causes that SQLite raised for the file itself; undefined: the file is not at fault. */
export function databaseFileFault(error: unknown, path: string): InstallationFault | undefined {
  for (let next = error; next instanceof Error; next = next.cause) {
    const { code } = next as { code?: unknown }
    if (code === 'SQLITE_NOTADB')
      return new InstallationFault(`${path} is no database`, `move it away, or ${restoreStep}`, error)
    if (typeof code === 'string' && code.startsWith('SQLITE_CORRUPT'))
      return new InstallationFault(
        `${path} is damaged (${next.message})`,
        `${restoreStep}; what is there is moved aside, not deleted`,
        error,
      )
  }
  return undefined
}
