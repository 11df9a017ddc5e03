import { newId } from '#server/platform/crypto/ids.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { listToPack, type SegmentPosition } from '../cohort-store.ts'
import { countedSegment } from '../figures/segment-facts.ts'
import { createPacker, type Pack } from './encoding.ts'
import { listUnpacked, type PackKey, savePack, setPackToken } from './store.ts'

const dayMs = 86_400_000
/** Yesterday's and today's segments change with every message, so packing them would be in vain. */
const packedAfterDays = 1
const daysPerRun = 20
const rowsPerStatement = 1_000

/** Undefined: no segment began on that day. */
export const packDay = async (
  { read, turn }: Pick<Databases, 'read' | 'turn'>,
  key: PackKey,
): Promise<Pack | undefined> => {
  const packer = createPacker(Date.parse(key.day))
  for (let after: SegmentPosition | undefined; ; ) {
    const rows = await listToPack(read, key, { after, limit: rowsPerStatement })
    for (const row of rows) packer.add(countedSegment(row))
    await turn.giveWay()
    after = rows.at(-1)
    if (rows.length < rowsPerStatement) return packer.size ? packer.finish() : undefined
  }
}

const firstUnpackedDay = (now: number): string => new Date(now - packedAfterDays * dayMs).toISOString().slice(0, 10)

export const isAnyUnpacked = async (db: Db, now: number): Promise<boolean> =>
  (await listUnpacked(db, { before: firstUnpackedDay(now), limit: 1 })).length > 0

/**
 * Packs past days whose segments have changed. Returns whether more may be left. The rows are read outside a transaction:
 * a token that any change of the day clears tells whether they are still the same when the pack is stored.
 */
export async function packDays(databases: Databases, now: number): Promise<boolean> {
  const keys = await listUnpacked(databases.read, { before: firstUnpackedDay(now), limit: daysPerRun })
  if (!keys.length) return false
  const token = newId()
  await inTransaction(databases, trx => setPackToken(trx, keys, token), { isForMany: true })
  for (const key of keys) {
    const pack = await packDay(databases, key)
    await inTransaction(databases, trx => savePack(trx, key, token, pack), { isForMany: true })
  }
  return keys.length === daysPerRun
}
