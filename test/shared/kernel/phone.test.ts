import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import t from 'tap'
import { digitsOf, isBusinessScopedId, isPhoneDigits, otherSpelling, phoneKey } from '#shared/kernel/phone.ts'

/** Key → the spellings of one number, as Meta sends them and as people type them with their country. */
const lines: Record<string, string[]> = {
  '5491155551234': [
    '5491155551234',
    '541155551234',
    '5411155555 1234',
    '+54 9 11 5555-1234',
    '+54 11 5555-1234',
    '+54 11 15 5555-1234',
    '+54 011 5555-1234',
    '+54 011 15 5555-1234',
    '+54 9 011 5555-1234',
    '+54 9 11 15 5555-1234',
    '+54 (9) 11 5555.1234',
    '54-9-11-5555-1234',
  ],
  '5493415551234': [
    '5493415551234',
    '543415551234',
    '54341155551234',
    '+54 0341 15 555-1234',
    '+54 9 341 15 555 1234',
    '+54 341 555-1234',
  ],
  '5492215551234': ['5492215551234', '542215551234', '+54 221 15 555-1234', '+54 0221 555-1234'],
  '5492944512345': ['5492944512345', '542944512345', '+54 294 15 451-2345', '+54 9 294 451-2345'],
  '5492945412345': ['5492945412345', '542945412345', '+54 2945 15 41-2345', '+54 9 2945 41-2345'],
  '5492202412345': ['+54 2202 15 41-2345', '542202412345', '+54 9 2202 41-2345'],
  '5492204412345': ['+54 220 15 441-2345', '+54 9 220 441-2345'],
  '5493489412345': ['+54 03489 15 41-2345', '543489412345', '5493489412345'],
  '5493454212345': ['+54 345 15 421-2345', '+54 9 345 421-2345', '+54 3454 15 21-2345'],
  '5491115151515': ['+54 9 11 1515-1515', '541115151515', '+54 11 15 1515-1515'],
  '5493411515151': ['+54 341 151-5151', '+54 341 15 151-5151'],
  '5215512345678': [
    '5215512345678',
    '525512345678',
    '+52 1 55 1234 5678',
    '+52 55 1234 5678',
    '+52 01 55 1234 5678',
    '+52 044 55 1234 5678',
    '+52 045 55 1234 5678',
  ],
  '5219981234567': ['5219981234567', '529981234567', '+52 (998) 123-4567'],
  '5511987654321': ['5511987654321', '551187654321', '+55 11 98765-4321', '+55 (11) 8765-4321', '+55 011 98765-4321'],
  '5551998765432': ['5551998765432', '555198765432', '+55 51 99876-5432', '+55 051 9876-5432'],
  '5521976543210': ['552176543210', '+55 21 97654-3210'],
  // Numbers with one spelling only: landlines, other countries, services, too short, too long.
  '551133334444': ['551133334444', '+55 11 3333-4444', '+55 011 3333-4444'],
  '548001234567': ['548001234567', '+54 800 123-4567'],
  '14155552671': ['14155552671', '+1 (415) 555-2671'],
  '34600111222': ['34600111222', '+34 600 11 12 22'],
  '56912345678': ['56912345678', '+56 9 1234 5678'],
  '59899123456': ['59899123456', '+598 99 123 456'],
  '595981123456': ['595981123456'],
  '447400123456': ['447400123456', '+44 7400 123456'],
  '4915123456789': ['4915123456789'],
  '54': ['54'],
  '5411': ['5411'],
  '52': ['52'],
  '521551234': ['521551234'],
  '55119876': ['55119876'],
  '541155551234567': ['541155551234567'],
}

t.test('all spellings of one number share one key, and the key maps to itself', async t => {
  let spellings = 0
  for (const [key, typed] of Object.entries(lines)) {
    t.equal(phoneKey(key), key, `${key} stays`)
    for (const spelling of typed) {
      t.equal(phoneKey(digitsOf(spelling)), key, spelling)
      spellings += 1
    }
  }
  t.ok(spellings >= 60, `${spellings} spellings`)
})

t.test('different numbers never share a key', async t => {
  const keys = Object.keys(lines).map(phoneKey)
  t.equal(new Set(keys).size, keys.length)
  t.not(phoneKey('5491155551234'), phoneKey('5491155551235'))
  t.not(phoneKey('5493415551234'), phoneKey('5492215551234'))
})

/** All area codes of the numbering plan with a number in each, taken from the library. */
const argentineLines = (): { area: string; subscriber: string }[] => {
  const areas = new Map<string, { area: string; subscriber: string }>()
  for (const head of ['1140', ...Array.from({ length: 2000 }, (_, index) => String(2000 + index))])
    for (const tail of ['412345', '512345', '612345', '430000']) {
      const phone = parsePhoneNumberFromString(`+549${head}${tail}`)
      if (!phone?.isValid()) continue
      const area = /^0(\d+) 15/.exec(phone.formatNational())?.[1]
      if (area && !areas.has(area)) areas.set(area, { area, subscriber: `${head}${tail}`.slice(area.length) })
    }
  return [...areas.values()]
}

t.test('every Argentine area code is distinguished from the 15 that follows it', async t => {
  const all = argentineLines()
  t.ok(all.length > 250, `${all.length} area codes`)
  for (const { area, subscriber } of all) {
    const key = `549${area}${subscriber}`
    for (const spelling of [
      `54${area}${subscriber}`,
      `54${area}15${subscriber}`,
      `540${area}15${subscriber}`,
      `549${area}15${subscriber}`,
      key,
    ])
      if (phoneKey(spelling) !== key) t.fail(`${spelling} gives ${phoneKey(spelling)}, not ${key}`)
  }
})

t.test('the other spelling maps there and back, and keeps the key', async t => {
  const pairs: [string, string][] = [
    ['5491155551234', '541155551234'],
    ['5493489412345', '543489412345'],
    ['5215512345678', '525512345678'],
    ['5551998765432', '555198765432'],
  ]
  for (const [one, other] of pairs) {
    t.equal(otherSpelling(one), other)
    t.equal(otherSpelling(other), one)
    t.equal(phoneKey(one), phoneKey(other))
  }
  for (const only of [
    '14155552671',
    '34600111222',
    '551133334444',
    '5511912345678',
    '548001234567',
    '54',
    '',
    '521234',
  ])
    t.equal(otherSpelling(only), undefined, only)
})

t.test('digits are extracted from anything, and only numbers are numbers', async t => {
  t.equal(digitsOf('+54 9 11 5555-1234'), '5491155551234')
  t.equal(digitsOf('sin número'), '')
  for (const good of ['5491155551234', '1234567', '123456789012345']) t.ok(isPhoneDigits(good), good)
  for (const bad of ['', '123456', '0491155551234', '+5491155551234', '1234567890123456', '54 911', '5491155551234\n'])
    t.notOk(isPhoneDigits(bad), bad)
})

t.test('a business-scoped id is distinguished from everything else', async t => {
  for (const good of ['US.13491208655302741918', 'AR.ENT.11815799212886844830', 'AR.a1'])
    t.ok(isBusinessScopedId(good), good)
  for (const bad of [
    '',
    'US.',
    'us.1',
    'USA.1',
    'US.ENT.',
    'US.1 2',
    'US.<b>',
    `US.${'1'.repeat(129)}`,
    '5491155551234',
    'US.1\n',
  ])
    t.notOk(isBusinessScopedId(bad), bad)
})
