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
 * tap compiles itself for its list of plugins; ours leaves out TypeScript, since Node strips types, and mocks, which
 * nobody uses and for which every module would be asked for twice.
 */
const buildTap = async () => {
  const built = readFileSync(join(root, 'node_modules/@tapjs/test/test-built/src/index.ts'), 'utf8')
  if (!/@tapjs\/(typescript|mock)/.test(built)) return
  const { code, output } = await runProgram(bin('tap'), ['build'])
  if (code !== 0) throw new Error(`tap could not be prepared:\n${output}`)
}

/** `inbox` is every test file with that word in its path; nothing named is all of them. */
const filesOf = (words: readonly string[]): string[] => {
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => `test/${name.replaceAll('\\', '/')}`)
  return words.length ? all.filter(file => words.some(word => file.includes(word))) : all
}

/** Begun first, so that no process works alone at the end. */
const longest = [
  'test/walls.test.ts',
  'test/server/messaging/media/send.test.ts',
  'test/server/identity/numbers/standing.test.ts',
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

/** Migrated once a run: each file would spend a fifth of a second on it. */
const writeSnapshot = async () => {
  const path = join(root, 'node_modules/.cache/migrated.db')
  writeFileSync(path, await migratedSnapshot())
  return path
}

interface Selection {
  readonly title: string
  /** Of all suites, those of this stage, where no word is given. */
  readonly suites?: () => readonly string[]
  readonly onPostgres: readonly string[]
  /** All cases of a suite that plays a part of them by day. */
  readonly isNight?: boolean
  /** Ends after the first file that fails. */
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
      // What was compiled in one process, or in the last run, is not compiled again in the next.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
      TEST_SQLITE_TEMPLATE: await writeSnapshot(),
      ...(isNight ? { TEST_NIGHT: '1' } : {}),
    }
    // A suite that needs PostgreSQL all the same starts one by itself.
    if (!both.length) return await runSuites(sqlite, [], env, stopsAtFault)
    const postgres = await startPostgres()
    try {
      process.env.TEST_POSTGRES_PORT = String(postgres.port)
      const withPostgres = { ...env, TEST_POSTGRES_TEMPLATE: await migratedPostgres() }
      return await runSuites(sqlite, both, withPostgres, stopsAtFault)
    } finally {
      // Later stages must not look for it.
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
        // A skipped claim is not a proven one.
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

/** Each suite but the nightly ones on SQLite, and on PostgreSQL those that tell the engines apart. */
export const unit = suitesStage({
  title: 'Import rules, texts, snapshots, units, routes',
  suites: () => filesOf([]).filter(file => !Object.hasOwn(suitesNightly, file)),
  onPostgres: suitesOnBoth,
})

/** Each suite on each engine that it is for. */
export const unitNightly = suitesStage({
  title: 'Import rules, texts, snapshots, units, routes on both engines',
  onPostgres: [...suitesOnBoth, ...suitesOnBothNightly],
  isNight: true,
})

/** The rules of the whole tree, and the suites of the features that changed since the last commit, on SQLite. */
export const unitChanged = suitesStage({
  title: 'Import rules, texts, suites of changed features',
  suites: () => changedSuites(filesOf([])),
  onPostgres: [],
})

/** For mutations: one fault is enough to know. */
export const unitUntilFault = suitesStage({
  title: 'Suites of changed features, until one fails',
  suites: () => changedSuites(filesOf([])),
  onPostgres: [],
  stopsAtFault: true,
})
