import fc from 'fast-check'
import t from 'tap'
import { safeReturnTo } from '#shared/kernel/paths.ts'

const site = 'https://recado.example'

t.test('for any input the return path stays on this site and fits into a header', async t => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '//',
    '.',
    '..',
    '@',
    ':',
    '%2f',
    '%5c',
    '%09',
    '\t',
    '\n',
    '\u2028',
    'ж',
    '\ud800',
    'evil.example',
    'https:',
    '?',
    '#',
    'org',
  )
  const hostile = fc.oneof(
    fc.array(part, { maxLength: 8 }).map(parts => parts.join('')),
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
  )
  const isSafe = (value: string) => {
    const back = safeReturnTo(value)
    return back === undefined || (/^\/[\x21-\x7e]*$/.test(back) && new URL(back, site).origin === site)
  }
  t.doesNotThrow(() => fc.assert(fc.property(hostile, isSafe), { numRuns: 5000 }))
})

t.test('an address of this site is returned unchanged', async t => {
  for (const path of ['/', '/org/don-luis/c?search=a%20b&tag=1#x', '/org/don-luis/c/5491155551234'])
    t.equal(safeReturnTo(path), path)
  t.equal(safeReturnTo('/org/don-luis/c?search=ñandú 👍'), '/org/don-luis/c?search=%C3%B1and%C3%BA%20%F0%9F%91%8D')
})

t.test('other sites, and anything a browser could read as one, are refused', async t => {
  for (const other of [
    '',
    'org',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\u0000/',
    undefined,
    null,
  ])
    t.equal(safeReturnTo(other), undefined, String(other))
})
