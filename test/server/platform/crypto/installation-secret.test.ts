import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { deriveKey, openSecrets } from '#server/platform/crypto/installation-secret.ts'

const place = (t: Test) => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'recado-secret-')), 'data')
  t.teardown(() => rmSync(join(dataDir, '..'), { recursive: true }))
  const warnings: string[] = []
  const log = { warn: (_facts: object, text: string) => warnings.push(text) } as never
  return {
    dataDir,
    path: join(dataDir, 'secret'),
    warnings,
    open: (authSecret?: string) => openSecrets({ config: { authSecret, dataDir }, log }).secret,
    openAll: (authSecret?: string, previousSecrets: string[] = []) =>
      openSecrets({ config: { authSecret, previousSecrets, dataDir }, log }),
  }
}

t.test('the secret is made once, for its owner only, and stays the same', async t => {
  const { open, path, dataDir } = place(t)
  const secret = open()
  t.match(secret, /^[\w-]{64}$/)
  t.equal(open(), secret)
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.equal(statSync(dataDir).mode & 0o777, 0o700)
  t.same(readdirSync(dataDir), ['secret'], 'no temporary files are left')
  t.not(place(t).open(), secret)
})

t.test('AUTH_SECRET has priority and writes nothing', async t => {
  const { open, dataDir } = place(t)
  t.equal(open('given-by-the-operator-0123456789abc'), 'given-by-the-operator-0123456789abc')
  t.throws(() => readdirSync(dataDir))
})

t.test('further lines of the file, and AUTH_SECRET_PREVIOUS, are earlier secrets', async t => {
  const { open, openAll, path } = place(t)
  const before = open()
  const now = 'the-new-secret-of-today-0123456789'
  writeFileSync(path, `${now}\n\n${before}\n`)
  t.same(openAll(), { secret: now, previous: [before] })
  t.same(openAll(now, [before]), { secret: now, previous: [before] })
  writeFileSync(path, `${now}\nshort\n`)
  t.throws(() => openAll(), /no usable secret/)
})

t.test('a secret that others could read gets mode 600, with a warning', async t => {
  const { open, path, warnings } = place(t)
  const secret = open()
  chmodSync(path, 0o644)
  t.equal(open(), secret)
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.equal(warnings.length, 1)
})

t.test('a short secret, a folder or a link in its place stop the start', async t => {
  const { open, path, dataDir } = place(t)
  mkdirSync(dataDir)
  writeFileSync(path, 'short\n', { mode: 0o600 })
  t.throws(open, /no usable secret/)
  t.equal(readFileSync(path, 'utf8'), 'short\n', 'it is left as it is for the operator')
  rmSync(path)
  symlinkSync('/etc/hostname', path)
  t.throws(open, /not a plain file/)
})

t.test('keys of different purposes have nothing in common', async t => {
  t.not(deriveKey('s', 'a').toString('hex'), deriveKey('s', 'b').toString('hex'))
  t.equal(deriveKey('s', 'a').length, 32)
})
