import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { FileStorage } from '#server/platform/storage/storage.ts'

export async function* chunksOf(bytes: Buffer, size = 64 * 1024): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const contentOf = async (storage: FileStorage, path: string, range?: { start: number; end: number }) => {
  const file = await storage.read(path, range)
  return file && buffer(file)
}

const pathsOf = async (storage: FileStorage) => {
  const paths: string[] = []
  for await (const page of storage.list()) paths.push(...page.map(({ path }) => path))
  return paths.sort()
}

/** What every file storage must do. `leftovers`: files left by unfinished writes. */
export function storageConforms(
  t: Test,
  open: (t: Test) => Promise<{ storage: FileStorage; leftovers(): Promise<number> }>,
): void {
  t.test('a written file is read back, whole and in part, with its facts', async t => {
    const { storage } = await open(t)
    // Empty, less than a part of an upload, exactly two parts, and a little more.
    for (const size of [0, 1, 70_000, 10 * 1024 * 1024, 11 * 1024 * 1024]) {
      const bytes = randomBytes(size)
      const { createHash } = await import('node:crypto')
      const file = await storage.write('org/00/file', chunksOf(bytes, 300_000))
      t.strictSame(
        { ...file, head: file.head.equals(bytes.subarray(0, 1024)) },
        { path: 'org/00/file', size, sha256: createHash('sha256').update(bytes).digest('hex'), head: true },
        `${size} bytes`,
      )
      t.ok((await contentOf(storage, 'org/00/file'))?.equals(bytes), `${size} bytes come back`)
      if (size < 1000) continue
      const part = await contentOf(storage, 'org/00/file', { start: 500, end: size - 2 })
      t.ok(part?.equals(bytes.subarray(500, size - 1)), 'both ends included')
    }
  })

  t.test('a broken stream and a refused file leave nothing, and the file before unchanged', async t => {
    const { storage, leftovers } = await open(t)
    await storage.write('org/00/file', chunksOf(Buffer.from('before')))
    for (const size of [10, 12 * 1024 * 1024]) {
      const bytes = randomBytes(size)
      const broken = async function* () {
        yield* chunksOf(bytes)
        throw new Error('the caller left')
      }
      await t.rejects(storage.write('org/00/file', broken()), { message: 'the caller left' })
      const refuse = () => {
        throw new Error('no such kind')
      }
      await t.rejects(storage.write('org/00/file', chunksOf(bytes), refuse), { message: 'no such kind' })
      await t.rejects(storage.write('org/00/other', broken()), { message: 'the caller left' })
      t.equal(await leftovers(), 0)
    }
    t.equal(String(await contentOf(storage, 'org/00/file')), 'before')
    t.same(await pathsOf(storage), ['org/00/file'])
  })

  t.test('a missing file reads as undefined, is missing as a blob, and can be removed', async t => {
    const { storage } = await open(t)
    t.equal(await contentOf(storage, 'org/00/file'), undefined)
    t.equal(await storage.withBlob('org/00/file', async () => t.fail('there is none')), 'missing')
    await storage.remove('org/00/file')
    await storage.removeBelow('org')
    t.same(await pathsOf(storage), [])
  })

  t.test('a blob has the length and the bytes, and can be read repeatedly', async t => {
    const { storage } = await open(t)
    const bytes = randomBytes(200_000)
    await storage.write('org/00/file', chunksOf(bytes))
    const answer = await storage.withBlob('org/00/file', async blob => {
      t.equal(blob.size, bytes.length)
      for (const _ of [1, 2]) t.ok(Buffer.from(await blob.arrayBuffer()).equals(bytes))
      return 'used'
    })
    t.equal(answer, 'used')
  })

  t.test('removing an organization’s files leaves others', async t => {
    const { storage } = await open(t)
    const kept = ['orgs/aa/one', 'other/bb/two']
    for (const path of [...kept, ...Array.from({ length: 8 }, (_, i) => `org/${i}${i}/file`)])
      await storage.write(path, chunksOf(Buffer.from(path)))
    await storage.removeBelow('org')
    t.same(await pathsOf(storage), kept)
    await storage.remove('other/bb/two')
    t.same(await pathsOf(storage), ['orgs/aa/one'])
  })

  t.test('a list has the time of each file', async t => {
    const { storage } = await open(t)
    const before = Date.now() - 5_000
    await storage.write('logo.png', chunksOf(Buffer.from('logo')))
    for await (const page of storage.list())
      for (const { modifiedMs } of page) t.ok(modifiedMs > before && modifiedMs < before + 600_000)
  })

  t.test('no path leads outside', async t => {
    const { storage } = await open(t)
    for (const path of ['../secret', 'a/../../secret', '/etc/passwd', 'a//b', '', 'a/', '.partial/x', 'a\\b', 'a?b']) {
      await t.rejects(storage.read(path), /leads outside/, path)
      await t.rejects(storage.write(path, chunksOf(Buffer.from('x'))), /leads outside/)
      await t.rejects(storage.remove(path), /leads outside/)
      await t.rejects(storage.removeBelow(path), /leads outside/)
    }
  })
}

export const countFiles = async (folder: string): Promise<number> =>
  (await stat(folder).catch(() => undefined)) ? (await readdir(folder)).length : 0
