import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { bundleDependencies } from '#server/cli/dependencies.mjs'
import { migratedSnapshot } from '../helpers/db.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { migratedPostgres } from '../helpers/postgres-db.ts'
import { bin, type Outcome, type Part, root, runProgram, type Stage } from './stage.ts'
import { suitesOnBoth } from './suites-on-both.ts'

/**
 * tap compiles itself for its list of plugins; ours leaves out TypeScript, since Node strips types, and mocks, which
 * nobody uses and for which every module would be asked for twice.
 */
const buildTap = async () => {
  const built = readFileSync(join(root, 'node_modules/@tapjs/test/test-built/src/index.ts'), 'utf8')
  if (!/@tapjs\/(typescript|mock)/.test(built)) return
  const { code, output } = await runProgram(bin('tap'), ['build'])
  if (code !== 0) throw new Error(`tap could not be prepared:\n${output}`)
}

/** tap's own sum, in the comment `# { total: 27, pass: 25, fail: 1, skip: 1 }`; a skipped claim is not a proven one. */
const readTotals = (output: string): Outcome | undefined => {
  const line = [...output.matchAll(/^# \{ (total: .*) \}$/gm)].at(-1)?.[1]
  if (!line) return undefined
  const counts = Object.fromEntries(
    line
      .split(', ')
      .map(part => part.split(': '))
      .map(([key, value]) => [key, Number(value)]),
  )
  const passed = counts.pass ?? 0
  return { passed, failed: (counts.total ?? 0) - passed }
}

/** What the reporter leaves on the screen when it has stopped redrawing its progress. */
const finalReport = (output: string) =>
  stripVTControlCharacters(output.slice(Math.max(0, output.lastIndexOf('\u001b[?25h')))).replace(/\n{3,}/g, '\n\n')

/** `inbox` is every test file with that word in its path; nothing named is all of them. */
const filesOf = (words: readonly string[]) =>
  words.map(word => (word.endsWith('.ts') ? word : `test/**/*${word}*{/**/*,}.test.ts`))

const options = [
  '--reporter=terse',
  ...['without-domains', 'as-started'].map(name => `--node-arg=--import=${join(root, `test/stages/${name}.mjs`)}`),
  // It would read each of two thousand modules again, to know later which test loads which.
  '--test-env=_TAPJS_PROCESSINFO_EXCLUDE_=/./',
]

/** Where tap leaves what each file said. */
const said = join(root, '.tap/test-results')

const readParts = (engine = 'sqlite'): Part[] =>
  readdirSync(said, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts.tap'))
    .map(name => {
      const [, ms] = [...readFileSync(join(said, name), 'utf8').matchAll(/^# time=([\d.]+)ms$/gm)].at(-1) ?? []
      return { name: `[${engine}] ${name.replaceAll('\\', '/').slice(0, -'.tap'.length)}`, ms: Number(ms ?? 0) }
    })

const runFiles = async (files: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> => {
  rmSync(said, { recursive: true, force: true })
  const ended = await runProgram(bin('tap'), ['run', ...options, ...files], { env })
  process.stdout.write(finalReport(ended.output))
  const totals = readTotals(ended.output)
  if (!totals) return { passed: 0, failed: 1 }
  return {
    passed: totals.passed,
    failed: totals.failed || (ended.code === 0 ? 0 : 1),
    parts: readParts(env.TEST_ENGINE),
  }
}

/** Migrated once a run: each file would spend a fifth of a second on it. */
const writeSnapshot = async () => {
  const path = join(root, 'node_modules/.cache/migrated.db')
  writeFileSync(path, await migratedSnapshot())
  return path
}

export const unit: Stage = {
  title: 'Import law, texts, snapshots, units, routes',
  async run(words) {
    await buildTap()
    await bundleDependencies()
    const postgres = await startPostgres()
    try {
      process.env.TEST_POSTGRES_PORT = String(postgres.port)
      const env = {
        // Each file is a process of its own, and a fourth of its work was compiling what the one before had compiled.
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
        TEST_POSTGRES_TEMPLATE: await migratedPostgres(),
        TEST_SQLITE_TEMPLATE: await writeSnapshot(),
      }
      const onSqlite = await runFiles(filesOf(words), env)
      const both = suitesOnBoth.filter(file => !words.length || words.some(word => file.includes(word)))
      if (!both.length) return onSqlite
      console.log('   … and on PostgreSQL')
      const onPostgres = await runFiles(both, { ...env, TEST_ENGINE: 'postgres' })
      return {
        passed: onSqlite.passed + onPostgres.passed,
        failed: onSqlite.failed + onPostgres.failed,
        parts: [...(onSqlite.parts ?? []), ...(onPostgres.parts ?? [])],
      }
    } finally {
      // Later stages must not look for it.
      delete process.env.TEST_POSTGRES_PORT
      await postgres.stop()
    }
  },
}
