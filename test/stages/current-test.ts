/**
 * Replaces `import t from 'tap'` where one process runs many files: it refers to the test of the current file. Modules
 * that files import are loaded once per process.
 */
import type { Test } from 'tap'

let current: Test | undefined

/** Makes `t` refer to this test. */
export const setCurrentTest = (test: Test): void => {
  current = test
}

const running = (): Test => {
  if (!current) throw new Error('No test file is running')
  return current
}

export default new Proxy({} as Test, {
  get(_none, name) {
    const value: unknown = Reflect.get(running(), name)
    return typeof value === 'function' ? value.bind(running()) : value
  },
  set: (_none, name, value) => Reflect.set(running(), name, value),
})
export const test = (...args: Parameters<Test['test']>) => running().test(...args)
