import v8 from 'node:v8'
import vm from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>

/**
 * Gives back what starting took: loading modules leaves V8 with twice the heap that serving needs, and it would keep it
 * for hours. One thorough collection a moment after the start, before there is a load to pause.
 * @see Node's documentation of `global.gc`
 */
export async function releaseStartupMemory(): Promise<void> {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as Collect
  await collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
