import { type Outcome, readSum, root, runProgram, type Stage } from './stage.ts'

type Program = readonly [file: string, ...args: string[]]

/** The programs mostly wait for servers to start, so two run at a time. */
const atOnce = 2

const crashStage = (title: string, programs: readonly Program[]): Stage => ({
  title,
  async run() {
    const waiting = [...programs]
    let sum: Outcome = { passed: 0, failed: 0 }
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [file, ...args] = next
        const ended = await runProgram(process.execPath, [`${root}${file}`, ...args])
        console.log(ended.output.trimEnd())
        const { passed, failed } = readSum(ended)
        sum = { passed: sum.passed + passed, failed: sum.failed + failed }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
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
