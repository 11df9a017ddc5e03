import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium, findShell } from './chromium.ts'
import { bin, type Outcome, type Part, root, runProgram, type Stage } from './stage.ts'

interface Suite {
  readonly file: string
  readonly suites?: readonly Suite[]
  readonly specs: readonly {
    readonly title: string
    readonly line: number
    readonly tests: readonly {
      readonly projectName: string
      readonly results: readonly { readonly duration: number }[]
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
    }[]
  }[]
}

interface Report {
  readonly suites?: readonly Suite[]
  readonly stats?: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
  readonly errors?: readonly { readonly message?: string }[]
}

interface Story extends Part {
  readonly isWell: boolean
}

const storiesOf = ({ file, suites = [], specs }: Suite): Story[] => [
  ...suites.flatMap(storiesOf),
  ...specs.flatMap(({ title, line, tests }) =>
    tests.map(({ projectName, results, status }) => ({
      name: `[${projectName}] ${file}:${line} ${title}`,
      ms: results.reduce((sum, { duration }) => sum + duration, 0),
      isWell: status === 'expected',
    })),
  ),
]

const reportPath = join(root, 'test-results/browser.json')

const play = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> => {
  const path = await findChromium()
  rmSync(reportPath, { force: true })
  const { code } = await runProgram(bin('playwright'), ['test', '--config', 'test/e2e/playwright.config.ts', ...args], {
    show: true,
    env: {
      CHROMIUM_PATH: path,
      CHROMIUM_SHELL_PATH: await findShell(path),
      PLAYWRIGHT_JSON_OUTPUT_FILE: reportPath,
      ...env,
    },
  })
  const { stats, suites = [], errors = [] } = JSON.parse(readFileSync(reportPath, 'utf8')) as Report
  if (!stats) return { passed: 0, failed: 1 }
  // A story that was skipped or needed a retry counts as failed.
  const failed = stats.unexpected + stats.flaky + stats.skipped + errors.length
  const parts = suites.flatMap(storiesOf)
  const faults = parts.filter(({ isWell }) => !isWell).map(({ name }) => name)
  return { passed: stats.expected, failed: failed || (code === 0 ? 0 : 1), parts, faults }
}

/** All stories without the nightly ones, each in one language, width and theme (`test/e2e/in-turn.ts`). */
export const browser: Stage = {
  title: 'Browser stories',
  run: args => play(['--grep-invert', '@nightly', ...args], {}),
}

/** All stories in all variants. */
export const browserNightly: Stage = {
  title: 'Browser stories, all of them',
  run: args => play(args, { STORIES: 'all' }),
}
