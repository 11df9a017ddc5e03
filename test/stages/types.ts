import { join } from 'node:path'
import { bin, root, runProgram, type Stage } from './stage.ts'

/** What was checked last time: what has not changed since is not checked again, which is nearly everything. */
const checked = join(root, 'node_modules/.cache/types.tsbuildinfo')

export const types: Stage = {
  title: 'Types',
  async run() {
    const { code, output } = await runProgram(bin('tsc'), [
      '-p',
      '.',
      '--pretty',
      'false',
      '--incremental',
      '--tsBuildInfoFile',
      checked,
    ])
    const errors = output.match(/error TS\d+/g)?.length ?? 0
    if (code !== 0) process.stdout.write(output)
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: Math.max(errors, 1) }
  },
}
