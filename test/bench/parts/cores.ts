import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The servers' core and the load's core: neither takes the other's time. */
const [serverCore, loadCore] = ['0', '1']

const canPin = process.platform === 'linux' && availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

/** Said above each table, because it decides what the figures mean. */
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
 * Takes that back. A browser with a slower processor is slowed by having its page's thread spin: on one core with it, all
 * else of the browser would be slowed a second time, and what measures it, too.
 */
export const leaveLoadCore = (): void => moveTo(allCores)
