/**
 * Runs test files one after another in one process, each when it is named by `files.ts`. To begin a process, and to find,
 * read, compile and run the modules of the product in it, costs more than most files; whoever wants them fresh all the same
 * starts a process of its own.
 */
import module from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import tap, { Test } from 'tap'
import { dropLeftPostgres } from '../helpers/postgres-db.ts'
import { fileTimeoutMs } from '../helpers/timeout.ts'
import { setCurrentTest } from './current-test.ts'
import type { FileResult } from './files.ts'
import { root } from './stage.ts'

const current = new URL('current-test.ts', import.meta.url).href
const tests = pathToFileURL(join(root, 'test/')).href
const stages = pathToFileURL(join(root, 'test/stages/')).href

// Of the process itself nobody waits for the end.
tap.setTimeout(0)

module.registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context
    if (specifier !== 'tap' || !parentURL.startsWith(tests) || parentURL.startsWith(stages))
      return next(specifier, context)
    return next(current, context)
  },
})

/** Node's own, and those by which code asks whether it runs in a browser; what packages add for themselves stays. */
const globals = [
  ...Object.getOwnPropertyNames(globalThis),
  ...['window', 'document', 'location', 'localStorage', 'sessionStorage', 'EventSource', 'matchMedia'],
]

/** What a file could change for those after it. */
const surroundings = (): Record<string, unknown> => ({
  cwd: process.cwd(),
  exitCode: process.exitCode,
  ...Object.fromEntries(Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value])),
  ...Object.fromEntries(
    globals.map(name => {
      const { value, get } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {}
      return [`globalThis.${name}`, value ?? get]
    }),
  ),
})
const differences = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  Object.keys({ ...before, ...after }).filter(name => !Object.is(before[name], after[name]))

const shownChars = 4_000
const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const faultOf = ({ fullname, diag }: (typeof Test.prototype.lists.fail)[number]) =>
  [
    fullname,
    ...Object.entries((diag ?? {}) as Record<string, unknown>).map(
      ([key, value]) => `${key}: ${written(value)?.slice(0, shownChars).replaceAll('\n', '\n  ')}`,
    ),
  ].join('\n  ')

const runFile = async (file: string): Promise<FileResult> => {
  const begun = performance.now()
  const before = surroundings()
  const test = new Test({
    name: file,
    timeout: fileTimeoutMs,
    cb: async () => void (await import(pathToFileURL(join(root, file)).href)),
  } as ConstructorParameters<typeof Test>[0])
  // What it found is counted as it comes; the text of all of it is nobody's.
  test.resume()
  test.testdirName = join(root, '.tap/fixtures', `${process.env.TEST_ENGINE ?? 'sqlite'}-${file.replace(/\W+/g, '-')}`)
  setCurrentTest(test)
  await new Promise<void>(resolve => test.runMain(resolve))
  // tap leaves the timer of a whole file running.
  test.setTimeout(0)
  await dropLeftPostgres()
  const { total, pass, fail } = test.counts
  const others = [
    ...differences(before, surroundings()).map(
      name => `leaves another ${name} behind than it found: files after it run in the same process`,
    ),
    ...(total ? [] : ['claims nothing']),
    ...(fail === 0 && !test.passing() ? ['failed after its last claim'] : []),
  ]
  return {
    file,
    total: total + others.length,
    passed: pass,
    faults: [...test.lists.fail.map(faultOf), ...others],
    claims: [...test.lists.fail.map(({ fullname }) => fullname.replace(`${file} > `, '')), ...others],
    ms: performance.now() - begun,
    bytes: process.memoryUsage().rss,
  }
}

// What a file began and left is ended with it.
process.on('disconnect', () => process.exit())
process.on('message', (file: string) => void runFile(file).then(result => process.send?.(result)))
process.send?.('ready')
