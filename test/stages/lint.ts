import { bin, runProgram, type Stage } from './stage.ts'

export const lint: Stage = {
  title: 'Lint and format',
  async run() {
    const { code, output } = await runProgram(bin('biome'), [
      'check',
      '--error-on-warnings',
      '--max-diagnostics=50',
      '--colors=off',
    ])
    const found = [...output.matchAll(/Found (\d+) (?:error|warning)/g)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    )
    if (code !== 0) process.stdout.write(`${output}\n   \`npm run format\` repairs what can be repaired by itself.\n`)
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: Math.max(found, 1) }
  },
}
