/**
 * Puts small faults into the code, one at a time in a copy of the last commit, and runs the suites of that feature as
 * `npm run check` selects them. A fault that no suite notices survives: a claim is missing, or the fault changes nothing.
 * `node server/cli/run.mjs test/mutations/run.ts --count 60 --seed 1`
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createDice } from '#server/cli/seed-words.ts'
import { root, seconds } from '#test/stages/stage.ts'
import { layers, listMutants, type Mutant } from './mutants.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
})
const count = Number(values.count)
const dice = createDice(Number(values.seed))
/** A fault may make a suite wait for ever. */
const maxMs = 600_000

const all = new Map(layers.map(layer => [layer, listMutants(layer)]))
const drawMutant = (turn: number): Mutant => {
  const byFault = all.get(layers[turn % layers.length] as (typeof layers)[number])
  const fault = dice.pick([...(byFault?.keys() ?? [])])
  return dice.pick(byFault?.get(fault) as Mutant[])
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
const copy = join(mkdtempSync(join(tmpdir(), 'recado-mutations-')), 'tree')

const put = ({ path, line, from, to }: Mutant) => {
  const file = join(copy, path)
  const text = readFileSync(file, 'utf8')
  const lines = text.split('\n')
  if (lines[line - 1] !== from) throw new Error(`${path}:${line} is another line in the last commit. Commit first.`)
  lines[line - 1] = to ?? ''
  writeFileSync(file, lines.join('\n'))
  return () => writeFileSync(file, text)
}

/** `killed`: by somebody else, which says nothing of the suites. */
type Fate = 'caught' | 'survived' | 'timed out' | 'killed'

const runSuites = (): Promise<Fate> =>
  new Promise(resolve => {
    const program = [join(copy, 'server/cli/run.mjs'), 'test/run.ts', 'changed']
    const child = spawn(process.execPath, program, { cwd: copy, stdio: 'ignore', detached: true })
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      process.kill(-(child.pid as number), 'SIGKILL')
    }, maxMs)
    child.on('exit', code => {
      clearTimeout(late)
      if (isLate) resolve('timed out')
      else if (code === null) resolve('killed')
      else resolve(code === 0 ? 'survived' : 'caught')
    })
  })

setPriority(0, 15)
git('worktree', 'add', '--detach', copy, 'HEAD')
try {
  for (const name of ['node_modules', 'dist'])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(copy, name))
  const sums: Record<Fate, number> = { caught: 0, survived: 0, 'timed out': 0, killed: 0 }
  for (let turn = 0; turn < count; turn += 1) {
    const mutant = drawMutant(turn)
    const begun = performance.now()
    const takeBack = put(mutant)
    const fate = await runSuites()
    takeBack()
    sums[fate] += 1
    console.log(
      `${fate.padEnd(9)} ${seconds(performance.now() - begun).padStart(8)}  ${mutant.path}:${mutant.line} ${mutant.fault}`,
    )
    if (fate !== 'caught') console.log(`  - ${mutant.from.trim()}\n  + ${mutant.to?.trim() ?? ''}`)
  }
  console.log(
    `\n${sums.caught} caught, ${sums.survived} survived, ${sums['timed out']} timed out, ${sums.killed} killed of ${count}`,
  )
} finally {
  git('worktree', 'remove', '--force', copy)
  rmSync(join(copy, '..'), { recursive: true, force: true })
}
