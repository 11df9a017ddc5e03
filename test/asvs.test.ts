/** Checks that `test/asvs.md` lists every requirement of OWASP ASVS, and that what it names exists. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '#test/helpers/sources.ts'

/** The sections of version 5.0.0. The nth digit is the level of the nth requirement. Level 3 is not covered. */
const levels: Readonly<Record<string, string>> = {
  '1.1': '22',
  '1.2': '1111122223',
  '1.3': '112222222223',
  '1.4': '222',
  '1.5': '123',
  '2.1': '122',
  '2.2': '112',
  '2.3': '12223',
  '2.4': '23',
  '3.2': '113',
  '3.3': '12223',
  '3.4': '11222233',
  '3.5': '11122333',
  '3.7': '22333',
  '4.1': '12233',
  '4.2': '23333',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112333',
  '5.3': '113',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '11223333',
  '6.4': '112233',
  '6.5': '22222333',
  '6.6': '2223',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '223',
  '7.6': '22',
  '8.1': '1233',
  '8.2': '1123',
  '8.3': '133',
  '8.4': '23',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '223',
  '10.3': '22223',
  '10.4': '1111122222233333',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '2233',
  '11.2': '22233',
  '11.3': '11233',
  '11.4': '1222',
  '11.5': '23',
  '11.6': '23',
  '12.1': '12233',
  '12.2': '11',
  '12.3': '22223',
  '13.1': '2333',
  '13.2': '222223',
  '13.3': '2233',
  '13.4': '1222233',
  '14.1': '22',
  '14.2': '12223333',
  '14.3': '122',
  '15.1': '12233',
  '15.2': '12233',
  '15.3': '1222222',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '2223',
  '17.1': '23',
  '17.2': '22223333',
  '17.3': '22',
}
const expected = Object.entries(levels).flatMap(([section, digits]) =>
  [...digits].flatMap((level, at) => (level === '3' ? [] : [`${section}.${at + 1} ${level}`])),
)

const path = 'test/asvs.md'
const text = readFileSync(join(root, path), 'utf8')
const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| (.+?) \| (.+?) \| (.*) \|$/gm)].map(
  ([, id = '', level = '', asks = '', state = '', by = '']) => ({ id, level, asks, state, by: by.split('<br>') }),
)
const reference = /^`([\w./-]+\.(?:ts|md))` (.+)$/

t.test('every requirement of levels 1 and 2 is listed once, in order', async t => {
  t.same(
    rows.map(({ id, level }) => `${id} ${level}`),
    expected,
  )
})

t.test('each names its tests, or says why it does not apply, or is open', async t => {
  for (const { id, asks, state, by } of rows) {
    t.match(state, /^(?:held|not here|open)$/, id)
    t.ok(asks.length < 120, `${id} asks in few words`)
    if (state === 'held')
      t.ok(
        by.some(one => reference.test(one)),
        `${id} is held, but names no test: name one`,
      )
    else
      t.ok(
        by.some(one => one !== '' && !reference.test(one)),
        `${id} gives no reason: write why it does not apply or is open`,
      )
  }
})

t.test('open requirements are listed first, and the sums are right', async t => {
  const open = rows.filter(({ state }) => state === 'open').map(({ id }) => id)
  const head = /\n## Open\n([\s\S]*?)\n## /.exec(text)?.[1] ?? ''
  const listed = [...head.matchAll(/^- \*\*(.+?)\*\*/gm)].flatMap(([, ids = '']) => ids.split(', '))
  t.same(listed.sort(), open.sort())
  const count = (wanted: string) => rows.filter(({ state }) => state === wanted).length
  const sums = `${rows.length} requirements: ${count('held')} held, ${count('not here')} not here, ${count('open')} open.`
  t.ok(text.includes(sums), sums)
})

t.test('every named test and passage exists', async t => {
  const escaped = (name: string) => name.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
  for (const { id, by } of rows)
    for (const one of by) {
      const [, file = '', name = ''] = reference.exec(one) ?? []
      if (!file) continue
      if (!existsSync(join(root, file))) {
        t.fail(`${id}: there is no ${file}`)
        continue
      }
      const there = readFileSync(join(root, file), 'utf8')
      // A test must have exactly this title. In other files the passage may span lines.
      const isTest = /\.(?:test|spec)\.ts$/.test(file)
      const isThere = isTest
        ? new RegExp(`(['"\`])${escaped(name)}\\1`).test(there)
        : there.replace(/\s+/g, ' ').includes(file === path ? `### ${name} ` : name)
      t.ok(isThere, `${id}: ${file} has no "${name}"`)
    }
})
