import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Clock } from '#server/platform/time/clock.ts'

const dayMs = 86_400_000
/** One night may be missed, because the machine was off. */
const lateMs = 2 * dayMs

/** Says when the newest usable backup was made, or what to do without one. */
export async function examineSnapshots(
  { dataDir, snapshots }: Pick<Config, 'dataDir' | 'snapshots'>,
  { read }: Databases,
  clock: Clock,
): Promise<{ says: string; fix?: string }> {
  if (snapshots === 0) return { says: 'none are made at night: SNAPSHOTS=0' }
  const { findLast, listUsable } = await import('#server/platform/snapshots/store.ts')
  const [good] = await listUsable(read)
  const last = await findLast(read)
  const byHand = 'npm run backup -- FILE'
  if (!good)
    return last?.failure
      ? {
          says: `the nightly one failed (${last.failure}) and there is no other`,
          fix: `look into the log, then ${byHand}`,
        }
      : { says: 'the first one is made tonight' }
  const path = join(dataDir, 'snapshots', good.file as string)
  if (!existsSync(path)) return { says: `${path} is gone`, fix: byHand }
  const says = `${path}, ${good.rows} rows, opened and counted`
  if (last?.failure) return { says: `${says}; the one after it failed: ${last.failure}`, fix: 'look into the log' }
  const isLate = clock.now().getTime() - Date.parse(good.beganAt) > lateMs
  return isLate ? { says: `${says}, but none since`, fix: `leave the server on at night, or ${byHand}` } : { says }
}
