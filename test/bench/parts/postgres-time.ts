import { readdirSync, readFileSync } from 'node:fs'

/** Microseconds of a clock tick of the kernel: a hundred a second wherever Linux runs. */
const tick = 10_000

/** Numbers of /proc/PID/stat from the third field on: what stands before is a name that may hold anything. */
const statOf = (pid: number | string): string[] | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    // It ended since the folder was listed; its parent counts it from then on.
    return undefined
  }
}

/**
 * The database that a process of the server works for, as its title tells; undefined: for all of them. Somebody else's are
 * no part of what is measured, though it may look at its rows every second.
 */
const databaseOf = (pid: string): string | undefined => {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    return /^postgres: (?:\S+ (\S+) \S+\(\d+\)|autovacuum worker (\S+))/.exec(title)?.slice(1).find(Boolean)
  } catch {
    return undefined
  }
}

/** To the nanosecond, where the kernel tells that. */
const exactOf = (pid: string): number | undefined => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1000
  } catch {
    return undefined
  }
}

const sum = (fields: readonly string[], from: number, to: number) =>
  fields.slice(from, to).reduce((total, field) => total + Number(field), 0)

/**
 * Microseconds of processor time that a PostgreSQL server has used for a database: its main process, backends and
 * background processes, including those that have exited (counted in steps of 10 ms). `lookerPid`: the backend of the
 * connection that measures, which is left out.
 * @throws if there is no /proc
 */
export const postgresTime = (postmaster: number, database: string, lookerPid: number): number => {
  const first = statOf(postmaster)
  if (!first) throw new Error('The processor time of PostgreSQL is read from /proc, which is not here')
  const children = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== lookerPid)
    .filter(pid => [undefined, database].includes(databaseOf(pid)))
    .map(pid => ({ pid, fields: statOf(pid) }))
    .filter(({ fields }) => fields?.[1] === String(postmaster))
  // utime and stime, and of the first the same of its ended children.
  const used = (pid: string, fields: readonly string[] = []) => exactOf(pid) ?? tick * sum(fields, 11, 13)
  return (
    used(String(postmaster), first) +
    tick * sum(first, 13, 15) +
    children.reduce((total, { pid, fields }) => total + used(pid, fields), 0)
  )
}
