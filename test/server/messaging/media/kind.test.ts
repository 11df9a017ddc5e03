import t from 'tap'
import { detectType } from '#server/messaging/media/content-type.ts'
import { anyFile, dispositionOf, isShown, servedType } from '#server/messaging/media/kind.ts'

const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex')
const mp4 = Buffer.from('\0\0\0\x18ftypmp42', 'latin1')
const served = async (declared: string, head: Buffer) => servedType(declared, await detectType(head))
const zip = Buffer.from('PK\x03\x04', 'latin1')

t.test('bytes that match the declared type keep it, without its parameters', async t => {
  t.equal(await served('image/jpeg', jpeg), 'image/jpeg')
  t.equal(await served('audio/ogg; codecs=opus', Buffer.from('OggS\0')), 'audio/ogg')
  t.equal(await served('video/mp4', mp4), 'video/mp4')
  t.equal(await served('audio/mp4', mp4), 'audio/mp4')
  t.equal(await served('application/pdf', Buffer.from('\n%PDF-1.7')), 'application/pdf')
  t.equal(await served('image/webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')), 'image/webp')
  t.equal(await served('audio/amr', Buffer.from('#!AMR\n\x3c\x01\x02', 'latin1')), 'audio/amr')
})

t.test('bytes of another known type get that type', async t => {
  t.equal(await served('image/png', jpeg), 'image/jpeg')
  t.equal(await served('text/html', jpeg), 'image/jpeg')
})

t.test('content that could run, or that does not match its claimed type, gets no type', async t => {
  const html = Buffer.from('<html><script>alert(1)</script>')
  for (const declared of [
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/javascript',
    'image/jpeg',
    'application/pdf',
    'video/mp4',
    '',
  ])
    t.equal(await served(declared, html), anyFile, declared)
  t.notOk(isShown(anyFile))
})

t.test('documents keep their name and are only downloaded', async t => {
  const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  for (const declared of [docx, 'application/msword', 'text/plain', 'text/csv', 'application/zip']) {
    t.equal(await served(declared, zip), declared)
    t.notOk(isShown(declared))
  }
})

t.test('the name in the disposition is the customer’s, without misleading characters', async t => {
  const of = (name: string | null, mime = 'application/pdf') => dispositionOf({ id: '0123456789abcdef', mime, name })
  t.equal(of('presupuesto.pdf'), 'inline; filename="presupuesto.pdf"; filename*=UTF-8\'\'presupuesto.pdf')
  t.equal(
    of('año nuevo.zip', 'application/zip'),
    'attachment; filename="ano nuevo.zip"; filename*=UTF-8\'\'a%C3%B1o%20nuevo.zip',
  )
  t.match(of('../../etc/passwd'), /filename="_\.\._etc_passwd"/)
  t.match(of('a"\r\nset-cookie: x.pdf'), /filename="a_set-cookie_ x\.pdf"/)
  t.match(of('factura\u202efdp.exe', anyFile), /^attachment; filename="facturafdp\.exe"/)
  t.match(of('🎂', 'image/jpeg'), /filename="file"; filename\*=UTF-8''%F0%9F%8E%82/)
  t.match(of(null, 'image/jpeg'), /filename="whatsapp-89abcdef\.jpg"/)
  t.match(of('\ud800', anyFile), /filename="file"/)
})
