import { InstallationFault } from '#server/platform/process/installation-fault.ts'

const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** @see findBrokenRule */
export const findRuleBrokenInSqlite = (error: unknown): string | undefined =>
  codeOf(error) === 'SQLITE_CONSTRAINT_TRIGGER' ? (error as Error).message : undefined

/** @see isDatabaseTrouble */
export const isSqliteTrouble = (error: unknown): boolean =>
  /^SQLITE_(?!CONSTRAINT|MISMATCH|RANGE|TOOBIG|ERROR)/.test(codeOf(error) ?? '')

/** The file exists, but this account may not open or write it. */
export const isUnwritableFile = (error: unknown): boolean =>
  ['SQLITE_CANTOPEN', 'SQLITE_READONLY'].includes(codeOf(error) ?? '')

/** SHMSIZE: SQLite's `-shm` file could not grow to the 32 KB it needs. */
const fullCodes: ReadonlySet<string | undefined> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])

/** Disk or quota is full. */
export const isFullDisk = (error: unknown): boolean => fullCodes.has(codeOf(error))

const restoreStep = 'bring a backup back with npm run restore -- FILE --force'

/** The first error in the chain of causes that SQLite raised about the file itself; undefined: none. */
export function databaseFileFault(error: unknown, path: string): InstallationFault | undefined {
  for (let next = error; next instanceof Error; next = next.cause) {
    const code = codeOf(next)
    if (code === 'SQLITE_NOTADB')
      return new InstallationFault(`${path} is no database`, `move it away, or ${restoreStep}`, error)
    if (code?.startsWith('SQLITE_CORRUPT'))
      return new InstallationFault(
        `${path} is damaged (${next.message})`,
        `${restoreStep}; what is there is moved aside, not deleted`,
        error,
      )
  }
  return undefined
}
