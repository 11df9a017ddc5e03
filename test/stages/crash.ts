import { type Outcome, readSum, root, runProgram, type Stage } from './stage.ts'

const programs = [
  ['test/crash/run.ts', '--short'],
  ['test/crash/run.ts', '--short', '--postgres'],
  ['test/crash/power-cut.ts'],
]

export const crash: Stage = {
  title: 'kill -9 and power cuts in the middle of work',
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
}
