import { join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { type Finding, guarded, ill, type Verdict, well } from './finding.ts'
import { setClock } from './machine.ts'
import { examineNumbers, serverSecrets } from './numbers.ts'
import { examineSnapshots } from './snapshots.ts'

const examineSecret = async (config: Config, { read }: Databases): Promise<Verdict> => {
  const { checkSecretBelongs } = await import('#server/identity/auth/secret-check.ts')
  const { hasSealedRows } = await import('#server/wiring.ts')
  await checkSecretBelongs({ config, db: read, hasSealedRows })
  return well(config.authSecret ? 'AUTH_SECRET' : join(config.dataDir, 'secret'))
}

const examineMigrations = async ({ read }: Databases): Promise<Verdict> => {
  const { pendingMigrations, refuseUnknownMigrations } = await import('#server/platform/db/migrate.ts')
  await refuseUnknownMigrations(read)
  const pending = await pendingMigrations(read)
  return pending.length ? ill(`${pending.length} to run: ${pending.join(', ')}`, 'npm start') : well('current')
}

const clockToleranceMs = 5 * 60 * 1000

/** If the clock was set back, new messages sort before old ones. */
const examineOrder = async ({ read }: Databases, clock: Clock): Promise<Verdict> => {
  const last = await read
    .selectFrom('webhook_journal')
    .select('received_at')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return well('no webhook came yet')
  const says = `the last one came at ${last.received_at}`
  return last.received_at > isoIn(clock, clockToleranceMs) ? ill(`${says}, in the future`, setClock) : well(says)
}

const lateMs = 10 * 60 * 1000
const secondsOf = (ms: number) => Math.max(0, Math.floor(ms / 1000))

/** The oldest due row of each kind shows whether work is stuck. Rows of a stopped server wait, too. */
const examineWaiting = async ({ read }: Databases, clock: Clock): Promise<Verdict> => {
  const { oldestUnapplied } = await import('#server/messaging/intake/journal.ts')
  const { listOldestDue } = await import('#server/platform/jobs/rows/health-store.ts')
  const found: { kind: string; at: string | undefined }[] = [
    { kind: 'webhooks', at: await oldestUnapplied(read) },
    ...(await listOldestDue(read, isoNow(clock))),
  ]
  const now = clock.now().getTime()
  const waits = found.flatMap(({ kind, at }) =>
    at && Date.parse(at) <= now ? [{ kind, ms: now - Date.parse(at) }] : [],
  )
  if (!waits.length) return well('nothing')
  const says = waits.map(({ kind, ms }) => `${kind} ${secondsOf(ms)} s`).join(', ')
  return waits.some(({ ms }) => ms > lateMs)
    ? ill(says, 'npm start; where it runs already, its log tells why')
    : well(says)
}

/** Rows that a clock that ran ahead has left. A running server corrects those that could hold up work. */
const examineClock = async ({ read }: Databases, clock: Clock): Promise<Verdict> => {
  const { countFarAhead } = await import('#server/platform/jobs/rows/health-store.ts')
  const { pauses, processes } = await countFarAhead(read, { clock, kinds: [] })
  if (!pauses && !processes) return well('nothing lies further ahead than it may')
  const says = [
    ...(pauses ? [`pauses of numbers: ${pauses}`] : []),
    ...(processes ? [`processes last seen later than now: ${processes}`] : []),
  ]
  return ill(`further ahead than it may be: ${says.join(', ')}`, setClock)
}

/** Jobs and webhooks that were put aside. Parts of webhooks that no feature takes are kept for a version that does. */
const examinePutAside = async ({ read }: Databases): Promise<Verdict> => {
  const { countUntaken } = await import('#server/messaging/intake/untaken-store.ts')
  const { countPutAside } = await import('#server/messaging/intake/store.ts')
  const { countParkedJobs } = await import('#server/platform/jobs/rows/health-store.ts')
  const list = (counts: ReadonlyMap<string, number>, what: string) =>
    counts.size ? [`${what}: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}`] : []
  const webhooks = await countPutAside(read)
  const faults = [
    ...(webhooks.failed ? [`webhooks that could not be applied: ${webhooks.failed}`] : []),
    ...list(await countParkedJobs(read), 'jobs put aside'),
  ]
  const says = [
    ...faults,
    ...(webhooks.unknownNumber ? [`webhooks of numbers that are not connected: ${webhooks.unknownNumber}`] : []),
    ...list(await countUntaken(read), 'webhooks kept for a newer version'),
  ].join('; ')
  if (!says) return well('nothing')
  return faults.length
    ? ill(says, 'look in the log of that time for the reason; a newer version may take them: git pull && npm start')
    : well(says)
}

const readAgainStatement =
  'insert into conversation_segment_due (conversation_id, org_id) select id, org_id from conversation on conflict do nothing'

/** Compares the counted segments with the messages of the conversations that were written in last. */
const examineSegments = async (databases: Databases, clock: Clock): Promise<Verdict> => {
  const { checkSegments } = await import('#server/features/stats/segments/checking.ts')
  const { conversations, different, isBehind } = await checkSegments(databases.read, clock.now().getTime())
  if (different.length)
    return ill(
      `${different.length} of ${conversations} conversations are counted otherwise than their messages say`,
      `run this in the database, and restart: ${readAgainStatement}`,
    )
  const { checkPacks } = await import('#server/features/stats/packs/checking.ts')
  const packs = await checkPacks(databases)
  if (packs.different.length)
    return ill(
      `${packs.different.length} of ${packs.days} packed days differ from their segments`,
      'run this in the database, and restart: update conversation_segment_pack set data = null',
    )
  return well(
    `${conversations} conversations compared, ${packs.days} packed days${isBehind ? '; a running server is still counting others' : ''}`,
  )
}

/** Checks the contents of a database of either engine. */
export async function* examineContents(config: Config, databases: Databases, clock: Clock): AsyncGenerator<Finding> {
  yield await guarded('Secret', () => examineSecret(config, databases))
  const migrations = await guarded('Migrations', () => examineMigrations(databases))
  yield migrations
  if (migrations.fix) return
  yield { name: 'Webhooks', ...(await examineOrder(databases, clock)) }
  yield await guarded('Waiting', () => examineWaiting(databases, clock))
  yield await guarded('Far ahead', () => examineClock(databases, clock))
  yield await guarded('Put aside', () => examinePutAside(databases))
  yield await guarded('Statistics', () => examineSegments(databases, clock))
  yield await guarded('Backups', () => examineSnapshots(config, databases, clock))
  yield* examineNumbers(config, databases, clock)
  if (config.upstreamUrl === undefined) return
  const { examineUpstream } = await import('./upstream.ts')
  yield* examineUpstream(config, databases, clock, serverSecrets(config))
}
