import t from 'tap'
import { readCsvText as readText } from '#client/ui/csv-text.ts'
import { importMaxChars } from '#shared/contact-imports.ts'

const readCsvText = (given: Parameters<typeof readText>[0]) => readText(given, importMaxChars)
const file = (bytes: Uint8Array) => ({ size: bytes.length, arrayBuffer: async () => Uint8Array.from(bytes).buffer })
const utf8 = (text: string) => file(new TextEncoder().encode(text))
const text = 'teléfono;año\n11 5555-1234;ñandú\n'

t.test('a file is read in whichever usual encoding it was saved', async t => {
  t.same(await readCsvText(utf8(text)), { text })
  t.same(await readCsvText(utf8(`\uFEFF${text}`)), { text })
  t.same(await readCsvText(file(Buffer.from(text, 'latin1'))), { text })
  t.same(await readCsvText(file(Buffer.from(`\uFEFF${text}`, 'utf16le'))), { text })
})

t.test('a workbook, an empty file and one that is too large are refused, the last without being read', async t => {
  t.equal(await readCsvText(file(Buffer.from('PK\u0003\u0004\u0014\u0000xl/workbook.xml', 'latin1'))), 'notText')
  t.equal(await readCsvText(utf8(' \n ')), 'empty')
  t.equal(await readCsvText(utf8('a'.repeat(importMaxChars + 1))), 'tooLarge')
  t.same(await readCsvText(utf8('a'.repeat(importMaxChars))), { text: 'a'.repeat(importMaxChars) })
  const huge = { size: 3 * 1024 ** 3, arrayBuffer: () => Promise.reject(new Error('It was read')) }
  t.equal(await readCsvText(huge), 'tooLarge')
})
