import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bound, figure, option, report } from './parts/report.ts'
import { median, spreadOf } from './parts/samples.ts'

export const name = 'start'
export const title = 'The second `npm start`, from the command to the first answer, and the memory of an idle server'

const root = fileURLToPath(new URL('../../', import.meta.url))
const idleMs = 10_000
const startWithinMs = 120_000

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** The environment of somebody's shell, not of the npm script this benchmark runs in. */
const shellEnvironment = (): NodeJS.ProcessEnv => {
  const own = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_OPTIONS$|^INIT_CWD$/i.test(name)),
  )
  const path = (process.env.PATH ?? '').split(delimiter).filter(part => !part.includes('node_modules'))
  return { ...own, PATH: path.join(delimiter) }
}

interface Start {
  readonly child: ChildProcess
  /** Until `/readyz` said yes. */
  readonly ms: number
  stop(): Promise<void>
}

const start = async (dataDir: string): Promise<Start> => {
  const port = await freePort()
  const begin = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...shellEnvironment(), DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout?.resume()
  let ended = false
  const end = new Promise<void>(resolve =>
    child.once('exit', () => {
      ended = true
      resolve()
    }),
  )
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      response => response.ok,
      () => false,
    )
    if (isReady) break
    if (ended || performance.now() - begin > startWithinMs) throw new Error('npm start did not come up')
    await pause(5)
  }
  return {
    child,
    ms: performance.now() - begin,
    async stop() {
      for (const { pid } of familyOf(child.pid as number).toReversed()) process.kill(pid, 'SIGTERM')
      await end
    },
  }
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly kilobytes: number
}

/** A process and what came of it, as the system's process list tells; parents first. */
const familyOf = (pid: number): Process[] => {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number) as [number, number, number])
    .map(([pid, parent, kilobytes]) => ({ pid, parent, kilobytes }))
  const family = all.filter(each => each.pid === pid)
  for (const member of family) family.push(...all.filter(each => each.parent === member.pid))
  return family
}

export async function run(args: readonly string[]): Promise<boolean> {
  const rounds = option(args, 'rounds', 5)
  const dataDir = join(root, `node_modules/.cache/bench/start-${process.pid}`)
  mkdirSync(dataDir, { recursive: true })
  try {
    const first = await start(dataDir)
    await first.stop()
    const times: number[] = []
    const idle: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const again = await start(dataDir)
      times.push(again.ms)
      // Once is enough: it hardly varies and takes its time.
      if (round === 0) {
        await pause(idleMs)
        // npm waits above it; the server itself is the last of the line.
        idle.push((familyOf(again.child.pid as number).at(-1)?.kilobytes ?? Number.NaN) / 1024)
      }
      await again.stop()
    }
    return report(
      args,
      [
        bound('second start to ready, median', median(times), 'ms', 2000),
        figure('second start, all rounds', spreadOf(times), 'ms'),
        figure('first start of this run', spreadOf([first.ms]), 'ms'),
        bound(`resident ${idleMs / 1000} s after ready`, idle[0] ?? Number.NaN, 'MB', 180),
      ],
      [`${rounds} starts; npm itself included; the server's process alone for memory`],
    )
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
