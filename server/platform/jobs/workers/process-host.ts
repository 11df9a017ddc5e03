import { readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'

/** The machine and pid namespace of this process, so that a neighbour can be checked by its pid. */
export interface ProcessHost {
  /** Null: pids cannot be compared, and only heartbeats show who is dead. */
  readonly name: string | null
  readonly pid: number
  /** True: no other process can use this database, so every other one is dead. */
  readonly isAlone?: boolean
  /** True only if a process of the same host is certainly dead. */
  isGone(pid: number): boolean
}

/** A boot of one kernel and a pid namespace in it: two containers never share a name. Linux only. */
const nameOfHost = (): string | null => {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as { code?: unknown }).code === 'ESRCH'
  }
}

export const thisHost = ({ isShared }: { isShared: boolean }): ProcessHost => ({
  name: nameOfHost(),
  pid: process.pid,
  isAlone: !isShared,
  isGone,
})
