import t from 'tap'
import { actionOfFile, actionOfVoice, blobOf, maxFileBytes } from '#client/simulator/files.ts'
import { SandboxInbound } from '#shared/simulator/inbound.ts'

const kinds = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/webp': 'sticker',
  'image/gif': 'document',
  'video/mp4': 'video',
  'audio/ogg; codecs=opus': 'audio',
  'application/pdf': 'document',
  '': 'document',
}

t.test('a file is sent as the kind WhatsApp would choose', async t => {
  for (const [mime, type] of Object.entries(kinds))
    t.match(await actionOfFile(new File(['x'], 'algo', { type: mime })), { type }, mime)
  t.match(await actionOfFile(new File(['x'], 'lista.pdf', { type: 'application/pdf' })), { filename: 'lista.pdf' })
})

t.test('the largest accepted file fits the contract, byte for byte', async t => {
  const bytes = Uint8Array.from({ length: maxFileBytes }, (_, i) => i % 251)
  const { dataBase64 = '' } = await actionOfFile(new File([bytes], 'x.jpg', { type: 'image/jpeg' }))
  t.ok(dataBase64.length <= ((SandboxInbound.properties.dataBase64 as { maxLength?: number }).maxLength ?? 0))
  t.ok(Buffer.from(await blobOf(dataBase64, 'image/jpeg').arrayBuffer()).equals(Buffer.from(bytes)))
})

t.test('a recording is sent as a voice message', async t => {
  t.match(await actionOfVoice(new Blob(['OggS'])), { type: 'voice', dataBase64: btoa('OggS') })
})
