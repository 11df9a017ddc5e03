import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileTimeoutMs } from '../helpers/timeout.ts'
import { root } from './stage.ts'

/** The result of a test file. */
export interface FileResult {
  readonly file: string
  /** Assertions that ran or were skipped. Skipped ones are not in `passed`. */
  readonly total: number
  readonly passed: number
  /** A text for each failed assertion, with its diagnostics. */
  readonly faults: readonly string[]
  /** The names of the failed assertions. */
  readonly claims: readonly string[]
  readonly ms: number
  /** The memory of its process after the file. */
  readonly bytes: number
}

export type Engine = 'sqlite' | 'postgres'
export interface TestFile {
  readonly file: string
  readonly engine: Engine
}

/** Backends are started and dropped often. A larger young generation saves a fifth of the processor time. */
const heap = ['--max-semi-space-size=64', '--min-semi-space-size=16']
const preloaded = ['without-domains', 'as-started'].map(name => `--import=${join(root, `test/stages/${name}.mjs`)}`)
/** Modules are never unloaded, so a process is replaced once it has more memory than this. */
const mostBytes = 700_000_000
/** A process is killed after this time if its file did not even end at its own timeout. */
const deafMs = fileTimeoutMs + 15_000
const goodbyeMs = 10_000
const shownChars = 20_000

/** The result of a file whose process exited. */
const gone = {
  total: 1,
  passed: 0,
  faults: ['the process exited before the file ended'],
  claims: ['the process exited before the file ended'],
  ms: 0,
  bytes: Number.POSITIVE_INFINITY,
}

/** A process that runs files on one engine, one after another. */
class Worker {
  readonly engine: Engine
  readonly #process: ChildProcess
  #output = ''
  #isReady = false
  constructor(engine: Engine, env: NodeJS.ProcessEnv) {
    this.engine = engine
    this.#process = spawn(process.execPath, [...heap, ...preloaded, join(root, 'test/stages/file-worker.ts')], {
      cwd: root,
      env: { ...process.env, ...env, ...(engine === 'postgres' ? { TEST_ENGINE: engine } : {}) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', chunk => {
        this.#output = (this.#output + chunk).slice(-shownChars)
      })
  }

  #isOver = () => this.#process.exitCode !== null || this.#process.signalCode !== null

  /** Returns undefined if the process exited before the file ended. */
  async run(file: string): Promise<FileResult | undefined> {
    const child = this.#process
    if (this.#isOver()) return undefined
    const { promise, resolve } = Promise.withResolvers<FileResult | undefined>()
    // If the process has exited meanwhile, its `close` event follows.
    const send = () => void child.send(file, () => undefined)
    const onMessage = (result: FileResult | 'ready') => {
      if (result === 'ready') send()
      // tap sends messages about its timers to the parent process too.
      else if (result.file === file) resolve(result)
    }
    const onClose = () => resolve(undefined)
    const late = setTimeout(() => child.kill('SIGKILL'), deafMs)
    child.on('message', onMessage).once('close', onClose)
    this.#output = ''
    if (this.#isReady) send()
    const result = await promise
    this.#isReady = true
    clearTimeout(late)
    child.off('message', onMessage).off('close', onClose)
    return result
  }

  /** The output of the process since the current file began. */
  get output() {
    return this.#output
  }

  async end(): Promise<void> {
    if (this.#isOver()) return
    const late = setTimeout(() => this.#process.kill('SIGKILL'), goodbyeMs)
    const ended = once(this.#process, 'exit')
    if (this.#process.connected) this.#process.disconnect()
    await ended
    clearTimeout(late)
  }
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv
  readonly atOnce: number
  /** Whether to start no further file. */
  isEnough(): boolean
  onEnd(file: TestFile, result: FileResult): void
}

/** Runs `atOnce` files at a time, each engine's in the given order, and calls `onEnd` after each. */
export async function runFiles(
  files: readonly TestFile[],
  { env, atOnce, isEnough, onEnd }: RunOptions,
): Promise<void> {
  const waiting = [...files]
  /** The next file of this engine, or of the other one once there are none left. */
  const take = (engine: Engine) => {
    if (isEnough()) return undefined
    const own = waiting.findIndex(one => one.engine === engine)
    return waiting.splice(Math.max(own, 0), 1)[0]
  }
  const work = async (first: Engine) => {
    let worker: Worker | undefined
    for (let next = take(first); next; next = take(worker?.engine ?? first)) {
      if (worker && worker.engine !== next.engine) {
        await worker.end()
        worker = undefined
      }
      worker ??= new Worker(next.engine, env)
      const result = (await worker.run(next.file)) ?? { ...gone, file: next.file }
      const isWell = result.passed === result.total
      onEnd(
        next,
        isWell
          ? result
          : { ...result, faults: [...result.faults, `Output of the process: ${worker.output || 'none'}`] },
      )
      if (result.bytes < mostBytes) continue
      await worker.end()
      worker = undefined
    }
    await worker?.end()
  }
  const engines = Array.from({ length: atOnce }, (_, i): Engine => (i % 2 ? 'sqlite' : 'postgres'))
  await Promise.all(engines.map(work))
}
