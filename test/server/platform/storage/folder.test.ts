import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createFolderStorage } from '#server/platform/storage/folder.ts'
import { countFiles, storageConforms } from './conformance.ts'

storageConforms(t, async t => {
  const folder = join(t.testdir(), 'files')
  return { storage: createFolderStorage(folder), leftovers: () => countFiles(join(folder, '.partial')) }
})

t.test('an unfinished file of another process is deleted if it was not changed since', async t => {
  const folder = t.testdir()
  const desk = join(folder, '.partial')
  await mkdir(desk)
  for (const [name, seconds] of [
    ['old', 1_000],
    ['new', 9_000],
  ] as const) {
    await writeFile(join(desk, name), 'half')
    await utimes(join(desk, name), seconds, seconds)
  }
  const storage = createFolderStorage(folder)
  await storage.sweep(5_000_000)
  t.equal(await countFiles(desk), 1)
  await storage.sweep()
  t.equal(await countFiles(desk), 0)
})
