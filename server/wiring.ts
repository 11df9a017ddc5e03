import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { countUntakenItems, countWebhooksPutAside, oldestUnapplied } from '#server/messaging/intake/journal.ts'
import { createTakers } from '#server/messaging/intake/takers.ts'
import { resealColumn } from '#server/platform/crypto/reseal-store.ts'
import type { EncryptedColumn } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { readDatabaseBytes } from '#server/platform/db/size-store.ts'
import { orderListeners } from '#server/platform/events/listener-order.ts'
import { baseChores, createBase } from '#server/platform/wiring/base.ts'
import { buildFeatures } from '#server/platform/wiring/build.ts'
import type { Contributions, Feature, Parts, Services } from '#server/platform/wiring/feature.ts'
import { replaceCalls } from '#server/platform/wiring/replacing.ts'
import type { World } from '#server/platform/wiring/world.ts'
import { createMaintenance } from '#server/platform/work/maintenance.ts'
import { collectWantedFields } from '#server/whatsapp/webhooks/subscriptions.ts'
import { api } from '#shared/api.ts'
import { features } from './features.ts'

export type { World } from '#server/platform/wiring/world.ts'
export type Backend = ReturnType<typeof compose>

const list: readonly Feature[] = features

/** Every column whose values are encrypted with the installation's secret, except those that expire within minutes. */
export const encryptedColumns: readonly EncryptedColumn[] = list.flatMap(feature => feature.encryptedColumns ?? [])

/** The fields of WhatsApp's webhooks that an app has to be subscribed to. */
export const wantedFields = collectWantedFields(list)

/** True if the database has anything that only opens with the installation's secret. */
export const hasSealedRows = async (db: Db): Promise<boolean> => {
  for (const feature of list) if (await feature.hasSealedRows?.(db)) return true
  return false
}

/** Builds the features and connects what they contribute. Nothing runs until `start`. */
export function compose(world: World) {
  const base = createBase(world)
  const { parts, contributions } = buildFeatures(list, base, all => ({
    wantedFields,
    webhookTakers: createTakers(
      all.flatMap(({ takers = [] }) => takers),
      wantedFields.all,
    ),
  }))
  for (const listener of orderListeners(contributions.flatMap(({ listeners = [] }) => listeners)))
    base.listeners.inTransaction(listener)
  const chores = [...contributions.flatMap(one => one.chores ?? []), ...baseChores(base)]
  const maintenance = createMaintenance({ ...base, chores })
  const reseal = () => sealAgain(parts)
  const { services, contracts } = replaceCalls(collectServices(contributions), api, contributions)

  return {
    ...parts,
    ...healthOf(parts),
    services,
    contracts,
    routes: contributions.flatMap(({ routes }) => routes ?? []),
    maintenance,
    reseal,
    once: base.idempotency.once,
    /** Picks up what an earlier process left, then keeps going. Call it once the server listens. */
    start() {
      base.jobs.start()
      for (const one of contributions) one.start?.()
      void maintenance.start()
      void reseal()
    },
    /** Finishes the work under way. The rest are rows, with which the next start continues. */
    async stop() {
      await Promise.all([...contributions.map(one => one.stop?.()), base.jobs.stop()])
    },
  }
}

/** @throws when two features give the same service, or none gives one that `shared/api.ts` lists. */
const collectServices = (contributions: readonly Contributions[]): Services => {
  const services: Record<string, unknown> = {}
  for (const [name, service] of contributions.flatMap(one => Object.entries(one.services ?? {}))) {
    if (name in services) throw new Error(`Two features give the service "${name}"`)
    services[name] = service
  }
  const missing = Object.keys(api).filter(name => !(name in services))
  if (missing.length) throw new Error(`No feature gives these services: ${missing.join(', ')}`)
  return services as unknown as Services
}

/** After the secret was changed, encrypts values of earlier secrets with the new one. */
const sealAgain = async ({ databases, log, secrets, vault }: Parts): Promise<void> => {
  if (!secrets.previous.length) return
  try {
    for (const column of encryptedColumns) {
      const { resealed, unreadable } = await resealColumn(databases, vault, column)
      const { table, column: name } = column
      if (resealed) log.info({ table, column: name, resealed }, 'values were encrypted again with the new secret')
      if (unreadable)
        log.warn({ table, column: name, unreadable }, 'values cannot be decrypted with any configured secret')
    }
  } catch (error) {
    log.error({ err: error }, 'values could not be encrypted again; the next start continues')
  }
}

/** The figures of `/readyz` and `/metrics`. */
const healthOf = ({ config, databases, jobs, snapshots, writes }: Parts) => ({
  /** Free bytes on the disk of the database; where another server has it, on the disk of files and mail. */
  freeBytes: async () => {
    const { bavail, bsize } = await statfs(config.postgres ? config.dataDir : dirname(config.databasePath))
    return bavail * bsize
  },
  /** The oldest waiting row of each kind fell due at this time; undefined: none waits. */
  oldestWaiting: async () => ({
    journal: await oldestUnapplied(databases.read),
    ...Object.fromEntries((await jobs.health()).map(({ kind, oldestDueAt }) => [kind, oldestDueAt ?? undefined])),
  }),
  databaseBytes: () => readDatabaseBytes(databases.read),
  /** WhatsApp's webhooks that are stored and not applied. */
  journalState: async () => ({
    oldestAt: await oldestUnapplied(databases.read),
    putAside: { ...(await countWebhooksPutAside(databases.read)) },
  }),
  /** Jobs left by a clock that was ahead. */
  farAhead: () => jobs.farAhead(),
  /** The state of the nightly backups; undefined: there are none. */
  snapshotState: async () => {
    const state = await snapshots.state()
    return state && { lastGoodAt: state.lastGood?.beganAt ?? null, failure: state.last?.failure ?? null }
  },
  /** Work under way and work put aside: by kind of job, by name of a webhook's part, by listener. */
  workCounts: async () => ({
    jobs: Object.fromEntries((await jobs.health()).map(({ kind, oldestDueAt: _at, ...counts }) => [kind, counts])),
    webhooksPutAside: { ...(await countWebhooksPutAside(databases.read)) },
    untakenWebhooks: Object.fromEntries(await countUntakenItems(databases.read)),
    failedListeners: Object.fromEntries(writes.failures()),
  }),
})
