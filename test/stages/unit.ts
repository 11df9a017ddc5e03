import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleDependencies } from '#server/cli/dependencies.mjs'
import packageJson from '../../package.json' with { type: 'json' }
import { migratedSnapshot } from '../helpers/db.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { migratedPostgres } from '../helpers/postgres-db.ts'
import { changedSuites } from './changed-suites.ts'
import { runFiles, type TestFile } from './files.ts'
import { bin, type Outcome, type Part, root, runProgram, type Stage } from './stage.ts'
import { suitesNightly, suitesOnBoth, suitesOnBothNightly } from './suites-on-both.ts'

/**
 * Rebuilds tap with our list of plugins: without TypeScript, because Node strips types, and without mocks, which no
 * test uses and which would resolve every module twice.
 */
const buildTap = async () => {
  const built = readFileSync(join(root, 'node_modules/@tapjs/test/test-built/src/index.ts'), 'utf8')
  if (!/@tapjs\/(typescript|mock)/.test(built)) return
  const { code, output } = await runProgram(bin('tap'), ['build'])
  if (code !== 0) throw new Error(`tap could not be built:\n${output}`)
}

/** The test files that have one of the words in their path; without words, all of them. */
const filesOf = (words: readonly string[]): string[] => {
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => `test/${name.replaceAll('\\', '/')}`)
  return words.length ? all.filter(file => words.some(word => file.includes(word))) : all
}

/** The slowest files start first, so that no process runs alone at the end. */
const longest = [
  'test/walls.test.ts',
  'test/server/messaging/media/send.test.ts',
  'test/server/identity/numbers/standing/standing.test.ts',
  'test/bad-input.test.ts',
  'test/server/features/bulk-sends/rights/visible.test.ts',
  'test/hostile/turns.test.ts',
  'test/hostile/turns-of-writes.test.ts',
  'test/server/features/exports/exports.test.ts',
  'test/server/cli/move.test.ts',
]
const longestFirst = (files: readonly string[]) => [
  ...longest.filter(file => files.includes(file)),
  ...files.filter(file => !longest.includes(file)).sort(),
]

/** Migrates a database once per run, because each file would need a fifth of a second for it. */
const writeSnapshot = async () => {
  const path = join(root, 'node_modules/.cache/migrated.db')
  writeFileSync(path, await migratedSnapshot())
  return path
}

interface Selection {
  readonly title: string
  /** The suites of this stage if no word is given. Default: all. */
  readonly suites?: () => readonly string[]
  readonly onPostgres: readonly string[]
  /** Sets `TEST_NIGHT`, so that suites play all of their cases. */
  readonly isNight?: boolean
  /** Stops after the first file that fails. */
  readonly stopsAtFault?: boolean
}

const suitesStage = ({
  title,
  suites = () => filesOf([]),
  onPostgres,
  isNight = false,
  stopsAtFault = false,
}: Selection): Stage => ({
  title,
  async run(words) {
    await buildTap()
    await bundleDependencies()
    const sqlite = words.length ? filesOf(words) : suites()
    if (!sqlite.length) throw new Error(`No test file has ${words.join(' or ')} in its path`)
    const both = onPostgres.filter(file => sqlite.includes(file))
    const env = {
      // Compiled code is shared by all processes and later runs.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
      TEST_SQLITE_TEMPLATE: await writeSnapshot(),
      ...(isNight ? { TEST_NIGHT: '1' } : {}),
    }
    // A suite that needs PostgreSQL anyway starts its own server.
    if (!both.length) return await runSuites(sqlite, [], env, stopsAtFault)
    const postgres = await startPostgres()
    try {
      process.env.TEST_POSTGRES_PORT = String(postgres.port)
      const withPostgres = { ...env, TEST_POSTGRES_TEMPLATE: await migratedPostgres() }
      return await runSuites(sqlite, both, withPostgres, stopsAtFault)
    } finally {
      // Later stages must not use this server.
      delete process.env.TEST_POSTGRES_PORT
      await postgres.stop()
    }
  },
})

const runSuites = async (
  sqlite: readonly string[],
  both: readonly string[],
  env: NodeJS.ProcessEnv,
  stopsAtFault: boolean,
): Promise<Outcome> => {
  const parts: Part[] = []
  const faults: string[] = []
  let [passed, failed] = [0, 0]
  await runFiles(
    [
      ...longestFirst(sqlite).map((file): TestFile => ({ file, engine: 'sqlite' })),
      ...longestFirst(both).map((file): TestFile => ({ file, engine: 'postgres' })),
    ],
    {
      env,
      atOnce: packageJson.tap.jobs,
      isEnough: () => stopsAtFault && failed > 0,
      onEnd({ file, engine }, result) {
        passed += result.passed
        // Skipped assertions count as failed.
        failed += result.total - result.passed
        parts.push({ name: `[${engine}] ${file}`, ms: result.ms })
        if (result.passed < result.total) console.log(`\n✗ [${engine}] ${file}`)
        for (const fault of result.faults) console.log(`\n  ${fault}`)
        faults.push(...result.claims.map(claim => `[${engine}] ${file}: ${claim}`))
      },
    },
  )
  return { passed, failed, parts, faults }
}

/** All suites except the nightly ones on SQLite, and `suitesOnBoth` on PostgreSQL. */
export const unit = suitesStage({
  title: 'Import rules, texts, snapshots, units, routes',
  suites: () => filesOf([]).filter(file => !Object.hasOwn(suitesNightly, file)),
  onPostgres: suitesOnBoth,
})

/** All suites on SQLite, and on PostgreSQL those that support it. */
export const unitNightly = suitesStage({
  title: 'Import rules, texts, snapshots, units, routes on both engines',
  onPostgres: [...suitesOnBoth, ...suitesOnBothNightly],
  isNight: true,
})

/** The suites about the whole tree and those of changed features, on SQLite. */
export const unitChanged = suitesStage({
  title: 'Import rules, texts, suites of changed features',
  suites: () => changedSuites(filesOf([])),
  onPostgres: [],
})

/** For mutations, where the first failure is enough. */
export const unitUntilFault = suitesStage({
  title: 'Suites of changed features, until one fails',
  suites: () => changedSuites(filesOf([])),
  onPostgres: [],
  stopsAtFault: true,
})
