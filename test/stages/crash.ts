import { type Outcome, readSum, root, runProgram, type Stage } from './stage.ts'

const crashStage = (title: string, programs: readonly (readonly [file: string, ...args: string[]])[]): Stage => ({
  title,
  async run() {
    let sum: Outcome = { passed: 0, failed: 0 }
    for (const [file, ...args] of programs) {
      const { passed, failed } = readSum(
        await runProgram(process.execPath, [`${root}${file}`, ...args], { show: true }),
      )
      sum = { passed: sum.passed + passed, failed: sum.failed + failed }
    }
    return sum
  },
})

export const crash = crashStage('kill -9 and power cuts in the middle of work', [
  ['test/crash/run.ts', '--short'],
  ['test/crash/run.ts', '--short', '--postgres'],
  ['test/crash/upstream.ts'],
  ['test/crash/power-cut.ts'],
])

/** Ten rounds on each engine. */
export const crashNightly = crashStage('kill -9 and power cuts, over and over', [
  ['test/crash/run.ts'],
  ['test/crash/run.ts', '--postgres'],
  ['test/crash/upstream.ts', '--kills', '20', '--events', '1000'],
  ['test/crash/upstream.ts', '--kills', '20', '--events', '1000', '--postgres'],
  ['test/crash/power-cut.ts'],
])
