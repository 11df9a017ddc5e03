import t from 'tap'
import { createAnnouncing } from '#server/features/bulk-sends/sending/announcing.ts'
import type { StoredSend } from '#server/features/bulk-sends/stored-send.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { keptLog } from '#test/helpers/log.ts'
import { keptWrites } from '#test/helpers/writes.ts'

t.test('a waiting announcement is not requested again, unless the clock was set back meanwhile', async t => {
  const databases = await freshDatabases()
  const clock = handClock()
  const writes = keptWrites({ databases, clock })
  const jobs = createJobs({ databases, writes, clock, log: keptLog(), ids: newId })
  const { ask } = createAnnouncing({ clock, jobs })
  const announcedAt = clock.now().toISOString()
  /** Returns how many jobs a change adds. Another process takes them at once. */
  const added = async () => {
    await writes.tell('o', write => ask(write, { id: 's', announcedAt } as StoredSend))
    return (await databases.write.deleteFrom('job').returning('unique_key').execute()).length
  }
  t.equal(await added(), 1)
  t.equal(await added(), 0)
  clock.advance(-3_600_000)
  t.equal(await added(), 1)
  clock.advance(3_601_000)
  t.equal(await added(), 1)
})
