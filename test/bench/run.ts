/** `npm run bench -- NAME`: one benchmark; without a name, the list. Exit 1 when it missed a goal. */
import { readdir } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import type { Benchmark } from './benchmark.ts'

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
  if (!(await benchmark.run(args))) process.exitCode = 1
}
