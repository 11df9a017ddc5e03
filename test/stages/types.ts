import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { bin, root, runProgram, type Stage } from './stage.ts'

const cache = join(root, 'node_modules/.cache')
const texts = join(root, 'locales/es')

/**
 * The compiler's record of checked files, so that unchanged files are not checked again. The compiler does not notice
 * changed keys of `t`, because `i18next.d.ts` only names the files of texts, so changed texts start a new record.
 */
const checkedFile = (): string => {
  const digest = createHash('sha256')
  for (const name of readdirSync(texts).sort()) digest.update(readFileSync(join(texts, name)))
  const current = `types-${digest.digest('hex').slice(0, 16)}.tsbuildinfo`
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache))
    if (/^types.*\.tsbuildinfo$/.test(name) && name !== current) rmSync(join(cache, name))
  return join(cache, current)
}

export const types: Stage = {
  title: 'Types',
  async run() {
    const { code, output } = await runProgram(bin('tsc'), [
      '-p',
      '.',
      '--pretty',
      'false',
      '--incremental',
      // Each checker loads the types it needs again. More checkers than processors are a third slower.
      '--checkers',
      String(Math.min(availableParallelism(), 4)),
      '--tsBuildInfoFile',
      checkedFile(),
    ])
    const errors = output.match(/error TS\d+/g)?.length ?? 0
    if (code !== 0) process.stdout.write(output)
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: Math.max(errors, 1) }
  },
}
