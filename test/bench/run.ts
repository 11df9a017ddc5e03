/**
 * `npm run bench -- NAME`: one benchmark; without a name, the list. Exit 1 when it missed a goal.
 * With `--beside DIR`: in turn with the same of another checkout, such as a worktree of an older commit.
 */
import { readdir } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import type { Benchmark } from './benchmark.ts'
import { runBeside } from './parts/beside.ts'
import { option } from './parts/report.ts'

const suffix = '.bench.ts'
const names = (await readdir(import.meta.dirname))
  .filter(name => name.endsWith(suffix))
  .map(name => name.slice(0, -suffix.length))
  .sort()
const load = async (name: string) => (await import(`./${name}${suffix}`)) as Benchmark

const [name, ...args] = process.argv.slice(2)
if (!name) {
  for (const each of names) console.log(`${each.padEnd(10)} ${(await load(each)).title}`)
  console.log('\nRun one with: npm run bench -- NAME')
} else if (!names.includes(name)) {
  console.error(`There is no benchmark "${name}". There are: ${names.join(', ')}`)
  process.exitCode = 2
} else {
  const benchmark = await load(name)
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'cpu'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`
  console.log(`${benchmark.title}\n${machine}\n`)
  const at = args.indexOf('--beside')
  const beside = at < 0 ? undefined : args[at + 1]
  if (beside === undefined) process.exitCode = (await benchmark.run(args)) ? 0 : 1
  else await runBeside('.', beside, option(args, 'runs', 3), [name, ...args.toSpliced(at, 2)])
}
