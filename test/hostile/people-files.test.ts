import t from 'tap'
import { checkFile } from '#server/features/bulk-sends/audience/file-check.ts'
import { createReading } from '#server/messaging/contacts/importing/read-rows.ts'
import { readPeopleFile } from '#server/platform/text/people-file.ts'
import { splitNumbers } from '#server/platform/text/phone-lists.ts'
import { audienceMaxChars } from '#shared/bulk-sends/limits.ts'
import { importMaxChars } from '#shared/contacts/imports.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** Processor time of this thread in milliseconds, without other programs and the collector's threads. */
const used = () => process.threadCpuUsage().user / 1000

const check = async (text: string) => {
  const from = used()
  let [longest, last] = [0, from]
  const note = () => {
    const now = used()
    longest = Math.max(longest, now - last)
    last = now
  }
  await checkFile({ text }, { country: 'AR', giveWay: async () => note() }).catch(() => undefined)
  note()
  return { longest, whole: last - from }
}

const filled = (head: string, part: string, most: number) =>
  head + part.repeat(Math.floor((most - head.length) / part.length))

/** Reading a megabyte of numbers is the unit of measure, whatever the machine. */
const plain = `tel;nombre\n${Array.from({ length: 45_000 }, (_, i) => `11 5${String(1_000_000 + i)};Ana ${i}`).join('\n')}`
await check(plain)
const unit = (await check(plain)).whole

t.test('no file blocks the event loop or costs more than an ordinary one', async t => {
  const wide = `${Array.from({ length: 200 }, (_, i) => `c${i}`).join(';')}\n`
  const files: Readonly<Record<string, readonly [string, string]>> = {
    'quotes that open nothing': ['tel\n', 'a""'],
    'one cell of doubled quotes': ['tel\n"', '""'],
    'one line of separators': ['tel\n', ';'],
    'one long cell': ['tel;n\n1155550101;', 'a'],
    'one cell of digits and blanks': ['tel\n', '1 '],
    'one cell of labels': ['tel;tags\n1155550101;"', 'etiq,'],
    'lines without text': ['tel\n', '\n'],
    'a file of numbers in each of 200 columns': [wide, `${'1155550101;'.repeat(200)}\n`],
    'a card of many lines': ['BEGIN:VCARD\n', 'TEL:1\n'],
    'a card of one folded line': ['BEGIN:VCARD\nNOTE:', 'a\n '],
    'a card of soft line breaks': ['BEGIN:VCARD\nNOTE;QUOTED-PRINTABLE:', '=\n'],
    'a card of parameters': ['BEGIN:VCARD\nTEL', ';a="b"'],
    'cards with nobody': ['', 'BEGIN:VCARD\nEND:VCARD\n'],
  }
  for (const [name, [head, part]] of Object.entries(files)) {
    const { longest, whole } = await check(filled(head, part, audienceMaxChars))
    t.ok(
      longest < 0.1 * unit,
      `${name}: ${longest.toFixed()} ms at once, of ${unit.toFixed()} ms for a megabyte of people`,
    )
    t.ok(whole < 2 * unit, `${name}: ${whole.toFixed()} ms in all`)
  }
})

t.test('an oversized row of an import is refused before its cells are split', async t => {
  const columns = ['tel', 'x']
  for (const [target, part] of [
    ['tags', 'etiq,'],
    ['name', 'ä '],
    ['note', 'a\n'],
    ['phone', '1 '],
    ['field.a', 'a  '],
  ] as const) {
    const text = filled('tel;x\n1155550101;"', part, importMaxChars)
    const from = used()
    const targets = target === 'phone' ? ['ignore', target] : ['phone', target]
    const fields = [{ id: 'a', label: 'A', kind: 'text' as const, options: [] }]
    const read = createReading({ columns, targets, fields, country: 'AR', ownPhones: [] })
    const rows = [...readPeopleFile(`${text}"`, { field: 'x' }).entries()].flatMap(row => (row ? [read(row)] : []))
    t.equal(rows.length, 1)
    t.match(rows[0], { fault: String }, target)
    const cost = used() - from
    t.ok(cost < 0.1 * unit, `${target}: ${cost.toFixed()} ms`)
  }
})

t.test('reading pasted text yields to the event loop, whatever it contains', async t => {
  for (const part of ['1155550101 ', '1 ', 'a ', 'a@1', '9', '９ ', '+1(', '11 11 11 11 11 11 11\n', 'a,', '1)']) {
    const text = filled('', part, audienceMaxChars)
    let [longest, last, count] = [0, used(), 0]
    for (const one of splitNumbers(text, 'AR')) {
      count += 1
      if (one !== undefined && count % 50) continue
      longest = Math.max(longest, used() - last)
      last = used()
      // As many as a send reads; such lines repeat.
      if (count > 2000) break
    }
    t.ok(longest < 0.1 * unit, `${JSON.stringify(part)}: ${longest.toFixed()} ms at once`)
  }
})
