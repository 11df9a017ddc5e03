/** Imported messages in the rest of the product: room, age, erasure, archive. */
import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { zipOf } from '#test/helpers/zip-of.ts'
import { anExport, call, customer, getImport, mapping, picture, preview, take } from './stage.ts'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { databases } = backend
const connected = async (orgName: string) => {
  const owner = await aMember({ databases, orgName })
  const headers = { cookie: owner.cookie }
  await backend.inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers })
  await backend.settle()
  return { owner, headers, caller: { backend, cookie: owner.cookie }, orgId: owner.org.id }
}
const countMessages = async (orgId: string) =>
  (await databases.read.selectFrom('message').select('id').where('org_id', '=', orgId).execute()).length

t.test('where no room is left for files, an import waits and goes on', async t => {
  const { caller, orgId } = await connected('Panadería')
  const { id } = await preview(t, caller, await anExport())
  await call(caller, 'POST', `/${id}/mapping`, mapping)

  await databases.write
    .updateTable('file_use')
    .set({ bytes: 10 ** 12 })
    .where('org_id', '=', orgId)
    .execute()
  await call(caller, 'POST', `/${id}/start`)
  await backend.settle()
  t.match(await getImport(caller, id), { state: 'paused', failure: 'noRoom' })
  await databases.write.updateTable('file_use').set({ bytes: 0 }).where('org_id', '=', orgId).execute()
  await call(caller, 'POST', `/${id}/resume`)
  await backend.settle()
  t.match(await getImport(caller, id), { state: 'done', failure: null, taken: { messages: 7, files: 1 } })
})

t.test('an erased contact takes the imported messages along, and what the import knew of them', async t => {
  const { caller, headers, orgId } = await connected('Otra')
  const one = await take(t, caller, await anExport())
  t.equal(await countMessages(orgId), 8)
  const reply = await backend.inject({
    ...{ method: 'POST', url: `/api/whatsapp/conversations/${customer}/erasure`, headers },
    payload: { reason: 'asked', confirm: `+${customer}` },
  })
  t.ok(reply.statusCode < 300, reply.body)
  await backend.settle()
  t.equal(await countMessages(orgId), 0)
  const after = await getImport(caller, one.id)
  t.match(after, { fileName: null, mapping: {}, found: null })
  t.notOk(JSON.stringify(after).includes('Ana,'))
})

t.test("imported messages are in the organization's archive, and go with age", async t => {
  const { caller, headers, orgId } = await connected('Tercera')
  await take(
    t,
    caller,
    await zipOf({ '_chat.txt': '12/3/24, 10:15 - Ana: Hola\n13/3/24, 9:00 - Panadería: Chau\n', 'a.png': picture }),
  )
  const prepared = await backend.inject({ method: 'POST', url: '/api/organization/export', headers })
  t.match(prepared.json(), { messages: 3, contacts: 1 })
  await backend.settle()
  const changed = await backend.inject({
    method: 'PUT',
    url: '/api/organization/retention',
    headers,
    payload: { months: 12 },
  })
  t.ok(changed.statusCode < 300, changed.body)
  t.equal(await countMessages(orgId), 3)
  backend.clock.advance(24 * 3_600_000)
  await backend.settle()
  t.equal(await countMessages(orgId), 0)
})
