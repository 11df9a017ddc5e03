import t from 'tap'
import { detectType } from '#server/messaging/media/content-type.ts'
import { isShown, servedType } from '#server/messaging/media/kind.ts'
import { nameOfType, sniffSent } from '#server/messaging/media/sniff.ts'

/** The first box of an ISO base media file. Its brand tells the file type. */
const branded = (brand: string, ...more: string[]) =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 16 + 4 * more.length]),
    Buffer.from(`ftyp${brand}\0\0\0\0${more.join('')}`),
    Buffer.alloc(200),
  ])
const kindOf = async (head: Buffer, name = 'a', mime = '') => sniffSent(head, await detectType(head), { name, mime })

t.test('an ISO base media file has the type of its brand', async t => {
  const types: Readonly<Record<string, string>> = {
    heic: 'image/heic',
    heix: 'image/heic',
    mif1: 'image/heif',
    avif: 'image/avif',
    'crx ': 'image/x-canon-cr3',
    'qt  ': 'video/quicktime',
    'M4A ': 'audio/mp4',
    'M4B ': 'audio/mp4',
    'M4V ': 'video/mp4',
    isom: 'video/mp4',
    mp42: 'video/mp4',
    dash: 'video/mp4',
    '3gp5': 'video/3gpp',
  }
  for (const [brand, type] of Object.entries(types)) {
    t.equal(await detectType(branded(brand)), type, brand)
    t.equal(servedType('video/mp4', await detectType(branded(brand))), brand === '3gp5' ? 'video/mp4' : type, brand)
  }
  for (const brand of ['heic', 'mif1', 'avif', 'crx ', 'qt  ']) t.equal(await kindOf(branded(brand)), undefined, brand)
  t.match(await kindOf(branded('M4B '), 'libro.m4b'), { mime: 'audio/mp4', kind: 'audio' })
  t.match(await kindOf(branded('M4A ')), { mime: 'audio/mp4', kind: 'audio' })
  t.match(await kindOf(branded('isom')), { mime: 'video/mp4', kind: 'video' })
  t.match(await kindOf(branded('isom'), 'a.m4a', 'audio/mp4'), { mime: 'audio/mp4', kind: 'audio' })
  t.equal(isShown('image/heic'), false, 'most browsers show none')
})

t.test('text is neither audio nor an image, however it begins', async t => {
  const wide = Buffer.from('\ufeffcódigo;precio\r\nmedialuna;900', 'utf16le')
  t.equal(await detectType(wide), undefined)
  t.equal(await detectType(wide.subarray(0, 33)), undefined, 'cut within a letter')
  t.equal(await detectType(Buffer.from(wide).swap16()), undefined)
  t.match(await kindOf(wide, 'precios.csv', 'text/csv'), { mime: 'text/plain', kind: 'document' })
  for (const text of ['BMW 320, precio a convenir', 'MZ y NZ', 'II*', 'GIFs de hoy', 'ID3 es un formato', 'FLV'])
    t.match(await kindOf(Buffer.from(text), 'a.txt'), { mime: 'text/plain', kind: 'document' }, text)
  t.equal(await kindOf(Buffer.from('<html><script>alert(1)</script>'), 'a.txt'), undefined)
})

t.test('audio declared as another type gets the type of its bytes', async t => {
  t.equal(await detectType(Buffer.from(`fffb9000${'00'.repeat(200)}`, 'hex')), 'audio/mpeg')
  t.equal(await detectType(Buffer.from(`fff15080${'00'.repeat(200)}`, 'hex')), 'audio/aac')
  const flac = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\0fLaC', 'latin1'), Buffer.alloc(200)])
  t.equal(await kindOf(flac, 'a.mp3', 'audio/mpeg'), undefined)
})

t.test('no content of a file’s first bytes makes detection throw', async t => {
  const signatures = [
    '',
    '\x89PNG\r\n\x1a\n',
    'PK\x03\x04',
    'OggS\0',
    'ID3\x04\0\0\x7f\x7f\x7f\x7f',
    'RIFF\xff\xff\xff\xff',
    '\x1a\x45\xdf\xa3\xff',
    'GIF8\0',
    '\xff\xd8\xff',
  ]
  for (const one of signatures)
    for (const size of [0, 1, 100, 1020])
      for (const filler of [0, 0xff])
        await t.resolves(
          detectType(Buffer.concat([Buffer.from(one, 'latin1'), Buffer.alloc(size, filler)])),
          `${one} ${size} ${filler}`,
        )
})

t.test('a file name gets the extension of its content', async t => {
  t.equal(nameOfType('factura.jpg', 'application/pdf'), 'factura.pdf')
  t.equal(nameOfType('Foto.HEIC', 'image/jpeg'), 'Foto.jpg')
  t.equal(nameOfType('foto.jpeg', 'image/jpeg'), 'foto.jpeg')
  t.equal(nameOfType('lista.pdf', 'text/plain'), 'lista.txt')
  for (const name of ['precios.csv', 'LEEME', 'v1.2', 'notas.md']) t.equal(nameOfType(name, 'text/plain'), name)
  t.equal(nameOfType('Presupuesto 3.5', 'application/pdf'), 'Presupuesto 3.5')
})
