/**
 * The memory that the process holds after garbage collection. Its size in the system says less, because V8 decides when
 * to collect.
 */
import v8 from 'node:v8'
import vm from 'node:vm'

/** Collects garbage, then returns the bytes in use: the heap, and buffers outside of it. */
export const heldBytes = (): number => {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  // Objects with a finalizer are freed by the second collection.
  for (let round = 0; round < 2; round += 1) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
