import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** One core for servers and one for load, so that they do not compete. */
const [serverCore, loadCore] = ['0', '1']

const canPin = process.platform === 'linux' && availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

/** Printed above each table, because figures depend on it. */
export const cores = canPin
  ? `servers on core ${serverCore}, load on core ${loadCore}`
  : 'nothing pinned to cores (taskset or a second core is missing): ratios are rough'

/** A command that runs on the servers' core. */
export const onServerCore = (command: string, args: readonly string[]): [string, string[]] =>
  canPin ? ['taskset', ['-c', serverCore, command, ...args]] : [command, [...args]]

const moveTo = (cores: string) => {
  if (canPin) spawnSync('taskset', ['-acp', cores, String(process.pid)])
}

/** Moves this process, and what it starts from now on, to the load's core. */
export const takeLoadCore = (): void => moveTo(loadCore)

const allCores = `0-${availableParallelism() - 1}`

/**
 * Allows all cores again. A slowed-down browser busy-waits in its page's thread. On the same core, the rest of the
 * browser and the measuring program would be slowed down, too.
 */
export const leaveLoadCore = (): void => moveTo(allCores)
