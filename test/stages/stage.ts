import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Outcome {
  readonly passed: number
  readonly failed: number
  /** The duration of each part, if the stage measures it. */
  readonly parts?: readonly Part[]
  /** A line for each failure, if the stage lists them. They are printed again at the end of the run. */
  readonly faults?: readonly string[]
}

export interface Part {
  readonly name: string
  readonly ms: number
}

/** A stage prints its own failures. Whatever could not run counts as failed. */
export interface Stage {
  readonly title: string
  run(args: readonly string[]): Promise<Outcome>
}

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const bin = (name: string) => join(root, 'node_modules/.bin', name)
export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

export interface Ended {
  readonly code: number
  readonly output: string
}

/** Runs a program of node_modules with this Node and resolves when it has ended. `show` also prints its output. */
export const runProgram = (
  command: string,
  args: readonly string[],
  options: { show?: boolean; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const path = [join(root, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter)
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...options.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    const take = (to: NodeJS.WriteStream) => (chunk: Buffer) => {
      chunks.push(chunk)
      if (options.show) to.write(chunk)
    }
    child.stdout.on('data', take(process.stdout))
    child.stderr.on('data', take(process.stderr))
    child.on('error', reject)
    child.on('close', code => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }))
  })

/** Reads the sum that our programs print as their last line. */
export const readSum = ({ code, output }: Ended): Outcome => {
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? []
  if (passed === undefined || failed === undefined) return { passed: 0, failed: 1 }
  return { passed: Number(passed), failed: Number(failed) || (code === 0 ? 0 : 1) }
}
