import process from 'node:process'

/** Restores these variables at the end, because other files run in the same process. */
export const putBack = (t: { teardown(end: () => void): void }, ...names: readonly string[]): void => {
  const before = names.map(name => [name, process.env[name]] as const)
  t.teardown(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  })
}
