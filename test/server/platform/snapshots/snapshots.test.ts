import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { examineSnapshots } from '#server/cli/examine/snapshots.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import type { Letter } from '#server/platform/mail/mail.ts'
import { createSnapshots, type Taken } from '#server/platform/snapshots/snapshots.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { keptLog } from '#test/helpers/log.ts'
import { keptWrites } from '#test/helpers/writes.ts'

const hourMs = 3_600_000

const stage = async (t: { teardown(end: () => void): void }, keep = 2) => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-snapshots-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const databases = await freshDatabases()
  const clock = handClock()
  const log = keptLog()
  const writes = keptWrites({ databases, clock, log })
  const jobs = createJobs({ databases, clock, ids: newId, log, writes })
  const letters: Letter[] = []
  const outcomes: Taken[] = []
  const taking = { begin: () => {}, isHeld: false }
  const snapshots = createSnapshots({
    databases,
    clock,
    log,
    ids: newId,
    jobs,
    folder: join(folder, 'snapshots'),
    keep,
    mail: { send: async letter => void letters.push(letter) },
    async take(file, signal) {
      if (taking.isHeld) {
        writeFileSync(file, 'half')
        await new Promise<void>(resolve => {
          signal.addEventListener('abort', () => resolve())
          taking.begin()
        })
        return { fault: 'failed', reason: 'it was ended' }
      }
      const outcome = outcomes.shift() ?? { bytes: 10, rows: 7 }
      writeFileSync(file, 'backup')
      return outcome
    },
    listAdmins: async () => ['ada@example.com'],
    letterOf: (to, fault, lastGood) => ({ to, subject: fault, text: lastGood ?? 'none' }),
  })
  await snapshots.start()
  jobs.start()
  t.teardown(() => jobs.stop())
  /** Advances to the next night, or to what is due first. */
  const night = async (ms = 25 * hourMs) => {
    clock.advance(ms)
    await jobs.idle()
  }
  const files = () => {
    const path = join(folder, 'snapshots')
    return existsSync(path) ? readdirSync(path).sort() : []
  }
  const doctor = () => examineSnapshots({ dataDir: folder, snapshots: keep }, databases, clock)
  return { snapshots, jobs, clock, log, letters, outcomes, taking, night, files, doctor, databases, folder }
}

t.test('each night a backup is made, and the oldest is deleted after the newest is complete', async t => {
  const s = await stage(t)
  t.same(await s.snapshots.state(), { last: undefined, lastGood: undefined })
  t.match(await s.doctor(), { says: 'the first one is made tonight', fix: undefined })
  for (let nights = 0; nights < 4; nights += 1) await s.night()
  t.equal(s.files().length, 2)
  const state = await s.snapshots.state()
  t.match(state, { last: { failure: null, rows: 7, bytes: 10 }, lastGood: { file: s.files().at(-1) } })
  t.match(await s.doctor(), { says: /7 rows, opened and counted$/, fix: undefined })
  t.same(s.letters, [])
  s.clock.advance(3 * 24 * hourMs)
  t.match(await s.doctor(), { says: /none since/, fix: /npm run backup/ })
})

t.test('an unusable backup leaves the good ones, is retried, and is mailed once a day', async t => {
  const s = await stage(t)
  await s.night()
  const [good] = s.files()
  for (let tries = 0; tries < 30; tries += 1) s.outcomes.push({ fault: 'damaged', reason: 'a row is missing' })
  await s.night()
  t.same(s.files(), [good], 'a damaged backup is deleted')
  t.match(s.letters, [{ to: 'ada@example.com', subject: 'damaged', text: /^\d{4}-/ }])
  for (let hours = 0; hours < 5; hours += 1) await s.night(hourMs + 60_000)
  t.equal(s.letters.length, 1, 'no mail every hour')
  t.match(await s.snapshots.state(), { last: { failure: 'damaged' }, lastGood: { file: good } })
  t.match(await s.doctor(), { says: /the one after it failed: damaged/, fix: 'look into the log' })
  for (let hours = 0; hours < 21; hours += 1) await s.night(hourMs + 60_000)
  t.equal(s.letters.length, 2, 'and again the next day')
  s.outcomes.length = 0
  await s.night(2 * hourMs)
  t.match(await s.snapshots.state(), { last: { failure: null } })
})

t.test('a backup ended by a stop is not a failure: it is made at the next start', async t => {
  const s = await stage(t)
  await s.night()
  const [good] = s.files()
  const began = new Promise<void>(resolve => {
    Object.assign(s.taking, { begin: resolve, isHeld: true })
  })
  s.clock.advance(25 * hourMs)
  s.jobs.wake()
  await began
  await s.jobs.stop()
  t.same(s.letters, [])
  t.same(s.files(), [good])
  t.match(await s.snapshots.state(), { last: { failure: null, file: good } })
  const rows = await s.databases.read.selectFrom('job').select(['kind', 'state']).execute()
  t.match(rows, [{ kind: 'snapshots.nightly', state: 'waiting' }], 'it waits for the next start')
})

t.test('an unwritable folder is a failure like every other', async t => {
  const s = await stage(t)
  writeFileSync(join(s.folder, 'snapshots'), 'a file where the folder should be')
  await s.night()
  t.match(s.letters, [{ subject: 'failed', text: 'none' }])
  t.match(await s.snapshots.state(), { last: { failure: 'failed' }, lastGood: undefined })
  rmSync(join(s.folder, 'snapshots'))
  await s.night(hourMs + 60_000)
  t.match(await s.snapshots.state(), { last: { failure: null }, lastGood: { rows: 7 } })
})

t.test('unfinished files of a killed process are deleted before the next backup', async t => {
  const s = await stage(t)
  await s.night()
  writeFileSync(join(s.folder, 'snapshots', 'recado-x.backup.1f.part'), 'half')
  await s.night()
  t.notOk(s.files().some(name => name.endsWith('.part')))
})

t.test('no backup is made if none are kept', async t => {
  const s = await stage(t, 0)
  await s.night()
  t.equal(await s.snapshots.state(), undefined)
  t.same(s.files(), [])
  t.match(await s.doctor(), { says: /SNAPSHOTS=0/ })
})
