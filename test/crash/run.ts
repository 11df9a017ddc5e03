/**
 * `kill -9` in the middle of inbound webhooks and sends, over and over, against the real server and a Graph API that
 * keeps its own books. `node test/crash/run.ts [--short] [--rounds N] [--webhooks N] [--sends N] [--seed N]`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDice } from '#server/cli/seed-words.ts'
import { openDatabase } from '#server/database/sqlite/open.ts'
import { migrate } from '#server/migrate.ts'
import { type AMember, aMember, testSecret } from '#test/helpers/actors.ts'
import { type GraphNumber, GraphStub } from './graph-stub.ts'
import { Office } from './office.ts'
import { playRound } from './round.ts'
import { freePort, ServerProcess } from './server-process.ts'

const args = process.argv.slice(2)
const option = (name: string, fallback: number) => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(args[at + 1])
}
const isShort = args.includes('--short')
const rounds = option('rounds', isShort ? 1 : 10)
const load = {
  webhooks: option('webhooks', isShort ? 200 : 1000),
  sends: option('sends', isShort ? 40 : 200),
  customers: 20,
}
const seed = option('seed', Date.now() % 1_000_000)

/** A person in an organization, in the database before the server first opens it. */
const plantMember = async (dataDir: string, publicUrl: string): Promise<AMember> => {
  const databases = openDatabase(join(dataDir, 'recado.db'))
  try {
    await migrate(databases.write)
    return await aMember({ databases, publicUrl })
  } finally {
    await databases.close()
  }
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
  const member = await plantMember(dataDir, publicUrl)
  const env = { DATA_DIR: dataDir, AUTH_SECRET: testSecret, PUBLIC_URL: publicUrl, GRAPH_URL: await graph.listen() }
  const server = new ServerProcess(port, env)
  const office = new Office(server, member)
  let passed = 0
  let failed = 0
  try {
    await server.start()
    const { phoneNumberId, wabaId, appSecret } = number
    const body = { phoneNumberId, wabaId, appSecret, accessToken: 'crash-token' }
    const connection = await office.insist<{ webhookPath: string }>('PUT', '/whatsapp/connection', { body })
    graph.webhookUrl = server.url + connection.webhookPath
    for (let round = 1; round <= rounds; round += 1)
      for (const { says, faults } of await playRound({ server, graph, number, office, dice }, round, load)) {
        console.log(`${faults.length ? '✗' : '✓'} ${says}`)
        for (const fault of faults.slice(0, 10)) console.log(`    ${fault}`)
        if (faults.length > 10) console.log(`    … and ${faults.length - 10} more`)
        if (faults.length) failed += 1
        else passed += 1
      }
    const code = await server.stop()
    console.log(`${code === 0 ? '✓' : '✗'} SIGTERM ends it with 0${code === 0 ? '' : `, not ${code}`}`)
    if (code === 0) passed += 1
    else failed += 1
  } catch (error) {
    console.error(error)
    console.error(server.output)
    failed += 1
  } finally {
    await server.kill()
    graph.close()
  }
  return { passed, failed }
}

const dataDir = await mkdtemp(join(tmpdir(), 'recado-crash-'))
console.log(`${rounds} × ${load.webhooks} webhooks and ${load.sends} sends, --seed ${seed}`)
const { passed, failed } = await play(dataDir)
if (failed) console.log(`The data of this run stay in ${dataDir}`)
else await rm(dataDir, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
