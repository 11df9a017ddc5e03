/**
 * Kills the server (`kill -9`) repeatedly during inbound webhooks and sends, with the real server and a Graph API that
 * keeps its own records. `node test/crash/run.ts [--short] [--postgres] [--rounds N] [--webhooks N] [--sends N]
 * [--people N] [--bulk-kills N] [--pace N] [--sessions N] [--kills N] [--imported N] [--import-kills N]
 * [--only inbox|bulk|flows|imports] [--seed N]`; `people` are the recipients of one bulk send per round, at `pace` a
 * second, interrupted by `bulk-kills` kills; `sessions` are the runs of a flow, interrupted by `kills` kills; `imported`
 * are the messages of a dump, with `import-kills` kills in each part of the work. With `--postgres` two processes share one PostgreSQL, calls and
 * webhooks go to either, and either is killed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDice } from '#server/cli/seed-words.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { type AMember, aMember, testSecret } from '#test/helpers/actors.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { openUrl } from '#test/helpers/postgres-db.ts'
import { playBulkRound } from './bulk-round.ts'
import { Fleet, type Server } from './fleet.ts'
import { playFlowRound } from './flow-round.ts'
import { type GraphNumber, GraphStub } from './graph-stub.ts'
import { playImportRound } from './import-round.ts'
import { Office } from './office.ts'
import { Program } from './program.ts'
import { type Claim, playRound } from './round.ts'
import { freePort, ServerProcess } from './server-process.ts'
import { Tab } from './tab.ts'

const args = process.argv.slice(2)
const option = (name: string, fallback: number) => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(args[at + 1])
}
const isShort = args.includes('--short')
const isOnPostgres = args.includes('--postgres')
const rounds = option('rounds', isShort ? 1 : 10)
const load = {
  webhooks: option('webhooks', isShort ? 200 : 1000),
  sends: option('sends', isShort ? 40 : 200),
  customers: 20,
}
const bulkLoad = {
  people: option('people', isShort ? 60 : 300),
  kills: option('bulk-kills', 1),
  perSecond: args.includes('--pace') ? option('pace', 20) : undefined,
}
const flowLoad = { sessions: option('sessions', isShort ? 200 : 500), kills: option('kills', isShort ? 3 : 6) }
const importLoad = {
  messages: option('imported', isShort ? 2_000 : 8_000),
  kills: option('import-kills', isShort ? 1 : 2),
}
const parts = ['inbox', 'bulk', 'flows', 'imports'] as const
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined
if (args.includes('--only') && !parts.some(part => part === only))
  throw new Error(`--only is one of ${parts.join(', ')}, not ${only}`)
const plays = (what: (typeof parts)[number]) => only === undefined || only === what
const seed = option('seed', Date.now() % 1_000_000)

/** Inserts a member of an organization into the database before the server first opens it. */
const plantMember = async (databases: Databases, publicUrl: string): Promise<AMember> => {
  try {
    await migrate(databases.write)
    return await aMember({ databases, publicUrl })
  } finally {
    await databases.close()
  }
}

const newPostgresUrl = async (): Promise<string> => {
  const server = await postgresServer()
  return server.urlOf(await server.createDatabase())
}

const number: GraphNumber = {
  phoneNumberId: '106540352242922',
  wabaId: '102290129340398',
  phone: '5491150783881',
  appSecret: 'crash-app-secret-0123456789',
}

const play = async (dataDir: string): Promise<{ passed: number; failed: number }> => {
  const dice = createDice(seed)
  const graph = new GraphStub(number, dice)
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const databaseUrl = isOnPostgres ? await newPostgresUrl() : undefined
  const databases = databaseUrl ? openUrl(databaseUrl) : openDatabase(join(dataDir, 'recado.db'))
  const member = await plantMember(databases, publicUrl)
  const env = {
    DATA_DIR: dataDir,
    AUTH_SECRET: testSecret,
    PUBLIC_URL: publicUrl,
    GRAPH_URL: await graph.listen(),
    OUTBOUND_ALLOW: '127.0.0.1',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  }
  const fleet = new Fleet(
    [new ServerProcess(port, env), ...(databaseUrl ? [new ServerProcess(await freePort(), env)] : [])],
    dice,
  )
  const server: Server = databaseUrl ? fleet : (fleet.members[0] as ServerProcess)
  const office = new Office(server, member)
  const program = new Program()
  let tabs: Tab[] = []
  let passed = 0
  let failed = 0
  try {
    await server.start()
    const { phoneNumberId, wabaId, appSecret } = number
    const body = { phoneNumberId, wabaId, appSecret, accessToken: 'crash-token' }
    const connection = await office.insist<{ webhookPath: string }>('PUT', '/whatsapp/connection', { body })
    const hook = { name: 'program', url: await program.listen(), events: ['message.received'] }
    await office.insist('POST', '/whatsapp/outgoing-webhooks', { body: hook })
    graph.webhookUrl = () => server.url + connection.webhookPath
    if (databaseUrl) tabs = fleet.members.map(() => new Tab(() => server.url, office.headers))
    const world = { server, graph, number, office, dice, tabs, program }
    const claimsOf = async (round: number): Promise<Claim[]> => [
      ...(plays('inbox') ? await playRound(world, round, load) : []),
      ...(plays('bulk') ? await playBulkRound(world, round, bulkLoad) : []),
      ...(plays('flows') ? await playFlowRound(world, round, flowLoad) : []),
      ...(plays('imports') ? await playImportRound(world, round, importLoad) : []),
    ]
    for (let round = 1; round <= rounds; round += 1)
      for (const { says, faults } of await claimsOf(round)) {
        console.log(`${faults.length ? '✗' : '✓'} ${says}`)
        for (const fault of faults.slice(0, 10)) console.log(`    ${fault}`)
        if (faults.length > 10) console.log(`    … and ${faults.length - 10} more`)
        if (faults.length) failed += 1
        else passed += 1
      }
    for (const tab of tabs) tab.close()
    const code = await server.stop()
    console.log(`${code === 0 ? '✓' : '✗'} SIGTERM ends it with 0${code === 0 ? '' : `, not ${code}`}`)
    if (code === 0) passed += 1
    else failed += 1
  } catch (error) {
    console.error(error)
    console.error(server.output)
    failed += 1
  } finally {
    for (const tab of tabs) tab.close()
    await fleet.killAll()
    graph.close()
    program.close()
  }
  return { passed, failed }
}

const dataDir = await mkdtemp(join(tmpdir(), 'recado-crash-'))
const where = isOnPostgres ? 'two processes on PostgreSQL' : 'one process on SQLite'
console.log(
  `${where}: ${rounds} × ${load.webhooks} webhooks, ${load.sends} sends, a send to ${bulkLoad.people}, ${flowLoad.sessions} in a flow and a dump of ${importLoad.messages}, --seed ${seed}`,
)
const { passed, failed } = await play(dataDir)
if (failed) console.log(`The data of this run stay in ${dataDir}`)
else await rm(dataDir, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
