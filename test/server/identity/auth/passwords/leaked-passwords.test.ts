import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLeakedPasswords, requirePasswordList } from '#server/identity/auth/passwords/leaked-passwords.ts'
import { anInstallation, newestCode } from '#test/helpers/sign-in.ts'

const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

/** A file with this text, deleted after the test. */
const fileOf = (t: Test, text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-leaked-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'list.txt')
  writeFileSync(path, text)
  return path
}
const listOf = (passwords: readonly string[], line: (hash: string, at: number) => string, end: string): string =>
  passwords.map(hashOf).sort().map(line).join(end) + end

t.test('every password of a list is found, and no other', async t => {
  const passwords = Array.from({ length: 200 }, (_, n) => `filtrada ${n} ñandú`)
  const forms: [string, (hash: string, at: number) => string, string][] = [
    ['with counts, as they are given out', (hash, at) => `${hash}:${at ** 3}`, '\r\n'],
    ['alone', hash => hash, '\n'],
    ['in small letters', hash => hash.toLowerCase(), '\n'],
  ]
  for (const [name, line, end] of forms) {
    const text = listOf(passwords, line, end)
    for (const whole of [text, text.trimEnd()]) {
      const path = fileOf(t, whole)
      await requirePasswordList(path)
      const leaked = createLeakedPasswords(path)
      for (const password of passwords) if (!(await leaked.has(password))) t.fail(`${name}: ${password}`)
      for (let n = 0; n < 60; n += 1) if (await leaked.has(`propia ${n}`)) t.fail(`${name}: propia ${n}`)
      t.pass(name)
    }
  }
  const one = createLeakedPasswords(fileOf(t, hashOf('sola')))
  t.same([await one.has('sola'), await one.has('otra')], [true, false])
  t.equal(await createLeakedPasswords(fileOf(t, '')).has('nada'), false)
})

t.test('a file that is not such a list stops the start with an error', async t => {
  await requirePasswordList(undefined)
  const sorted = [hashOf('a'), hashOf('b')].sort()
  for (const text of ['', '123456\nqwerty\n', `${sorted[1]}\n${sorted[0]}\n`])
    await t.rejects(requirePasswordList(fileOf(t, text)), /is not a list of hashes: set PASSWORD_LIST/)
  await t.rejects(requirePasswordList('/nowhere/list.txt'), /cannot be read: set PASSWORD_LIST/)
})

t.test('a leaked password is refused beside its field, and nothing is changed', async t => {
  const leaked = 'mate amargo al alba'
  const PASSWORD_LIST = fileOf(
    t,
    listOf([leaked, 'otra cosa'], hash => `${hash}:3`, '\r\n'),
  )
  const backend = await anInstallation({ env: { SIGNUP: 'open', PASSWORD_LIST } })
  t.teardown(backend.end)
  const cookie = await backend.signIn('ana@example.com')
  const ask = (method: 'PUT' | 'POST', path: string, payload: object) =>
    backend.app.inject({
      method,
      url: `/api/account/password${path}`,
      headers: { cookie, 'accept-language': 'es' },
      payload,
    })
  await ask('POST', '/code', {})
  const code = newestCode(backend.letters())
  const refused = await ask('PUT', '', { username: 'ana', password: leaked, code })
  t.match(refused.json(), {
    statusCode: 400,
    code: 'AUTH_PASSWORD_LEAKED',
    details: [{ field: 'body.password', message: /filtradas/ }],
  })
  const taken = await ask('PUT', '', { username: 'ana', password: 'tres medialunas y un cortado', code })
  t.equal(taken.statusCode, 200, 'the code is still valid')
})
