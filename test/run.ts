/**
 * Runs the stages of a command, those that fail fastest first. `npm test` runs all, `npm run check` those of a changed
 * feature, `npm run e2e` the browser stories, `npm run test:nightly` also all suites on both engines, all stories in
 * all variants, and long crash tests. The last line is the sum over all stages.
 */
import { browser, browserNightly } from './stages/browser.ts'
import { crash, crashNightly } from './stages/crash.ts'
import { lint } from './stages/lint.ts'
import { type Outcome, type Stage, seconds } from './stages/stage.ts'
import { types } from './stages/types.ts'
import { unit, unitChanged, unitNightly, unitUntilFault } from './stages/unit.ts'

const selections: Record<string, readonly Stage[]> = {
  all: [types, lint, unit, browser, crash],
  check: [types, lint, unitChanged],
  changed: [unitUntilFault],
  nightly: [types, lint, unitNightly, browserNightly, crashNightly],
  e2e: [browserNightly],
  stories: [browser],
  types: [types],
  lint: [lint],
  unit: [unit],
  crash: [crash],
}

const [first, ...others] = process.argv.slice(2)
const named = first !== undefined && Object.hasOwn(selections, first)
const stages = selections[named ? first : 'all'] as readonly Stage[]
const args = named ? others : process.argv.slice(2)

/** A stage that throws counts as failed. */
const runStage = async (stage: Stage): Promise<Outcome> => {
  try {
    return await stage.run(args)
  } catch (error) {
    console.error(error)
    return { passed: 0, failed: 1 }
  }
}

const results: { stage: Stage; outcome: Outcome; ms: number }[] = []
for (const stage of stages) {
  console.log(`\n── ${stage.title}`)
  const start = performance.now()
  const outcome = await runStage(stage)
  results.push({ stage, outcome, ms: performance.now() - start })
  console.log(`   ${outcome.passed} passed, ${outcome.failed} failed in ${seconds(performance.now() - start)}`)
}

const shownParts = 12
for (const { stage, outcome } of results) {
  const { parts = [] } = outcome
  if (parts.length <= shownParts) continue
  const all = parts.reduce((total, { ms }) => total + ms, 0)
  console.log(`\nThe slowest of ${parts.length} (${seconds(all)} one after another): ${stage.title}`)
  const slowest = parts.toSorted((a, b) => b.ms - a.ms).slice(0, shownParts)
  for (const { name, ms } of slowest) console.log(`${seconds(ms).padStart(9)}  ${name}`)
}

console.log('')
for (const { stage, outcome, ms } of results) {
  const mark = outcome.failed ? '✗' : '✓'
  console.log(`${mark} ${stage.title.padEnd(44)} ${outcome.passed} passed, ${outcome.failed} failed  ${seconds(ms)}`)
}
const faults = results.flatMap(({ outcome }) => outcome.faults ?? [])
if (faults.length) console.log(`\nFailures:\n${faults.map(fault => `  ${fault}`).join('\n')}`)
const sum = (key: 'passed' | 'failed') => results.reduce((total, { outcome }) => total + outcome[key], 0)
const failed = sum('failed')
process.exitCode = failed ? 1 : 0
console.log(`\n${sum('passed')} passed, ${failed} failed`)
