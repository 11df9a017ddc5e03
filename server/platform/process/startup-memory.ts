import v8 from 'node:v8'
import vm from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>

/**
 * Collects garbage once, thoroughly, shortly after the start. Loading modules doubles the heap that serving needs, and V8 would keep it for hours.
 * @see Node's documentation of `global.gc`
 */
export async function releaseStartupMemory(): Promise<void> {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as Collect
  await collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
