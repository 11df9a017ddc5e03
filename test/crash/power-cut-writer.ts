/** Writes webhooks to the journal in groups and prints which were answered: the traced half of `power-cut.ts`. */
import { writeSync } from 'node:fs'
import { createJournal } from '#server/messaging/intake/journal.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { systemClock } from '#server/platform/time/clock.ts'

const [path, way, groups] = process.argv.slice(2) as [string, string, string]
const perGroup = 5
const databases = openDatabase(path, way === 'forced' ? {} : { forceToDisk: async () => {} })
const journal = createJournal({ databases, clock: systemClock })
for (let group = 0; group < Number(groups); group += 1)
  await Promise.all(
    Array.from({ length: perGroup }, async (_, n) => {
      const name = `webhook-${group * perGroup + n}`
      await journal.append({ connectionId: null, raw: Buffer.from(name) })
      writeSync(1, `ack ${name}\n`)
    }),
  )
// No orderly end, as in a power cut.
process.kill(process.pid, 'SIGKILL')
