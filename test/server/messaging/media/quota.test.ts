/** The limit on an organization's stored bytes, and who is notified when it is reached. */
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { createFileQuota } from '#server/messaging/media/quota.ts'
import { aMember } from '#test/helpers/actors.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const png = Buffer.from(pixel, 'base64')
const customer = '5491155550100'
const tables = ['media', 'template_media', 'ready_answer_file', 'received_file'] as const

const quotaStage = async (t: Test, env: Record<string, string> = {}) => {
  const all = await chatStage(t, { env })
  const { databases, owner, backend } = all
  const limit = (bytes: number | null) =>
    databases.write
      .insertInto('org_settings')
      .values({
        org_id: owner.org.id,
        time_zone: null,
        language: null,
        country: null,
        files_limit_bytes: bytes,
        updated_at: '',
      })
      .onConflict(conflict => conflict.column('org_id').doUpdateSet({ files_limit_bytes: bytes }))
      .execute()
  /** The used bytes as counted by the database, compared with the sum of the rows. */
  const used = async (orgId = owner.org.id) => {
    const { bytes } = (await databases.read
      .selectFrom('file_use')
      .select('bytes')
      .where('org_id', '=', orgId)
      .executeTakeFirst()) ?? { bytes: 0 }
    let sum = 0
    for (const table of tables) {
      const { rows } = await sql<{ size: number | null }>`select size from ${sql.table(table)}
        where org_id = ${orgId} and path is not null`.execute(databases.read)
      for (const { size } of rows) sum += Number(size ?? 0)
    }
    t.equal(bytes, sum, 'counted as it is')
    return bytes
  }
  const upload = async (bytes: Buffer, cookie = owner.cookie) => {
    const reply = await backend.inject({
      method: 'POST',
      url: '/api/whatsapp/template/media?name=foto.png',
      headers: { cookie, 'content-type': 'application/octet-stream', 'accept-language': 'es' },
      payload: bytes,
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const notices = async () => {
    const rows = await databases.read.selectFrom('notification').select(['words', 'user_id']).execute()
    return rows.map(row => ({ key: JSON.parse(row.words ?? '{}').key, userId: row.user_id }))
  }
  return { ...all, limit, used, upload, notices }
}

t.test('a file is counted when it is stored, changes owner and is deleted', async t => {
  const { backend, used, call, owner, upload, databases } = await quotaStage(t)
  t.equal(await used(), 0)
  t.equal((await upload(png)).status, 201)
  t.equal(await used(), png.length)
  await call('POST', '/sandbox/inbound', { from: customer, type: 'image' })
  await backend.settle()
  const withMessage = await used()
  t.ok(withMessage > png.length)
  const { body } = await call('GET', '/organization/files')
  t.match(body, { bytes: withMessage, limitBytes: 20 * 2 ** 30, mostBytes: 20 * 2 ** 30 })
  await databases.write.deleteFrom('message').where('org_id', '=', owner.org.id).execute()
  t.equal(await used(), png.length)
  await databases.write.deleteFrom('template_media').where('org_id', '=', owner.org.id).execute()
  t.equal(await used(), 0)
  t.same(backend.errors(), [])
})

t.test(
  'a file that does not fit is refused with a message and leaves nothing; concurrent uploads cannot exceed the limit',
  async t => {
    const { backend, limit, used, upload, databases, owner } = await quotaStage(t)
    await limit(png.length * 2)
    const replies = await Promise.all(Array.from({ length: 6 }, () => upload(png)))
    t.equal(replies.filter(({ status }) => status === 201).length <= 2, true)
    t.ok(replies.some(({ status }) => status === 413))
    const again = await upload(Buffer.concat([png, png]))
    t.match(again, { status: 413, body: { code: 'MEDIA_NO_ROOM', message: /lugar para archivos/ } })
    t.ok((await used()) <= png.length * 2)
    t.same(
      await databases.read.selectFrom('received_file').selectAll().where('org_id', '=', owner.org.id).execute(),
      [],
    )
    // Another organization is not affected.
    const other = await aMember({ databases, orgName: 'Kiosco' })
    t.equal((await upload(png, other.cookie)).status, 201)
    t.same(backend.errors(), [])
  },
)

t.test('owners are notified once when little space is left, and once when none is', async t => {
  const { backend, limit, upload, notices, owner, databases } = await quotaStage(t)
  await aMember({ databases, org: owner.org, role: 'member' })
  await limit(png.length * 5)
  for (let i = 0; i < 3; i += 1) await upload(png)
  t.same(await notices(), [])
  await upload(png)
  t.same(await notices(), [{ key: 'filesNearlyFull', userId: owner.user.id }])
  for (let i = 0; i < 3; i += 1) await upload(png)
  await backend.settle()
  t.same((await notices()).map(({ key }) => key).sort(), ['filesFull', 'filesNearlyFull'])
  // Space was freed, so the next time they are notified again.
  await databases.write.deleteFrom('template_media').where('org_id', '=', owner.org.id).execute()
  for (let i = 0; i < 4; i += 1) await upload(png)
  t.equal((await notices()).filter(({ key }) => key === 'filesNearlyFull').length, 2)
})

t.test(
  'a message whose file does not fit is shown with the reason, and its file comes once there is space',
  async t => {
    const { backend, limit, call, clock, notices } = await quotaStage(t)
    await limit(10)
    await call('POST', '/sandbox/inbound', { from: customer, type: 'image', caption: 'así' })
    await backend.settle()
    const message = async () => (await call('GET', `/whatsapp/chats/${customer}`)).body.items[0]
    const refused = await message()
    t.match(refused, { text: 'así', media: { state: 'failed', problem: 'noRoom' } })
    t.same((await notices()).filter(({ key }) => key === 'filesFull').length, 1)
    const retry = () => call('POST', `/whatsapp/media/${refused.media.url.split('/').at(-1)}/retry`)
    await retry()
    clock.advance(60_000)
    await backend.settle()
    t.match(await message(), { media: { state: 'failed', problem: 'noRoom' } })
    await limit(null)
    await retry()
    clock.advance(60_000)
    await backend.settle()
    const kept = await message()
    t.match(kept, { media: { state: 'stored' } })
    t.equal(kept.media.problem, undefined)
    t.same(backend.errors(), [])
  },
)

t.test('an organization may set a lower limit than the installation’s, not a higher one', async t => {
  const { call } = await quotaStage(t, { FILES_QUOTA: '1GB' })
  const set = (filesLimitBytes: number | null) => call('PATCH', '/organization/settings', { filesLimitBytes })
  t.match(await set(2 * 2 ** 30), { status: 400, body: { details: [{ field: 'body.filesLimitBytes' }] } })
  t.match(await set(1000), { status: 400, body: { details: [{ field: 'body.filesLimitBytes' }] } })
  t.match(await set(200 * 2 ** 20), { status: 200, body: { filesLimitBytes: 200 * 2 ** 20 } })
  t.match(await call('GET', '/organization/files'), { body: { limitBytes: 200 * 2 ** 20, mostBytes: 2 ** 30 } })
  // Other settings do not change it.
  t.match(await call('PATCH', '/organization/settings', { country: 'UY' }), {
    body: { filesLimitBytes: 200 * 2 ** 20 },
  })
  t.match(await set(null), { status: 200, body: { filesLimitBytes: null } })
  t.match(await call('GET', '/organization/files'), { body: { limitBytes: 2 ** 30 } })
})

t.test('a member who may not change the organization does not see its used bytes', async t => {
  const { call, owner, databases } = await quotaStage(t)
  const viewer = await aMember({ databases, org: owner.org, role: 'viewer' })
  t.equal((await call('GET', '/organization/files', undefined, viewer)).status, 403)
  const admin = await aMember({ databases, org: owner.org, role: 'admin' })
  t.equal((await call('GET', '/organization/files', undefined, admin)).status, 200)
})

t.test('of concurrent files that do not fit together, those that fit are stored, in starting order', async t => {
  const { databases, owner, backend, limit, upload } = await quotaStage(t)
  const { notifyRoles } = backend.parts.notifications
  const quota = createFileQuota({ ...backend.parts, notifyRoles, mostBytes: null })
  const orgId = owner.org.id
  await limit(100)
  let begun = 0
  const allBegan = Promise.withResolvers<void>()
  /** One byte a turn, the second one not before `until`. */
  const aFile = async function* (bytes: number, until?: Promise<void>) {
    begun += 1
    if (begun === 8) allBegan.resolve()
    for (let i = 0; i < bytes; i += 1) {
      if (i === 1) await until
      await new Promise(resolve => setImmediate(resolve))
      yield new Uint8Array(1)
    }
  }
  const drain = async (body: AsyncIterable<Uint8Array>) => {
    let size = 0
    for await (const chunk of body) size += chunk.length
    return { size }
  }
  const isStored = (body: AsyncIterable<Uint8Array>) =>
    quota.store(orgId, body, drain).then(
      () => true,
      error => {
        t.equal(error.code, 'MEDIA_NO_ROOM')
        return false
      },
    )
  // A database that answers slowly would let the first ones end before the last ones begin.
  const together = await Promise.all(Array.from({ length: 8 }, () => isStored(aFile(30, allBegan.promise))))
  t.same(together, [true, true, true, false, false, false, false, false])

  const { promise, resolve } = Promise.withResolvers<void>()
  const slow = isStored(aFile(90, promise))
  t.equal(await isStored(aFile(60)), true, 'one that has hardly begun keeps nobody out')
  resolve()
  t.equal(await slow, false, 'and finds the room taken')

  const held = Promise.withResolvers<void>()
  const last = isStored(aFile(2, held.promise))
  await limit(null)
  t.equal((await upload(png)).status, 201)
  await limit(png.length + 10)
  t.equal(await isStored(aFile(20)), false)
  await databases.write.deleteFrom('template_media').where('org_id', '=', orgId).execute()
  t.equal(await isStored(aFile(20)), true, 'what was deleted meanwhile has made room')
  held.resolve()
  t.equal(await last, true)
})
