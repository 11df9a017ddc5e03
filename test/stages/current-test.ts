/**
 * What `import t from 'tap'` gives where one process runs many files: the test of the file that runs now. Files run one
 * after another, and what they import is imported once.
 */
import type { Test } from 'tap'

let current: Test | undefined

/** From here on `t` is this one. */
export const setCurrentTest = (test: Test): void => {
  current = test
}

const running = (): Test => {
  if (!current) throw new Error('No file runs')
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
