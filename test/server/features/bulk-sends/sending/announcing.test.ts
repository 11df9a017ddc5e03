import t from 'tap'
import { createAnnouncing } from '#server/features/bulk-sends/sending/announcing.ts'

t.test('a waiting announcement is not requested again, unless the clock was set back meanwhile', async t => {
  let ms = Date.parse('2026-11-20T13:05:00.000Z')
  let added = 0
  const jobs = {
    register: () => ({
      add: async () => {
        added += 1
        return 1
      },
      wake: () => undefined,
    }),
  }
  const { ask } = createAnnouncing({ clock: { now: () => new Date(ms) }, jobs } as never)
  const announcedAt = new Date(ms).toISOString()
  const write = { db: undefined, orgId: 'o', afterCommit: (work: () => void) => work() }
  const askOnce = () => ask(write as never, { id: 's', announcedAt } as never)
  await askOnce()
  await askOnce()
  t.equal(added, 1)
  ms -= 3_600_000
  await askOnce()
  t.equal(added, 2)
  ms += 3_601_000
  await askOnce()
  t.equal(added, 3)
})
