/** Which members see from a message that it belongs to a bulk send. */
import t from 'tap'
import type { MessageInfo } from '#shared/inbox/message-info.ts'
import { aMember } from '#test/helpers/actors.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('a message shows its send to members who may see the send, and other messages show none', async t => {
  const { create, recipients, backend, owner, ask, askAs, later } = await stage(t)
  const [phone] = phones(1) as [string]
  const send = await create({ audience: { numbers: phone }, startIfPlanned: 1 })
  for (let i = 0; i < 3; i += 1) await later(20_000)
  const [recipient] = await recipients(send)
  const as = async (role: string) =>
    askAs((await aMember({ databases: backend.databases, org: owner.org, role })).cookie)
  const sendOf = async (call: typeof ask, id = recipient?.id) =>
    (await call<MessageInfo>('GET', `/whatsapp/messages/${id}/info`)).json.bulkSend
  t.equal(await sendOf(ask), send.id)
  t.equal(await sendOf(await as('admin')), send.id)
  t.equal(await sendOf(await as('developer')), null, 'whose role sends to nobody')
  await ask('POST', '/sandbox/inbound', { from: phone, type: 'text', text: 'Hola' })
  await later(1_000)
  const { json } = await ask<{ id: string }>('POST', '/whatsapp/messages', {
    type: 'text',
    message: 'Hola',
    numberTel: phone,
  })
  t.equal(await sendOf(ask, json.id), null)
  t.same(backend.errors(), [])
})
