import { dirname } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import { postgresFault } from '#server/platform/db/postgres/faults.ts'
import { databaseFileFault, isFullDisk, isUnwritableFile } from '#server/platform/db/sqlite/faults.ts'
import { InstallationFault } from './installation-fault.ts'

const fullCodes: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT'])

/** The error, this one or one of its causes, that says that a disk is full; undefined: none does. */
const findFullDisk = (error: unknown): NodeJS.ErrnoException | undefined => {
  for (let next = error; next instanceof Error; next = next.cause)
    if (fullCodes.has((next as NodeJS.ErrnoException).code) || isFullDisk(next)) return next
  return undefined
}

/**
 * Why the process could not start, as a sentence with its fix, for faults of the environment that only show at the start.
 * Undefined for any other error.
 */
export function startFault(
  error: unknown,
  { host, port, dataDir, databasePath, postgres }: Config,
): string | undefined {
  if (error instanceof InstallationFault) return error.message
  const refused = postgres && postgresFault(error, postgres)
  if (refused) return refused.message
  const full = findFullDisk(error)
  if (full) {
    const place = full.path ?? (postgres ? dataDir : databasePath)
    return `The disk of ${place} is full (${full.code}): free some space there, or set DATA_DIR to a folder on another disk, now it is ${dataDir}`
  }
  const { code, syscall, path } = error as NodeJS.ErrnoException
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    if (code === 'EADDRINUSE') return `PORT=${port} is taken: set PORT to another one, or end what uses it`
    if (code === 'EACCES') return `PORT=${port} is not for this account: use one from 1024 on`
    return `HOST="${host}" is no address of this machine: use 127.0.0.1, or 0.0.0.0 for all of them`
  }
  const damage = databaseFileFault(error, databasePath)
  if (damage) return damage.message
  const isOurs = [dataDir, dirname(databasePath)].some(
    folder => path?.startsWith(folder) || folder.startsWith(`${path}/`),
  )
  if (isOurs || isUnwritableFile(error))
    return `${path ?? databasePath} cannot be written (${code}): set DATA_DIR to a folder of this account, now it is ${dataDir}`
  return undefined
}
