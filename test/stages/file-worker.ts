/**
 * Runs test files one after another in one process, as `files.ts` names them. Starting a process and loading the
 * product's modules takes longer than most files. A suite that needs fresh modules starts a process of its own.
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

// The process itself has no timeout, only its files have.
tap.setTimeout(0)

module.registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context
    if (specifier !== 'tap' || !parentURL.startsWith(tests) || parentURL.startsWith(stages))
      return next(specifier, context)
    return next(current, context)
  },
})

/** Globals of Node, and those by which code detects a browser. Globals that packages add are ignored. */
const globals = [
  ...Object.getOwnPropertyNames(globalThis),
  ...['window', 'document', 'location', 'localStorage', 'sessionStorage', 'EventSource', 'matchMedia'],
]

/** State that a file could leave changed for the next one. */
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
  // Nobody reads tap's text output; the counts are read at the end.
  test.resume()
  test.testdirName = join(root, '.tap/fixtures', `${process.env.TEST_ENGINE ?? 'sqlite'}-${file.replace(/\W+/g, '-')}`)
  setCurrentTest(test)
  await new Promise<void>(resolve => test.runMain(resolve))
  // tap does not stop the timer of a file that has ended.
  test.setTimeout(0)
  await dropLeftPostgres()
  const { total, pass, fail } = test.counts
  const others = [
    ...differences(before, surroundings()).map(
      name => `${name} has changed, which later files in the same process would notice: restore it in a teardown`,
    ),
    ...(total ? [] : ['the file contains no assertion']),
    ...(fail === 0 && !test.passing() ? ['the file failed after its last assertion'] : []),
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

// Also ends what files started and did not stop.
process.on('disconnect', () => process.exit())
process.on('message', (file: string) => void runFile(file).then(result => process.send?.(result)))
process.send?.('ready')
