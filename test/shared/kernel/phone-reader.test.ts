import fc from 'fast-check'
import t from 'tap'
import { phoneKey } from '#shared/kernel/phone.ts'
import { isRounded, readPhone, showPhone } from '#shared/kernel/phone-reader.ts'
import { listFiles, readSource } from '#test/helpers/sources.ts'

t.test('one number is recognized in every common spelling', async t => {
  const spellings = [
    '+54 9 11 5555-1234',
    '5491155551234',
    '0054 9 11 5555 1234',
    '011 15 5555-1234',
    '(011) 15-5555-1234',
    '11 15 5555 1234',
    '11 5555-1234',
    '+54 11 5555 1234',
  ]
  for (const typed of spellings) t.equal(readPhone(typed, 'AR'), '5491155551234', typed)
})

t.test('an international number keeps its country, a local one gets the organization’s', async t => {
  t.equal(readPhone('+52 1 55 1234 5678', 'AR')?.endsWith('5512345678'), true)
  t.equal(readPhone('525512345678', 'AR'), '525512345678')
  t.equal(readPhone('55 1234 5678', 'MX'), '525512345678')
  t.equal(readPhone('+1 555 078 3881', 'AR'), '15550783881')
})

t.test('text that is not a number is refused', async t => {
  for (const typed of ['', 'Ana', '12', 'ana@example.com', '999999999999999999', '=SUM(A1)'])
    t.equal(readPhone(typed, 'AR'), undefined, typed)
})

t.test('WhatsApp addresses, other digits and spreadsheet formats are read', async t => {
  const spellings = [
    'tel:+54-9-11-5555-1234',
    'tel:+5491155551234;ext=1',
    'https://wa.me/5491155551234',
    'wa.me/+5491155551234?text=Hola',
    'https://api.whatsapp.com/send?text=Hola&phone=5491155551234',
    'whatsapp://send?phone=5491155551234',
    '5491155551234@c.us',
    '5491155551234@s.whatsapp.net',
    '5491155551234:12@s.whatsapp.net',
    '5491155551234.0',
    '5491155551234,00',
    '5.491155551234E+12',
    '5,491155551234e12',
    '="5491155551234"',
    "'+54 9 11 5555-1234",
    '+５４　９　１１　５５５５－１２３４',
    '+٥٤ ٩ ١١ ٥٥٥٥ ١٢٣٤',
    '۰۱۱ ۱۵ ۵۵۵۵ ۱۲۳۴',
    '\u202a+54\u00a09\u00a011\u00a05555\u20111234\u202c',
  ]
  for (const typed of spellings) t.equal(readPhone(typed, 'AR'), '5491155551234', typed)
})

t.test('a number that lost digits in a spreadsheet is refused and reported as such', async t => {
  for (const typed of ['5,49116E+12', '5.4911E+12', '5E12']) {
    t.equal(readPhone(typed, 'AR'), undefined, typed)
    t.equal(isRounded(typed), true, typed)
  }
  for (const typed of ['5.491155551234E+12', '5491155551234', 'Ana', '']) t.equal(isRounded(typed), false, typed)
})

t.test('a very long text is not read as a number', async t => {
  t.equal(readPhone('9'.repeat(8_000_000), 'AR'), undefined)
  t.equal(isRounded('9'.repeat(8_000_000)), false)
})

t.test('a local number belongs to the organization’s country, as people there dial it', async t => {
  for (const typed of ['0351 15 555-1234', '0351 555 1234']) t.equal(readPhone(typed, 'AR'), '5493515551234', typed)
  t.equal(readPhone('11 98765-4321', 'BR'), '5511987654321')
  t.equal(readPhone('612 34 56 78', 'ES'), '34612345678')
  for (const typed of ['+34 612 34 56 78', '0034 612 34 56 78', '34612345678'])
    t.equal(readPhone(typed, 'AR'), '34612345678', typed)
  t.equal(readPhone('+1 555 010 1234', 'AR'), '15550101234', 'unassigned, as Meta’s test numbers are')
})

t.test('a number is shown as it is dialled', async t => {
  t.equal(showPhone(readPhone('11 4444-5555', 'AR') ?? ''), '+54 9 11 4444 5555')
  t.equal(showPhone(readPhone('55 1234 5678', 'MX') ?? ''), '+52 55 1234 5678')
  t.equal(showPhone('5215512345678'), '+52 55 1234 5678')
})

const lines = [
  { country: 'AR', international: '5491155551234', national: '011 15 5555 1234' },
  { country: 'AR', international: '5493515551234', national: '0351 15 555 1234' },
  { country: 'MX', international: '5215512345678', national: '55 1234 5678' },
  { country: 'BR', international: '5511987654321', national: '11 98765 4321' },
  { country: 'ES', international: '34612345678', national: '612 34 56 78' },
  { country: 'US', international: '12025550123', national: '(202) 555 0123' },
] as const
const scripts = ['0', '٠', '۰', '०', '０'].map(zero => (text: string) => {
  const from = zero.codePointAt(0) as number
  return text.replace(/\d/g, digit => String.fromCodePoint(from + Number(digit)))
})
const addresses = [
  (digits: string) => `+${digits}`,
  (digits: string) => `00${digits}`,
  (digits: string) => `tel:+${digits}`,
  (digits: string) => `https://wa.me/${digits}`,
  (digits: string) => `${digits}@c.us`,
]

t.test('a displayed number is read back as the same number, in any spelling', async () => {
  const spelling = fc
    .record({
      line: fc.constantFrom(...lines),
      script: fc.constantFrom(...scripts),
      address: fc.option(fc.constantFrom(...addresses), { nil: undefined }),
      blank: fc.constantFrom(' ', '', '-', '\u00a0', '.', '\u2011'),
      mark: fc.constantFrom('', '\u202a', ' '),
    })
    .map(({ line, script, address, blank, mark }) => {
      const plain = address ? address(line.international) : line.national.replaceAll(' ', blank)
      // WhatsApp addresses are ASCII.
      return { line, typed: mark + (address && /[a-z]/.test(plain) ? plain : script(plain)) }
    })
  fc.assert(
    fc.property(spelling, ({ line, typed }) => {
      const read = readPhone(typed, line.country) ?? ''
      return (
        phoneKey(read) === line.international && phoneKey(readPhone(showPhone(read), 'UY') ?? '') === phoneKey(read)
      )
    }),
    { numRuns: 300 },
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), typed => {
      const read = readPhone(typed, 'AR')
      return read === undefined || /^\d{6,15}$/.test(read)
    }),
  )
})

t.test('no browser page includes the phone number library', async t => {
  const readers: string[] = []
  for (const { path, code } of listFiles(['client'], /\.tsx?$/).map(readSource)) {
    t.notMatch(code, /['"][^'"]*\/phone-display/, path)
    t.notMatch(code.replace(/^import type .*$/gm, ''), /['"]libphonenumber-js/, path)
    if (/from ['"][^'"]*\/phone-reader/.test(code)) readers.push(path)
    for (const [line] of code.matchAll(/^import .*['"].*\/(?:new-chat-dialog|first-message)\.tsx.*$/gm))
      t.fail(`${path}: ${line}`)
  }
  t.same(
    readers,
    ['client/inbox/list/new-chat-dialog.tsx', 'client/inbox/thread/first-message.tsx'],
    'parts loaded later',
  )
})
