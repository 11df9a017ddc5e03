import t from 'tap'
import { readCsvText as readText } from '#client/ui/files/csv-text.ts'
import { importMaxChars } from '#shared/contacts/imports.ts'

const readCsvText = (given: Parameters<typeof readText>[0]) => readText(given, importMaxChars)
const file = (bytes: Uint8Array, name = 'clientes.csv') => ({
  name,
  size: bytes.length,
  arrayBuffer: async () => Uint8Array.from(bytes).buffer,
})
const utf8 = (text: string) => file(new TextEncoder().encode(text))
const text = 'teléfono;año\n11 5555-1234;ñandú\n'

t.test('a file is read in any common encoding', async t => {
  t.same(await readCsvText(utf8(text)), { text })
  t.same(await readCsvText(utf8(`\uFEFF${text}`)), { text })
  t.same(await readCsvText(file(Buffer.from(text, 'latin1'))), { text })
  t.same(await readCsvText(file(Buffer.from(`\uFEFF${text}`, 'utf16le'))), { text })
})

t.test('a workbook, an empty file and a too large one are refused, the last without reading it', async t => {
  t.equal(await readCsvText(file(Buffer.from('PK\u0003\u0004\u0014\u0000xl/workbook.xml', 'latin1'))), 'spreadsheet')
  t.equal(await readCsvText(file(Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'viejo.xls')), 'spreadsheet')
  t.equal(await readCsvText(utf8('\uFEFF<html><body><table><tr><td>Tel</td></tr></table>')), 'spreadsheet')
  t.equal(await readCsvText(utf8('tel\n\0')), 'notText')
  t.equal(await readCsvText(utf8(' \n ')), 'empty')
  t.equal(await readCsvText(utf8('a'.repeat(importMaxChars + 1))), 'tooLarge')
  t.same(await readCsvText(utf8('a'.repeat(importMaxChars))), { text: 'a'.repeat(importMaxChars) })
  const huge = { name: 'a.csv', size: 3 * 1024 ** 3, arrayBuffer: () => Promise.reject(new Error('It was read')) }
  t.equal(await readCsvText(huge), 'tooLarge')
})

t.test('photos in vCards are removed before the size is checked, and the rest stays', async t => {
  const photo = `PHOTO;ENCODING=b;TYPE=JPEG:${'A'.repeat(70)}\r\n${` ${'A'.repeat(70)}\r\n`.repeat(40_000)}`
  const card = (name: string, more = '') =>
    `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\n${more}TEL:1155550101\r\nEND:VCARD\r\n`
  const found = await readText(file(Buffer.from(card('Ana', photo) + card('Beto')), 'contactos.vcf'), importMaxChars)
  t.same(found, { text: card('Ana') + card('Beto') })
  const old = 'BEGIN:VCARD\nPHOTO;JPEG;ENCODING=BASE64:\nAAAA\nBBBB\n\nFN:Ana\nEND:VCARD\n'
  t.same(await readText(file(Buffer.from(old), 'a.vcf'), importMaxChars), { text: 'BEGIN:VCARD\nFN:Ana\nEND:VCARD\n' })
})
