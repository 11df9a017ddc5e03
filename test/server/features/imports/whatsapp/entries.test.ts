/** Chats as WhatsApp exports them: Android and iPhone, Spanish, English and Portuguese. */
import { Readable } from 'node:stream'
import fc from 'fast-check'
import t from 'tap'
import { readEntryContent } from '#server/features/imports/whatsapp/contents.ts'
import { createDateSense, entryTime } from '#server/features/imports/whatsapp/dates.ts'
import { type Entry, isEntry, readEntries, type Stray } from '#server/features/imports/whatsapp/entries.ts'
import { lineMaxChars, readLines } from '#server/features/imports/whatsapp/lines.ts'

const zone = 'America/Argentina/Buenos_Aires'

const read = async (text: string | Buffer, chunkBytes = 7): Promise<(Entry | Stray)[]> => {
  const bytes = Buffer.from(text as string)
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes))
  return Readable.from(readEntries(readLines(Readable.from(chunks)))).toArray()
}

const times = async (text: string): Promise<(string | undefined)[]> => {
  const entries = (await read(text)).filter(isEntry)
  const sense = createDateSense()
  for (const one of entries) sense.add(one)
  return entries.map(one => entryTime(one, sense.reading().order, zone))
}

t.test('heads of every form give author, time and text', async t => {
  const at = '2024-03-12T13:15:00.000Z'
  const heads: Record<string, string> = {
    'Android, Spanish': '12/3/24, 10:15 - Ana: Hola',
    'Android, without a comma': '12/3/24 10:15 - Ana: Hola',
    'Android, Portuguese': '12/03/2024 10:15 - Ana: Hola',
    'Android, 12 hours': '12/3/24, 10:15 a.\u00a0m. - Ana: Hola',
    'Android, narrow space': '12/3/24, 10:15\u202fa. m. - Ana: Hola',
    'Android, English, 12 hours': '12/3/24, 10:15\u202fAM - Ana: Hola',
    'Android, small letters': '12/3/24, 10:15 am - Ana: Hola',
    'Android, dots': '12.03.24, 10:15 - Ana: Hola',
    iPhone: '[12/3/24, 10:15:00] Ana: Hola',
    'iPhone, marked': '\u200e[12/3/24, 10:15:00] Ana: Hola',
    'iPhone, 12 hours': '[12/3/24, 10:15:00\u202fa.\u00a0m.] Ana: Hola',
    'iPhone, Portuguese': '[12/03/2024, 10:15:00] Ana: Hola',
    ISO: '2024-03-12, 10:15 - Ana: Hola',
    'with a byte order mark': '\ufeff12/3/24, 10:15 - Ana: Hola',
  }
  // Its day is above 12, so the day comes first.
  for (const [name, head] of Object.entries(heads)) {
    const later = head.startsWith('2024') ? '2024-03-30, 10:15 - Ana: Chau' : '30/3/24, 10:15 - Ana: Chau'
    const [entry] = await read(`${head}\r\n${later}\r\n`)
    t.match(entry, { line: 1, author: 'Ana', text: 'Hola' }, name)
    t.equal((await times(`${head}\n${later}`))[0], at, name)
  }
  t.same(await times('12/30/24, 12:05 AM - Ana: x\n12/30/24, 12:05 PM - Ana: x\n12/30/24, 1:05 PM - Ana: x'), [
    '2024-12-30T03:05:00.000Z',
    '2024-12-30T15:05:00.000Z',
    '2024-12-30T16:05:00.000Z',
  ])
})

t.test('lines without a head continue the message; before the first they belong to none', async t => {
  const text = 'sobras\n12/3/24, 10:15 - Ana: Hola\n\n10:20 nos vemos\n12/3/24 a las 10\n12/3/24, 10:16 - Luis: ok\n'
  t.match(await read(text), [
    { line: 1, text: 'sobras' },
    { line: 2, author: 'Ana', text: 'Hola\n\n10:20 nos vemos\n12/3/24 a las 10' },
    { line: 6, author: 'Luis', text: 'ok' },
  ])
  t.match(await read('12/3/24, 10:15 - Ana: mirá: son 3'), [{ author: 'Ana', text: 'mirá: son 3' }])
  t.match(await read('12/3/24, 10:15 - Ana:\nsegunda'), [{ author: 'Ana', text: '\nsegunda' }])
  t.match(await read('12/3/24, 10:15 - Los mensajes están cifrados. Más información'), [{ author: null }])
  t.match(await read('12/3/24, 10:15 - \u202a+54 9 11 5555-0101\u202c: Hola'), [{ author: '+54 9 11 5555-0101' }])
  t.match(await read('12/3/24, 25:15 - Ana: Hola'), [{ line: 1, text: '12/3/24, 25:15 - Ana: Hola' }])
  t.match(await read(''), [])
})

t.test('the first number is the day or the month, as the file says', async t => {
  const sense = (text: string) =>
    read(text).then(entries => {
      const made = createDateSense()
      for (const one of entries.filter(isEntry)) made.add(one)
      return made.reading()
    })
  const lines = (...dates: string[]) => dates.map(date => `${date}, 10:15 - Ana: x`).join('\n')
  t.match(await sense(lines('3/4/25', '13/4/25')), { order: 'dmy', isSure: true, impossible: 0 })
  t.match(await sense(lines('3/4/25', '3/14/25')), { order: 'mdy', isSure: true })
  t.match(await sense(lines('1/9/25', '2/9/25', '1/10/25')), { order: 'dmy', isSure: false }, 'months go on')
  t.match(await sense(lines('9/1/25', '9/2/25', '10/1/25')), { order: 'mdy', isSure: false })
  t.match(await sense(lines('4/4/25', '5/5/25')), { order: 'dmy', isSure: true }, 'both are the same days')
  t.match(await sense(lines('2025-04-03', '2025-04-13')), { order: 'ymd', isSure: true })
  t.match(await sense(lines('13/4/25', '31/2/25')), { order: 'dmy', impossible: 1 })
  t.match(await sense(lines('13/4/25', '2/5/25', '1/5/25')), {
    first: '2025-04-13T10:15:00',
    last: '2025-05-02T10:15:00',
  })
  t.match(await sense(''), { first: null, last: null, impossible: 0 })
})

