import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onServerCore } from './cores.ts'
import type { Peak, Reading } from './meter.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const meter = new URL('./meter.ts', import.meta.url).href

/** A server in a process of its own. */
export interface Child {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Asks the program a question over the process channel. */
  ask<T>(question: string, facts?: object): Promise<T>
  read(): Promise<Reading>
  /** Its highest use of memory and event loop since the last call. */
  peak(): Promise<Peak>
  /** Kills it without a shutdown. */
  kill(): Promise<void>
  /** A reading after a full garbage collection. Start the program with `--expose-gc`. */
  settle(): Promise<Reading>
  /** Its log so far. */
  output(): string
  stop(): Promise<void>
}

/**
 * The flags of `npm start`: space for the garbage of pages, whose collection would otherwise stop the product for 60
 * ms.
 */
const serverFlags = () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: { start: string } }
  return scripts.start.split(' ').filter(word => word.startsWith('--') && word !== '--build')
}

const startMs = 60_000
const stopMs = 10_000

/**
 * Starts a program on the servers' core, or on the load's, and waits for its `ready: http://…`.
 * @throws with its output when it ends or says nothing for a minute.
 */
export function startChild(
  file: string,
  options: { env?: Record<string, string>; args?: string[]; flags?: string[]; isBesideLoad?: boolean } = {},
): Promise<Child> {
  const { env = {}, args = [], flags = file === 'server/main.ts' ? serverFlags() : [], isBesideLoad = false } = options
  const words = [
    '--import',
    meter,
    ...flags,
    ...(file === 'server/main.ts' ? ['server/cli/run.mjs'] : []),
    file,
    ...args,
  ]
  const [command, rest] = isBesideLoad ? [process.execPath, words] : onServerCore(process.execPath, words)
  const child = spawn(command, rest, {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  let questions = 0
  const waiting = new Map<number, (answer: unknown) => void>()
  child.on('message', (message: { id?: number; answer?: unknown }) => {
    if (message.id === undefined) return
    waiting.get(message.id)?.(message.answer)
    waiting.delete(message.id)
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const ask = <T>(question: string, facts: object = {}) =>
    new Promise<T>(resolve => {
      questions += 1
      waiting.set(questions, resolve as (answer: unknown) => void)
      child.send({ ask: question, id: questions, ...facts })
    })
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${file} ${why}\n${said}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('is not ready')
    }, startMs)
    child.once('error', error => fail(error.message))
    child.once('exit', code => fail(`ended with ${code}`))
    const listen = (text: string) => {
      said = (said + text).slice(-20_000)
      const url = /ready: (http:\/\/\S+)/.exec(said)?.[1]
      if (!url) return
      clearTimeout(timer)
      resolve({
        url,
        port: Number(new URL(url).port),
        pid: child.pid as number,
        ask,
        read: () => ask<Reading>('meter'),
        peak: () => ask<Peak>('peak'),
        async kill() {
          child.kill('SIGKILL')
          await ended
        },
        settle: () => ask<Reading>('settle'),
        output: () => said,
        async stop() {
          const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
          child.kill('SIGTERM')
          await ended
          clearTimeout(timer)
        },
      })
    }
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', listen)
  })
}

/** A round with the server's processor time per answer in microseconds, which other programs hardly affect. */
export async function metered<T extends { readonly requests: number }>(
  child: Child,
  round: () => Promise<T>,
): Promise<T & { cpuEach: number }> {
  const before = await child.read()
  const result = await round()
  const after = await child.read()
  return { ...result, cpuEach: (after.cpu - before.cpu) / result.requests }
}

/** Answers questions of the benchmark in a program started by `startChild`. */
export const answer = (question: string, reply: (facts: never) => unknown): void => {
  process.on('message', async (message: { ask?: string; id?: number }) => {
    if (message.ask === question) process.send?.({ id: message.id, answer: await reply(message as never) })
  })
}
