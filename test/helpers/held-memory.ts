/** What the process holds when garbage is gone. Its size to the system says less: V8 collects when it likes. */
import v8 from 'node:v8'
import vm from 'node:vm'

/** Collects garbage, then gives the bytes that are held: the heap, and buffers outside of it. */
export const heldBytes = (): number => {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  // What has a finalizer goes the second time.
  for (let round = 0; round < 2; round += 1) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
