/** An encrypted token that can no longer be decrypted affects only its own organization. */
import { createHmac } from 'node:crypto'
import t from 'tap'
import { startBackend } from '#test/helpers/backend.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'

const backend = await startBackend(t)
const broken = await aNeighbour(backend, { orgName: 'Rota', customer: '5491155550101' })
const sound = await aNeighbour(backend, { orgName: 'Sana', customer: '5491155550102' })
const { databases } = backend

const call = async (who: typeof broken, method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => {
  const answer = await backend.inject({
    method,
    url: `/api${path}`,
    headers: who.headers,
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const send = async (who: typeof broken, message: string) =>
  (await call(who, 'POST', '/whatsapp/messages', { message, numberTel: who.customer })).body as { id: string }
const stored = (id: string) =>
  databases.read
    .selectFrom('message')
    .select(['status', 'error_code', 'wamid'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const connectionOf = (who: typeof broken) =>
  databases.read
    .selectFrom('wa_connection')
    .selectAll()
    .where('org_id', '=', who.owner.org.id)
    .executeTakeFirstOrThrow()

const spoil = async (who: typeof broken) => {
  await databases.write
    .updateTable('wa_connection')
    .set({ access_token_sealed: 'v1.AAAA', app_secret_sealed: 'v1.AAAA', verify_token_sealed: 'v1.AAAA' })
    .set({ updated_at: backend.clock.now().toISOString() })
    .where('org_id', '=', who.owner.org.id)
    .execute()
  backend.clock.advance(6_000)
}

t.test('other organizations keep sending, and its own messages fail with a reason that names the fix', async t => {
  await spoil(broken)
  const lost = await send(broken, 'no puede salir')
  const other = await send(sound, 'sí sale')
  await backend.settle()
  t.match(await stored(lost.id), { status: 'failed', error_code: 'KEYS_UNREADABLE' })
  t.ok((await stored(other.id)).wamid, 'the other organization is served')
  t.match(await connectionOf(broken), { status: 'reauthorise', status_reason: 'KEYS_UNREADABLE' })
  t.match(await connectionOf(sound), { status: 'connected' })
})

t.test('its webhooks are refused, those of the others are applied', async t => {
  const deliver = async (who: typeof broken, secret: string) => {
    const raw = Buffer.from('{"object":"whatsapp_business_account","entry":[]}')
    const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
    const { id } = await connectionOf(who)
    return (
      await backend.inject({
        method: 'POST',
        url: `/webhooks/whatsapp/${id}`,
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
        payload: raw,
      })
    ).statusCode
  }
  t.ok((await deliver(broken, 'whatever')) < 500, 'Meta will retry later')
  await call(sound, 'POST', '/sandbox/inbound', { from: sound.customer, text: 'hola de nuevo' })
  await backend.settle()
  const waiting = await databases.read.selectFrom('webhook_journal').select('seq').where('state', '=', 0).execute()
  t.same(waiting, [], 'nothing is waiting')
})

t.test('its webhooks that were stored before are still routed', async t => {
  const { phone_number_id: phoneNumberId } = await connectionOf(broken)
  const raw = Buffer.from(
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'messages',
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: '1', phone_number_id: phoneNumberId },
                contacts: [{ wa_id: broken.customer, profile: { name: 'x' } }],
                messages: [
                  {
                    id: 'wamid.late',
                    from: broken.customer,
                    timestamp: '1795000000',
                    type: 'text',
                    text: { body: 'tarde' },
                  },
                ],
              },
            },
          ],
        },
      ],
    }),
  )
  const { id } = await connectionOf(broken)
  await backend.parts.journal.append({ connectionId: id, raw })
  // Received through another organization's connection: whose app signed it cannot be determined.
  await backend.parts.journal.append({
    connectionId: (await connectionOf(sound)).id,
    raw: Buffer.from(raw.toString().replace('wamid.late', 'wamid.forged')),
  })
  backend.parts.derive.wake()
  await backend.parts.derive.drain()
  const texts = await databases.read
    .selectFrom('message')
    .select(['wamid', 'org_id'])
    .where('wamid', 'in', ['wamid.late', 'wamid.forged'])
    .execute()
  t.same(texts, [{ wamid: 'wamid.late', org_id: broken.owner.org.id }])
})

t.test('the connection’s page says so, and connecting again fixes it', async t => {
  const seen = await call(broken, 'GET', '/whatsapp/connection')
  t.match(seen, { status: 200, body: { status: 'reauthorise', verifyToken: '' } })
  t.match(seen.body.statusReason, /AUTH_SECRET|volver a conectar/i)
  const before = await connectionOf(broken)
  t.match(await call(broken, 'POST', '/whatsapp/connection/sandbox'), { status: 200, body: { status: 'connected' } })
  t.equal((await connectionOf(broken)).id, before.id, 'at the same webhook address')
  const again = await send(broken, 'ahora sí')
  await backend.settle()
  t.not((await stored(again.id)).status, 'failed')
})

t.test('secrets that can be decrypted again are used again, without connecting', async t => {
  const good = await connectionOf(sound)
  await spoil(sound)
  const lost = await send(sound, 'no puede salir')
  await backend.settle()
  t.match(await stored(lost.id), { error_code: 'KEYS_UNREADABLE' })
  const { access_token_sealed, app_secret_sealed, verify_token_sealed, updated_at } = good
  await databases.write
    .updateTable('wa_connection')
    .set({ access_token_sealed, app_secret_sealed, verify_token_sealed, updated_at })
    .where('id', '=', good.id)
    .execute()
  backend.clock.advance(6_000)
  const sent = await send(sound, 'otra vez')
  await backend.settle()
  t.not((await stored(sent.id)).status, 'failed')
  t.match(await connectionOf(sound), { status: 'connected', status_reason: null })
})

t.test('health reports waiting work per kind, without names', async t => {
  const { body } = await backend.inject({ method: 'GET', url: '/readyz' })
  const health = JSON.parse(body)
  for (const kind of ['journal', 'outbox.message', 'media', 'push']) t.type(health.waitingSeconds[kind], 'number', kind)
  t.same(
    new Set(Object.values(health.waitingSeconds)),
    new Set([0]),
    'what cannot be sent has failed and does not wait',
  )
})