t.test('files, edits and deletions are told from what people wrote', async t => {
  const file = { type: 'image', file: 'IMG-1.jpg', text: '' }
  for (const text of [
    'IMG-1.jpg (archivo adjunto)',
    '\u200eIMG-1.jpg (file attached)',
    'IMG-1.jpg (arquivo anexado)',
    '\u200e<adjunto: IMG-1.jpg>',
    '<attached: IMG-1.jpg>',
    '\u200e<anexado: IMG-1.jpg>',
  ])
    t.same(readEntryContent(text), file, text)
  t.same(readEntryContent('IMG-1.jpg (archivo adjunto)\nMirá\nesto'), { ...file, text: 'Mirá\nesto' })
  t.same(readEntryContent('Mirá \u200e<adjunto: IMG-1.jpg>'), { ...file, text: 'Mirá' })
  t.match(readEntryContent('PTT-20240312-WA0001.opus (archivo adjunto)'), { type: 'voice' })
  t.match(readEntryContent('STK-20240312-WA0001.webp (file attached)'), { type: 'sticker' })
  t.match(readEntryContent('\u200e<adjunto: 0003-contrato final.pdf>'), {
    type: 'document',
    file: '0003-contrato final.pdf',
  })
  t.match(readEntryContent('Ana.vcf (archivo adjunto)'), { type: 'document' })

  for (const text of ['<Multimedia omitido>', '<Media omitted>', '<Mídia oculta>'])
    t.same(readEntryContent(text), { type: 'document', text: '', file: null }, text)
  const left: Record<string, string> = {
    'imagen omitida': 'image',
    'image omitted': 'image',
    'imagem ocultada': 'image',
    'video omitido': 'video',
    'GIF omitted': 'video',
    'audio omitido': 'audio',
    'áudio ocultado': 'audio',
    'sticker omitido': 'sticker',
    'documento omitido': 'document',
  }
  for (const [text, type] of Object.entries(left)) {
    t.same(readEntryContent(`\u200e${text}`), { type, text: '', file: null }, text)
    t.same(readEntryContent(text), { type: 'text', text }, 'without the mark a person wrote it')
  }
  t.match(readEntryContent('contrato.pdf • \u200e3 páginas \u200edocumento omitido'), { type: 'document', file: null })

  for (const mark of ['<Se editó este mensaje.>', '<This message was edited>', '<Mensagem editada>'])
    t.same(readEntryContent(`Hola \u200e${mark}`), { type: 'text', text: 'Hola', isEdited: true }, mark)
  for (const text of [
    'Se eliminó este mensaje.',
    'Eliminaste este mensaje.',
    '\u200eThis message was deleted.',
    'You deleted this message',
    'Mensagem apagada',
  ])
    t.same(readEntryContent(text), { type: 'text', text: '', isDeleted: true }, text)
  t.same(readEntryContent('Ubicación: https://maps.google.com/?q=-34.6,-58.38'), {
    ...{ type: 'location', text: '' },
    location: { latitude: -34.6, longitude: -58.38 },
  })
  t.equal(readEntryContent('\u200eLos mensajes y las llamadas están cifrados de extremo a extremo.'), undefined)
  t.same(readEntryContent('Hola <adjunto> mundo'), { type: 'text', text: 'Hola <adjunto> mundo' })
})

t.test('other encodings, long lines and broken bytes are read', async t => {
  const text = '12/3/24, 10:15 - Ana: ñandú 🥐'
  t.match(await read(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])), [{ text: 'ñandú 🥐' }])
  t.match(await read(Buffer.concat([Buffer.from('12/3/24, 10:15 - Ana: a'), Buffer.from([0xff, 0, 0x62])])), [
    { text: 'a\ufffdb' },
  ])
  const [long] = (await read(`12/3/24, 10:15 - Ana: ${'a'.repeat(500_000)}\n12/3/24, 10:16 - Ana: b`, 65_536)) as [
    Entry,
  ]
  t.ok(long.text.length <= lineMaxChars)
  const many = await read(`12/3/24, 10:15 - Ana: a\n${'b\n'.repeat(100_000)}`, 65_536)
  t.equal(many.length, 1)
  t.ok((many[0] as Entry).text.length <= 65_536)
})

t.test('where the bytes are cut makes no difference, and no text breaks it', async t => {
  const piece = fc.oneof(
    fc.constantFrom('12/3/24, 10:15 - Ana: ', '[12/3/24, 10:15:02] Luis: ', '\n', '\r\n', '\u200e', ': ', '<adjunto: '),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 40 }), async (pieces, size) => {
      const text = pieces.join('')
      const whole = await read(text, 1_000_000)
      t.strictSame(await read(text, size), whole)
      for (const one of whole) {
        if (!isEntry(one)) continue
        if (!one.text.isWellFormed() || one.text.includes('\0')) return false
        readEntryContent(one.text)
      }
      return true
    }),
    { numRuns: 200 },
  )
})
