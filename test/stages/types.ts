import { bin, runProgram, type Stage } from './stage.ts'

export const types: Stage = {
  title: 'Types',
  async run() {
    const { code, output } = await runProgram(bin('tsc'), ['-p', '.', '--pretty', 'false'])
    const errors = output.match(/error TS\d+/g)?.length ?? 0
    if (code !== 0) process.stdout.write(output)
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: Math.max(errors, 1) }
  },
}
