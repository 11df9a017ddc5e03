/**
 * Two organizations side by side: whatever one of them sends in the largest and most webhooks, a message of the other's
 * customer is in its inbox within a second of processor time. One case for each way in which a webhook can be
 * expensive.
 */
import t from 'tap'
import { webhookLimitBytes } from '#shared/kernel/limits.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { signatureOf, textWebhook } from '#test/helpers/webhooks.ts'

t.setTimeout(fileTimeoutMs)

const longestCpuMs = 1000
const bytesEach = 1_700_000
const from = (i: number) => `54911${10_000_000 + i}`
const text = (i: number, who: number, mark: string) =>
  `{"id":"wamid.${mark}${i}","from":"${from(who)}","to":"${from(who)}","timestamp":"1795179600","type":"text","text":{"body":"x"}}`
const fill = (unit: (i: number) => string, bytes = bytesEach, most = 14_000): string => {
  const parts: string[] = []
  for (let i = 0, size = 0; i < most && size < bytes; i += 1) {
    const part = unit(i)
    size += part.length + 1
    parts.push(part)
  }
  return parts.join(',')
}

/** What arrives for one number: the field, and the list in its value. */
const loads: Record<string, { field: string; rest: () => string; times: number }> = {
  'three of 14,000 messages of as many customers': {
    field: 'messages',
    times: 3,
    rest: () => `"messages":[${fill(i => text(i, i, 'm'))}]`,
  },
  'three of 14,000 messages of one customer': {
    field: 'messages',
    times: 3,
    rest: () => `"messages":[${fill(i => text(i, 1, 'o'))}]`,
  },
  'three full of statuses': {
    field: 'messages',
    times: 3,
    rest: () =>
      `"statuses":[${fill(i => `{"id":"wamid.s${i}","status":"read","timestamp":"1795179600","recipient_id":"${from(i)}"}`)}]`,
  },
  'three full of echoes': {
    field: 'smb_message_echoes',
    times: 3,
    rest: () => `"message_echoes":[${fill(i => text(i, i, 'e'))}]`,
  },
  'three full of past conversations': {
    field: 'history',
    times: 3,
    rest: () => `"history":[{"threads":[${fill(i => `{"id":"${from(i)}","messages":[${text(i, i, 'h')}]}`)}]}]`,
  },
  'three full of changed numbers': {
    field: 'user_id_update',
    times: 3,
    rest: () =>
      `"user_id_update":[${fill(i => `{"wa_id":"${from(i)}","user_id":{"previous":"AR.${i}","current":"AR.9${i}"}}`)}]`,
  },
  'sixty of 400 messages': {
    field: 'messages',
    times: 60,
    rest: () => `"messages":[${fill(i => text(i, i, 'k'), webhookLimitBytes, 400)}]`,
  },
}

for (const [about, { field, rest, times }] of Object.entries(loads))
  t.test(about, async t => {
    const backend = await startBackend(t)
    const connect = async (name: string) => {
      const owner = await aMember({ databases: backend.databases, orgName: name, email: `${name}@example.com` })
      const headers = { cookie: owner.cookie }
      await backend.inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers })
      const keys = await connectionKeys(backend.parts, owner.org.id)
      if (!keys) throw new Error('not connected')
      return keys
    }
    const [busy, quiet] = [await connect('ruidosa'), await connect('tranquila')]
    const post = (to: typeof busy, payload: Buffer) =>
      backend.inject({
        method: 'POST',
        url: `/webhooks/whatsapp/${to.id}`,
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(payload, to.appSecret) },
        payload,
      })
    const message = async (n: number) => {
      const wamid = `wamid.quiet${n}`
      const before = process.cpuUsage()
      const payload = textWebhook({ phoneNumberId: quiet.phoneNumberId, wabaId: quiet.wabaId, from: from(n), wamid })
      t.equal((await post(quiet, payload)).statusCode, 200)
      const isThere = () =>
        backend.databases.read.selectFrom('message').select('seq').where('wamid', '=', wamid).executeTakeFirst()
      while (!(await isThere())) await new Promise(resolve => setImmediate(resolve))
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    await message(0)
    const metadata = `"metadata":{"phone_number_id":"${busy.phoneNumberId}"}`
    for (let n = 0; n < times; n += 1) {
      const list = rest().replaceAll('wamid.', `wamid.${n}.`)
      const value = `{"messaging_product":"whatsapp",${metadata},${list}}`
      const payload = Buffer.from(
        `{"object":"whatsapp_business_account","entry":[{"id":"${busy.wabaId}","changes":[{"field":"${field}","value":${value}}]}]}`,
      )
      t.equal((await post(busy, payload)).statusCode, 200)
    }
    const took: number[] = []
    for (let n = 1; n <= 4; n += 1) took.push(Math.round(await message(n)))
    t.ok(Math.max(...took) <= longestCpuMs, `${took.join(', ')} ms`)
    const waiting = await backend.databases.read
      .selectFrom('webhook_journal')
      .select('seq')
      .where('state', '=', 0)
      .where('connection_id', '=', busy.id)
      .execute()
    t.ok(waiting.length > 0, 'the other organization still had many waiting')
  })
