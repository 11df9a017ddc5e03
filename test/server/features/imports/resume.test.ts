/** An import that stops anywhere ends as one that ran through; hostile files bring nothing and say why. */

import t from 'tap'
import { createPieces } from '#server/features/imports/creating/pieces.ts'
import { findImport } from '#server/features/imports/store.ts'
import { createTaking } from '#server/features/imports/work/taking.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { rawZip } from '#test/helpers/raw-zip.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { zipOf } from '#test/helpers/zip-of.ts'
import { call, chat, getImport, mapping, picture, preview, take } from './stage.ts'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { databases, parts } = backend
const connected = async (orgName: string) => {
  const owner = await aMember({ databases, orgName })
  const headers = { cookie: owner.cookie }
  await backend.inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers })
  await backend.settle()
  return { ...owner, caller: { backend, cookie: owner.cookie } }
}

/** What came in, without what differs between two organizations and two runs. */
const contents = async (orgId: string) => {
  const messages = await databases.read
    .selectFrom('message')
    .leftJoin('media', 'media.message_id', 'message.id')
    .select(['message.at', 'message.direction', 'message.type', 'message.text', 'message.content'])
    .select(['message.status', 'message.revoked_at', 'message.edited_at', 'media.mime', 'media.size', 'media.sha256'])
    .where('message.org_id', '=', orgId)
    .where('message.type', '<>', 'activity')
    .orderBy('message.at')
    .orderBy('message.seq')
    .execute()
  const conversations = await databases.read
    .selectFrom('conversation')
    .select(['archived', 'unread', 'window_closes_at', 'last_message_at', 'last_message_text', 'last_activity_at'])
    .where('org_id', '=', orgId)
    .execute()
  return { messages, conversations }
}

t.test('an import that is killed after any batch and resumed equals one that ran through', async t => {
  const many = `${chat}${Array.from({ length: 40 }, (_, n) => `[14/3/24, 9:${10 + (n % 40)}:00] ${n % 3 ? 'Ana' : 'Panadería'}: mensaje ${n % 7}`).join('\r\n')}\r\n`
  const file = await zipOf({ '_chat.txt': many, '0001-foto.jpg': picture })
  const whole = await connected('Panadería')
  const one = await take(t, whole.caller, file)
  t.match(one.taken, { messages: 47, files: 1 })

  const broken = await connected('Otra')
  const { id } = await preview(t, broken.caller, file)
  const { orgId } = broken.member
  await call(broken.caller, 'POST', `/${id}/mapping`, mapping)
  const now = new Date().toISOString()
  await databases.write.updateTable('chat_import').set({ state: 'running' }).where('id', '=', id).execute()
  const storage = parts.storages.media
  const pieces = createPieces({ ...parts, storage })
  let stops = 0
  for (;;) {
    // Each run is stopped when it wants to store its second batch, as by a process that ends.
    const stop = new AbortController()
    const taking = createTaking({
      ...parts,
      pieces,
      messagesAtOnce: 4,
      readTimeZone: async () => defaultTimeZone,
      removeFile: path => storage.remove(path),
      importedMessages: {
        ...parts.importedMessages,
        async store(...of) {
          stop.abort()
          return parts.importedMessages.store(...of)
        },
      },
    })
    const stored = await findImport(databases.read, orgId, id)
    if (stored?.state !== 'running') break
    const outcome = await taking.take(orgId, stored, stop.signal)
    if (outcome?.kind === 'released') stops += 1
  }
  t.ok(stops > 5, `stopped ${stops} times`)
  t.ok(now)
  t.match(await getImport(broken.caller, id), { state: 'done', taken: one.taken })
  t.strictSame(await contents(orgId), await contents(whole.member.orgId))
})

t.test('hostile and broken files import nothing and name the reason', async t => {
  const { caller, member } = await connected('Tercera')
  const text = { name: '_chat.txt', body: Buffer.from(chat) }
  const good = await zipOf({ '_chat.txt': chat })
  const group = `${chat}[14/3/24, 9:00:00] Luis: Hola\r\n`
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['a name that leads elsewhere', rawZip([text, { name: '../../etc/passwd' }]), 'zipName'],
    ['an absolute name', rawZip([text, { name: '/etc/passwd' }]), 'zipName'],
    ['a name with a drive', rawZip([text, { name: 'C:\\x.txt' }]), 'zipName'],
    ['a link', rawZip([text, { name: 'foto.jpg', attributes: (0o120777 << 16) >>> 0 }]), 'zipLink'],
    ['the same name twice', rawZip([text, { name: 'a.jpg' }, { name: 'A.JPG' }]), 'zipTwice'],
    ['an encrypted file', rawZip([text, { name: 'a.jpg', flags: 0x801 }]), 'zipEncrypted'],
    ['a bomb', rawZip([text, { name: 'a.jpg', body: Buffer.alloc(8 * 1024 ** 2) }]), 'zipSize'],
    ['a file that lies about its size', rawZip([{ ...text, size: text.body.length + 5 }]), 'zipBroken'],
    ['no chat', rawZip([{ name: 'a.jpg' }]), 'noChat'],
    ['a file that was cut off', good.subarray(0, good.length - 40), 'notZip'],
    [
      'an archive by its first bytes only',
      Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(200, 7)]),
      'notZip',
    ],
    ['any bytes', Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 31) % 251)), 'noChat'],
    ['a group', Buffer.from(group), 'group'],
  ]
  for (const [name, file, failure] of cases)
    t.match(await preview(t, caller, file), { state: 'failed', failure, found: null }, name)
  t.same((await contents(member.orgId)).messages, [])
  t.same(backend.errors(), [])
})

t.test('a file that is named like a picture but is none is stored as a document', async t => {
  const { caller, member } = await connected('Cuarta')
  const text = '12/3/24, 10:15 - Ana: IMG-1.jpg (archivo adjunto)\n13/3/24, 10:15 - Panadería: ok\n'
  const page = '<html><script>alert(1)</script></html>'
  const one = await take(t, caller, await zipOf({ 'Chat de WhatsApp con Ana.txt': text, 'IMG-1.jpg': page }))
  t.match(one.taken, { messages: 2, files: 1 })
  const { messages } = await contents(member.orgId)
  t.match(messages[0], { type: 'document', mime: 'application/octet-stream' })
})
