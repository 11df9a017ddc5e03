import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileTimeoutMs } from '../helpers/timeout.ts'
import { root } from './stage.ts'

/** What a file that was run says of itself. */
export interface FileResult {
  readonly file: string
  /** Claims that were looked at; what was skipped is among them, and not among those that passed. */
  readonly total: number
  readonly passed: number
  /** All that is known of each claim that failed. */
  readonly faults: readonly string[]
  /** Their names. */
  readonly claims: readonly string[]
  readonly ms: number
  /** What its process holds by now. */
  readonly bytes: number
}

export type Engine = 'sqlite' | 'postgres'
export interface TestFile {
  readonly file: string
  readonly engine: Engine
}

/** Backends come and go: with room for what is young, a fifth less of the processor goes into looking what is still held. */
const heap = ['--max-semi-space-size=64', '--min-semi-space-size=16']
const preloaded = ['without-domains', 'as-started'].map(name => `--import=${join(root, `test/stages/${name}.mjs`)}`)
/** Modules are never given back: from so much on a fresh process goes on. */
const mostBytes = 700_000_000
/** A file that does not even end by its own timer. */
const deafMs = fileTimeoutMs + 15_000
const goodbyeMs = 10_000
const shownChars = 20_000

/** A process that is gone says nothing. */
const gone = {
  total: 1,
  passed: 0,
  faults: ['ended its process'],
  claims: ['ended its process'],
  ms: 0,
  bytes: Number.POSITIVE_INFINITY,
}

/** A process that runs files of one engine, one after another. */
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

  /** Undefined: the process did not survive the file. */
  async run(file: string): Promise<FileResult | undefined> {
    const child = this.#process
    if (this.#isOver()) return undefined
    const { promise, resolve } = Promise.withResolvers<FileResult | undefined>()
    // One that is gone meanwhile closes next.
    const send = () => void child.send(file, () => undefined)
    const onMessage = (result: FileResult | 'ready') => {
      if (result === 'ready') send()
      // tap tells its parent of its timers, too.
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

  /** What was said on its streams since the last file began. */
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
  /** Whether no further file is begun. */
  isEnough(): boolean
  onEnd(file: TestFile, result: FileResult): void
}

/** Runs files, so many at a time, each engine's in the order given; says each that failed as it comes. */
export async function runFiles(
  files: readonly TestFile[],
  { env, atOnce, isEnough, onEnd }: RunOptions,
): Promise<void> {
  const waiting = [...files]
  /** Of the engine that its process is for, while there are any. */
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
        isWell ? result : { ...result, faults: [...result.faults, `Said meanwhile: ${worker.output || 'nothing'}`] },
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
