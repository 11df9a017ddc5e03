import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { type Line, written } from './report.ts'
import { median } from './samples.ts'

const run = (checkout: string, args: readonly string[]): Promise<string> =>
  new Promise((done, fail) => {
    const program = [...args, '--json']
    const child = spawn(process.execPath, ['server/cli/run.mjs', '--build', 'test/bench/run.ts', ...program], {
      cwd: checkout,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    child.once('error', fail)
    // A missed goal is a result, too.
    child.once('exit', code =>
      code === 0 || code === 1 ? done(said) : fail(new Error(`It ended with ${code}\n${said}`)),
    )
  })

const linesFrom = (said: string): readonly Line[] => {
  const at = said.search(/^\{$/m)
  if (at < 0) throw new Error(`No figures came:\n${said}`)
  return (JSON.parse(said.slice(at)) as { lines: readonly Line[] }).lines
}

/** Removes a measured figure from a line's name, so that runs can be compared. */
const nameOf = ({ what }: Line) => what.replace(/\bat \d+\/s/, 'at its load')

/**
 * The benchmark of this checkout and of another one in turn, each with its own program, and for every line that both
 * have the ratio of this one's median to the other's. For figures where less is better, below 1 is better.
 */
export async function runBeside(own: string, other: string, rounds: number, args: readonly string[]): Promise<void> {
  const places = { own: resolve(own), other: resolve(other) }
  const figures = { own: new Map<string, number[]>(), other: new Map<string, number[]>() }
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 ? (['other', 'own'] as const) : (['own', 'other'] as const)
    for (const who of order)
      for (const line of linesFrom(await run(places[who], args))) {
        const name = nameOf(line)
        figures[who].set(name, [...(figures[who].get(name) ?? []), line.figure])
      }
  }
  const names = [...figures.own.keys()].filter(name => figures.other.has(name))
  const width = Math.max(...names.map(name => name.length))
  for (const name of names) {
    const [here, there] = [figures.own.get(name) as number[], figures.other.get(name) as number[]]
    const ratio = median(here) / median(there)
    const spread = (some: readonly number[]) => `${written(median(some))} (${some.map(one => written(one)).join(' ')})`
    console.log(
      `${name.padEnd(width)}  ${written(ratio)} ×  ${styleText('dim', `${spread(here)} to ${spread(there)}`)}`,
    )
  }
  console.log(styleText('dim', `${rounds} runs of each in turn; ${places.own} to ${places.other}`))
}
