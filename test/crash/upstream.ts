/**
 * Kills Recado and the product API before it (`kill -9`) repeatedly while events arrive, by its stream and by webhook.
 * Every event must be here once, in order. `node test/crash/upstream.ts [--postgres] [--events N] [--kills N] [--seed N]`;
 * with `--postgres` two processes share one database, and either is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDice } from '#server/cli/seed-words.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { aMember, testSecret } from '#test/helpers/actors.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { openUrl } from '#test/helpers/postgres-db.ts'
import { root } from '#test/helpers/sources.ts'
import { Fleet } from './fleet.ts'
import { freePort, ServerProcess } from './server-process.ts'

const args = process.argv.slice(2)
const option = (name: string, fallback: number) => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(args[at + 1])
}
const isOnPostgres = args.includes('--postgres')
const events = option('events', 300)
const kills = option('kills', 4)
const seed = option('seed', Date.now() % 1_000_000)
const phones = Array.from({ length: 5 }, (_, i) => `549115555010${i}`)
const settleMs = 60_000
const secret = Buffer.alloc(32, 7)

const ways = ['stream', 'webhook'] as const
type Way = (typeof ways)[number]

const eventOf = (org: string, n: number, began: number) => ({
  ...{ event: 'message', org, id: `e${n}` },
  data: {
    number: phones[n % phones.length],
    name: `Cliente ${n % phones.length}`,
    message: { id: `m${n}`, direction: 'in', type: 'text', text: `n ${n}`, at: new Date(began + n).toISOString() },
  },
})

/** Posts until the answer is 2xx, as the documentation asks. */
const post = async (server: Fleet, text: string): Promise<void> => {
  for (;;) {
    const seconds = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', secret).update(`msg.${seconds}.${text}`).digest('base64')
    const headers = { 'webhook-id': 'msg', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` }
    const request = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: text }
    const isTaken = await fetch(`${server.url}/upstream/events`, request).then(
      async answer => (await answer.arrayBuffer()) && answer.ok,
      () => false,
    )
    if (isTaken) return
    await sleep(20)
  }
}

/** The product API, in a process of its own. */
const startStub = (port: number, file: string): ChildProcess =>
  spawn(process.execPath, [join(root, 'test/crash/upstream-stub.ts'), String(port), file], { stdio: 'inherit' })

const killStub = async (stub: ChildProcess): Promise<void> => {
  const ended = once(stub, 'exit')
  stub.kill('SIGKILL')
  await ended
}

const faultsIn = async ({ read }: Databases): Promise<string[]> => {
  const ids = await read.selectFrom('upstream_event').select('id').execute()
  const shown = (await read.selectFrom('event').select(['type', 'data']).orderBy('seq').execute()).flatMap(
    ({ type, data }) => (type === 'messageChanged' ? [Number(JSON.parse(data).message.text.slice(2))] : []),
  )
  const unread = await read.selectFrom('conversation').select(['unread']).execute()
  const count = unread.reduce((sum, row) => sum + Number(row.unread), 0)
  const outOfOrder = shown.filter((n, i) => i > 0 && n <= (shown[i - 1] as number))
  return [
    ...(ids.length === events ? [] : [`${ids.length} of ${events} events are stored`]),
    ...(new Set(shown).size === events ? [] : [`${new Set(shown).size} of ${events} messages reached open pages`]),
    ...(shown.length === new Set(shown).size ? [] : [`${shown.length - new Set(shown).size} messages came twice`]),
    ...(outOfOrder.length ? [`out of order: ${outOfOrder.slice(0, 5).join(', ')}`] : []),
    ...(count === events ? [] : [`${count} messages count as unread`]),
  ]
}

const play = async (way: Way, dataDir: string): Promise<string[]> => {
  const dice = createDice(seed)
  const [port, upstreamPort] = [await freePort(), await freePort()]
  const publicUrl = `http://127.0.0.1:${port}`
  const postgres = isOnPostgres ? await postgresServer() : undefined
  const databaseUrl = postgres?.urlOf(await postgres.createDatabase())
  const databases = databaseUrl ? openUrl(databaseUrl) : openDatabase(join(dataDir, 'recado.db'))
  await migrate(databases.write)
  const { org } = await aMember({ databases, publicUrl })
  const env = {
    ...{ DATA_DIR: dataDir, AUTH_SECRET: testSecret, PUBLIC_URL: publicUrl },
    ...{ PRODUCT_API_URL: `http://127.0.0.1:${upstreamPort}`, OUTBOUND_ALLOW: '127.0.0.1' },
    ...(way === 'webhook' ? { PRODUCT_API_SECRET: `whsec_${secret.toString('base64')}` } : {}),
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  }
  const others = databaseUrl ? [new ServerProcess(await freePort(), env)] : []
  const server = new Fleet([new ServerProcess(port, env), ...others], dice)
  const file = join(dataDir, 'events.jsonl')
  writeFileSync(file, '')
  let stub = startStub(upstreamPort, file)
  try {
    await server.start()
    let hasEnded = false
    const began = Date.now()
    /** Events happen as long as somebody is killed. */
    const happen = async () => {
      for (let n = 0; n < events; n += 1) {
        const text = JSON.stringify(eventOf(org.id, n, began))
        if (way === 'stream') appendFileSync(file, `${text}\n`)
        else await post(server, text)
        if (!hasEnded) await sleep(dice.below(40))
      }
    }
    const kill = async () => {
      for (let i = 0; i < kills; i += 1) {
        await sleep(200 + dice.below(600))
        if (way === 'stream' && i % 2) {
          await killStub(stub)
          await sleep(dice.below(500))
          stub = startStub(upstreamPort, file)
        } else {
          await server.kill()
          await server.start()
        }
      }
      hasEnded = true
    }
    await Promise.all([happen(), kill()])
    let faults = await faultsIn(databases)
    for (const until = Date.now() + settleMs; faults.length && Date.now() < until; await sleep(200))
      faults = await faultsIn(databases)
    return faults.length ? [...faults, server.output] : []
  } finally {
    await server.killAll()
    await killStub(stub)
    await databases.close()
  }
}

let failed = 0
console.log(
  `${isOnPostgres ? 'two processes on PostgreSQL' : 'one process on SQLite'}: ${events} events, ${kills} kills, --seed ${seed}`,
)
for (const way of ways) {
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-crash-upstream-'))
  const faults = await play(way, dataDir)
  console.log(`${faults.length ? '✗' : '✓'} every event of the product API is here once, in order, by ${way}`)
  for (const fault of faults) console.log(`    ${fault}`)
  if (faults.length) failed += 1
  else rmSync(dataDir, { recursive: true, force: true })
}
console.log(`${ways.length - failed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
