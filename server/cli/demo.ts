/**
 * `npm run demo`: a sample organization in a throw-away folder, with a sign-in link for each of its people. It reads
 * HOST, PORT, PUBLIC_URL, LOG_LEVEL, OUTBOUND_ALLOW and, for a schema of its own in PostgreSQL, `DATABASE_URL`; nothing
 * else of the environment. No mail is sent and Meta is never called. Folder and schema are deleted when the process ends.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp, type InstallWeb } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { randomHex } from '#server/platform/crypto/random.ts'
import { openInstallation } from '#server/platform/db/open-installation.ts'
import { dropSchema } from '#server/platform/db/schema.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { type Clock, systemClock } from '#server/platform/time/clock.ts'
import { installBuiltWeb } from '#server/web/install.ts'
import { type Backend, compose } from '#server/wiring.ts'
import { type DemoMember, monthMs, seedDemo } from './demo/seed.ts'
import { createDemoSignIn } from './demo/sign-in.ts'
import { createStoryClock } from './demo/story-clock.ts'
import { runProgram } from './screen.ts'

/** No server answers there. */
const nowhere = 'http://127.0.0.1:9'

/** Adds a new schema to the address; an invalid address is returned as it is, and refused by its reader. */
const inOwnSchema = (url = ''): string | undefined => {
  if (!/^postgres(?:ql)?:/.test(url)) return undefined
  if (!URL.canParse(url)) return url
  const own = new URL(url)
  own.searchParams.set('schema', `demo_${randomHex(6)}`)
  return own.href
}

export interface Demo {
  readonly url: string
  readonly dataDir: string
  readonly backend: Backend
  /** A link that signs each person in once. */
  readonly links: readonly (DemoMember & { readonly link: string })[]
  /** Stops the server and deletes the folder. */
  close(): Promise<void>
}

interface DemoOptions {
  /** The pages; tests of the calls need none. */
  readonly web?: InstallWeb
  /** Absent: the system's. */
  readonly clock?: Clock
  /** False: only the last two days happen, for tests that count them. */
  readonly hasMonth?: boolean
}

/** Starts the demo. When this resolves it listens and is filled. */
export async function startDemo(
  env: Readonly<Record<string, string | undefined>>,
  { web, clock: realClock = systemClock, hasMonth = true }: DemoOptions = {},
): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-demo-'))
  // Retries, because a call in the background may still write a file.
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  process.on('exit', remove)
  const { HOST, PORT, PUBLIC_URL, LOG_LEVEL = 'error', OUTBOUND_ALLOW, DATABASE_URL } = env
  const config = readConfig({
    HOST,
    PORT,
    PUBLIC_URL,
    LOG_LEVEL,
    OUTBOUND_ALLOW,
    DATA_DIR: dataDir,
    GRAPH_URL: nowhere,
    SANDBOX: 'on',
    SIGNUP: 'invite',
    DATABASE_URL: inOwnSchema(DATABASE_URL),
  })
  const log = pino({ level: config.logLevel, serializers: { err: errorFacts } })
  const endMs = realClock.now().getTime()
  const clock = createStoryClock(realClock, endMs - monthMs)
  const { databases, migrate, release } = await openInstallation(config, { clock, log })
  await migrate()
  let url = ''
  const backend = compose({ config, databases, log, clock, selfUrl: () => url })
  const signIn = createDemoSignIn(backend)
  const app = await buildApp(backend, {
    logger: log,
    web: async (site, backend, api) => {
      signIn.mount(site)
      await web?.(site, backend, api)
    },
  })
  await app.listen({ host: config.host, port: config.port })
  url = addressOf(config.host, (app.server.address() as AddressInfo).port)
  // The chores of every hour of a month would take longer than the story.
  backend.jobs.start()
  const members = await seedDemo(backend, clock, { endMs, hasMonth })
  backend.start()
  const outside = PUBLIC_URL ? config.publicUrl : url
  return {
    url,
    dataDir,
    backend,
    links: members.map(member => ({ ...member, link: outside + signIn.linkFor(member.id) })),
    async close() {
      await app.close()
      await backend.stop()
      await dropSchema(databases.write)
      await databases.close()
      release()
      process.off('exit', remove)
      remove()
    },
  }
}

const addressOf = (host: string, port: number) => {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

const graceMs = 9_000

if (process.argv[1] === import.meta.filename)
  await runProgram(async () => {
    console.log('Preparing a bakery with its customers (some seconds)…')
    const demo = await startDemo(process.env, { web: installBuiltWeb })
    const width = Math.max(...demo.links.map(({ name }) => name.length))
    console.log(`\nThe demonstration is ready: ${demo.url}\n`)
    console.log('Each link signs its person in once. Open them in different browsers to be several people.\n')
    for (const { name, role, link } of demo.links) console.log(`  ${name.padEnd(width)}  ${role.padEnd(9)}  ${link}`)
    console.log('\nNothing leaves this machine, and nothing stays: Ctrl+C ends it and removes its data.')
    let ending = false
    const end = async () => {
      if (ending) return
      ending = true
      setTimeout(() => process.exit(0), graceMs).unref()
      await demo.close()
      process.exit(0)
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        end().catch(error => {
          console.error('The end was not orderly.', error)
          process.exit(1)
        })
      })
  })
