/** Cards of one message in the most expensive shapes that fit a webhook: reading them is cheap and keeps little. */
import t from 'tap'
import { readContactCards } from '#server/whatsapp/kinds/contact-cards.ts'
import { cleanLine, cleanText } from '#server/whatsapp/scalars.ts'
import { webhookLimitBytes } from '#shared/kernel/limits.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const cards = 257
const charsPerCard = Math.floor(webhookLimitBytes / cards) - 100

const cpuOf = (work: () => unknown): number => {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
/** The smallest of three, because the first run compiles. */
const leastCpuOf = (work: () => unknown): number => Math.min(cpuOf(work), cpuOf(work), cpuOf(work))

const ofLines = (line: string) => {
  const vcard = `FN:Ana\n${line.repeat(Math.ceil(charsPerCard / line.length))}`.slice(0, charsPerCard)
  return Array.from({ length: cards }, () => ({ vcard }))
}
const ofEntries = (key: string, entry: (i: number) => object) =>
  Array.from({ length: cards }, () => ({
    name: { formatted_name: 'Ana' },
    [key]: Array.from({ length: Math.floor(charsPerCard / 60) }, (_, i) => entry(i)),
  }))

/**
 * Parsing 3 MB of JSON, the minimum cost of reading a webhook. The limit leaves room, because a virtual machine counts
 * time that its host takes away as processor time.
 */
const json = `[${'{"a":"bcdefghij"},'.repeat(Math.floor(webhookLimitBytes / 18))}0]`
const unit = leastCpuOf(() => JSON.parse(json))

const shapes: Readonly<Record<string, readonly unknown[]>> = {
  numbers: ofLines('TEL:+5491155550000\n'),
  'numbers in groups': ofLines('item1.TEL;type=CELL;waid=5491155550000:+5491155550000\n'),
  'empty lines': ofLines('\n'),
  'folded lines': ofLines('TEL:1\n 2\n '),
  'lines nobody knows': ofLines('a:\n'),
  'parts of addresses': ofLines(`ADR:${';a'.repeat(1000)}\n`),
  'escaped parts': ofLines(`ADR:${'\\;a'.repeat(600)}\n`),
  'web addresses': ofLines('URL:http://ñandú.example/\n'),
  parameters: ofLines(`TEL;${'x'.repeat(500)}\n`),
  'numbers as JSON': ofEntries('phones', i => ({ phone: `+549115555${i}`, wa_id: `549115555${i}` })),
  'web addresses as JSON': ofEntries('urls', i => ({ url: `http://ñandú${i}.example/` })),
}

for (const [what, list] of Object.entries(shapes))
  t.test(`257 cards full of ${what}`, async t => {
    const cpu = leastCpuOf(() => readContactCards(list))
    t.ok(cpu < 6 * unit, `${cpu} ms, reading JSON as long ${unit} ms`)
    const content = readContactCards(list)?.content
    t.equal(content?.contacts?.length, cards)
    const kept = JSON.stringify(content).length
    t.ok(kept < 256 * 1024, `${kept} characters are kept`)
  })

t.test('257 ordinary cards are read completely', async t => {
  const photo = `PHOTO;ENCODING=b;TYPE=JPEG:${'QUJD'.repeat(15)}\n${` ${'QUJD'.repeat(18)}\n`.repeat(130)}`
  const list = Array.from({ length: cards }, (_, i) => ({
    vcard: `BEGIN:VCARD\r\nVERSION:3.0\r\nN:Paz;Ana ${i};;;\r\nFN:Ana Paz\r\n  ${i}\r\n${photo}ORG:Panadería;Ventas\r\nitem1.TEL;type=CELL:+54 9 11 5555-${1000 + i}\r\nTEL:+54 9 11 5555-${1000 + i}\r\nEMAIL:ana${i}@example.com\r\nEND:VCARD\r\n`,
  }))
  const cpu = leastCpuOf(() => readContactCards(list))
  t.ok(cpu < 6 * unit, `${cpu} ms, reading JSON as long ${unit} ms`)
  const read = readContactCards(list)?.content?.contacts
  t.equal(read?.length, cards)
  t.match(read?.at(-1), {
    name: 'Ana Paz 256',
    phones: ['+54 9 11 5555-1256'],
    emails: ['ana256@example.com'],
    company: 'Panadería, Ventas',
  })
  t.equal(read?.at(-1)?.phones.length, 1, 'a duplicate number is listed once')
})

t.test('a name or text of three megabytes of control characters costs no more', async t => {
  const breaks = 'a\n'.repeat(webhookLimitBytes / 3)
  const controls = 'a\u0001'.repeat(webhookLimitBytes / 7)
  t.ok(leastCpuOf(() => cleanLine(breaks)) < unit)
  t.ok(leastCpuOf(() => cleanText(controls)) < unit)
  t.equal(cleanLine(breaks)?.length, 200 - 1)
  t.match(cleanText(controls), /^a{65536}$/)
  t.equal(cleanLine(`${' '.repeat(5000)}Ana`), 'Ana')
})
