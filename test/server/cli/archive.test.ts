import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { BrokenArchive, readArchive, writeArchive } from '#server/cli/archive.ts'

t.test('one file of an archive is taken out without reading what follows it', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-archive-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)
  writeFileSync(at('first'), 'what is wanted')
  writeFileSync(at('second'), randomBytes(1_000_000))
  await writeArchive(at('whole'), [
    { path: 'first', from: at('first') },
    { path: 'second', from: at('second') },
  ])
  const whole = readFileSync(at('whole'))
  writeFileSync(at('cut'), whole.subarray(0, whole.length / 2))
  await t.rejects(readArchive(at('cut')), BrokenArchive)
  t.match(await readArchive(at('cut'), at('out'), 'first'), [{ path: 'first' }])
  t.equal(readFileSync(at('out/first'), 'utf8'), 'what is wanted')
  await t.rejects(readArchive(at('whole'), at('out'), 'third'), { message: /has no third/ })
})
