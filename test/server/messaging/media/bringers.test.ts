import t from 'tap'
import { forgetBringersWhoLeft } from '#server/messaging/media/bringers.ts'
import { broughtTables } from '#server/messaging/media/bringers-store.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const file = { mime: 'image/png', name: 'x', size: 1, sha256: '', path: '' }

t.test('files stay, without an uploader, after the uploader’s account or API key is deleted', async t => {
  const backend = await startBackend(t)
  const { databases } = backend
  const owner = await aMember({ databases, orgName: 'Panadería' })
  const leaver = await aPerson({ databases })
  const key = await aKey(backend.app, owner.cookie)
  const goneKey = newId()
  const bring = async (broughtBy: string, count = 1) => {
    for (let i = 0; i < count; i += 1)
      await databases.write
        .insertInto('template_media')
        .values({ id: newId(), org_id: owner.org.id, brought_by: broughtBy, created_at: '', ...file })
        .execute()
    const answer = { id: newId(), org_id: owner.org.id, author_id: owner.user.id, shared: 1, shortcut: newId() }
    await databases.write
      .insertInto('ready_answer')
      .values({ ...answer, title: '', text: '' })
      .execute()
    await databases.write
      .insertInto('ready_answer_file')
      .values({
        ...file,
        kind: 'image',
        id: newId(),
        answer_id: answer.id,
        org_id: owner.org.id,
        brought_by: broughtBy,
      })
      .execute()
  }
  await bring(owner.user.id)
  await bring(key.id)
  await bring(leaver.user.id, 450)
  await bring(goneKey)
  t.equal(await forgetBringersWhoLeft(databases), 2, 'of the key that is gone')
  await databases.write.deleteFrom('user').where('id', '=', leaver.user.id).execute()
  t.equal(await forgetBringersWhoLeft(databases), 451)
  t.equal(await forgetBringersWhoLeft(databases), 0)
  for (const table of broughtTables) {
    const rows = await databases.read.selectFrom(table).select('brought_by').execute()
    const named = rows.flatMap(row => row.brought_by ?? [])
    t.same(named.sort(), [owner.user.id, key.id].sort(), table)
    t.equal(rows.length, table === 'template_media' ? 453 : 4)
  }
  t.same(backend.errors(), [])
})
