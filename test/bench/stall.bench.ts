import { createHmac } from 'node:crypto'
import { anonymousLimitValues, bodyLimitBytes, bodyLimitValues, webhookLimitBytes } from '#shared/limits.ts'
import { startChild } from './parts/child.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { bound, report } from './parts/report.ts'

export const name = 'stall'
export const title = 'How long one request or webhook of the largest size holds the event loop'

const longestTurnMs = 50

interface Call {
  method: string
  url: string
  bodyLimit?: number
  bodyValues?: number
}

const fill = (unit: (i: number) => string, bytes: number, most = Number.POSITIVE_INFINITY): string => {
  const parts: string[] = []
  for (let i = 0, size = 0; i < most; i += 1) {
    const part = unit(i)
    size += part.length + 1
    if (size > bytes) break
    parts.push(part)
  }
  return parts.join(',')
}

/** The costliest bodies that are let in: as many values, and as many bytes, as the limits allow. */
const bodiesOf = ({ bodyLimit = bodyLimitBytes, bodyValues = bodyLimitValues }: Call): Record<string, string> => ({
  'most values': `{"a":[${fill(() => '{}', bodyLimit - 10, bodyValues / 2 - 2)}]}`,
  'most fields': `{${fill(i => `"k${i}":{}`, bodyLimit - 10, bodyValues / 2 - 2)}}`,
  'most bytes': `{"a":"${'ñ'.repeat((bodyLimit - 10) >> 1)}"}`,
  'too many values': `[${fill(() => '{}', bodyLimit - 10)}]`,
})

const webhooksOf = ({ wabaId, phoneNumberId }: Installation['connection']): Record<string, string> => {
  const room = webhookLimitBytes - 1000
  const changes = (list: string) =>
    `{"object":"whatsapp_business_account","entry":[{"id":"${wabaId}","changes":[${list}]}]}`
  const metadata = `"metadata":{"phone_number_id":"${phoneNumberId}"}`
  const value = (field: string, key: string, list: string) =>
    changes(`{"field":"${field}","value":{${metadata},"${key}":[${list}]}}`)
  const from = (i: number) => `54911${10_000_000 + i}`
  const text = (i: number, who: number) =>
    `{"id":"wamid.${who}.${i}","from":"${from(who)}","timestamp":"1795179600","type":"text","text":{"body":"x"}}`
  const form = `"[${'{},'.repeat(400)}{}]"`
  return {
    'changes nobody knows': changes(fill(() => '{"field":"z","value":{}}', room, 37_000)),
    'entries without changes': `{"entry":[${fill(() => '{"changes":[]}', room, 37_000)}]}`,
    'empty changes': changes(fill(() => '{"field":"messages","value":{"messages":[]}}', room, 24_000)),
    'fields of one value': changes(`{"field":"z","value":{${fill(i => `"${i.toString(36)}":1`, room, 149_000)}}}`),
    statuses: value(
      'messages',
      'statuses',
      fill(
        i => `{"id":"wamid.${i}","status":"read","timestamp":"1795179600","recipient_id":"${from(i)}"}`,
        room,
        20_000,
      ),
    ),
    'messages of one': value(
      'messages',
      'messages',
      fill(i => text(i, 1), room, 3000),
    ),
    'messages of many': value(
      'messages',
      'messages',
      fill(i => text(i, i), room, 3000),
    ),
    echoes: value(
      'smb_message_echoes',
      'message_echoes',
      fill(
        i => `{"id":"wamid.e${i}","to":"${from(i)}","timestamp":"1795179600","type":"text","text":{"body":"x"}}`,
        room,
        3000,
      ),
    ),
    history: value(
      'history',
      'history',
      `{"threads":[{"id":"${from(1)}","messages":[${fill(i => text(i, 1), room, 3000)}]}]}`,
    ),
    'numbers of people': value(
      'user_id_update',
      'user_id_update',
      fill(i => `{"wa_id":"${from(i)}","user_id":{"previous":"AR.${i}","current":"AR.9${i}"}}`, room, 3000),
    ),
    forms: value(
      'messages',
      'messages',
      fill(
        i =>
          `{"id":"wamid.f${i}","from":"${from(1)}","type":"interactive","interactive":{"type":"nfm_reply","nfm_reply":{"response_json":${form}}}}`,
        room,
      ),
    ),
    contacts: changes(
      `{"field":"messages","value":{${metadata},"contacts":[${fill(i => `{"wa_id":"${from(i)}","profile":{"name":"José"}}`, room, 35_000)}],"messages":[${text(1, 7)}]}}`,
    ),
    'one long text': value(
      'messages',
      'messages',
      `{"id":"wamid.L","from":"${from(1)}","type":"text","text":{"body":"${'a'.repeat(room - 500)}"}}`,
    ),
    'long integers': `{"entry":[${fill(() => '12345678901234567', room, 149_000)}]}`,
    'too many values': `[${fill(() => '{}', room)}]`,
  }
}

/** Every call of the contracts and every kind of webhook at its largest; the worst first. */
export async function run(args: readonly string[]): Promise<boolean> {
  const place = await openInstallation({ conversations: 1000, messages: 20_000 })
  const child = await startChild('test/bench/subjects/stall.ts', { env: place.env })
  const turns: { what: string; cpuMs: number; wallMs: number }[] = []
  const measure = async (what: string, work: () => Promise<unknown>) => {
    await child.ask('longest')
    await work()
    turns.push({ what, ...(await child.ask<{ cpuMs: number; wallMs: number }>('longest')) })
  }
  const post = async (path: string, method: string, body: string, headers: Record<string, string>) => {
    const reply = await fetch(child.url + path, {
      method,
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    await reply.arrayBuffer()
  }
  try {
    const cookie = place.cookies[0] as string
    const calls = await child.ask<Call[]>('calls')
    for (const call of calls)
      for (const [kind, body] of Object.entries(bodiesOf(call)))
        await measure(`${call.method} ${call.url}, ${kind}`, () =>
          post(call.url.replace(/:\w+/g, 'x'), call.method, body, { cookie }),
        )
    const anonymous = bodiesOf({ method: '', url: '', bodyLimit: 64 * 1024, bodyValues: anonymousLimitValues })
    for (const [kind, body] of Object.entries(anonymous))
      await measure(`anonymous sign-in, ${kind}`, () => post('/api/auth/sign-in/email-otp', 'POST', body, {}))
    const { id, appSecret } = place.connection
    for (const [kind, body] of Object.entries(webhooksOf(place.connection)))
      await measure(`webhook, ${kind}`, async () => {
        const signature = createHmac('sha256', appSecret).update(body).digest('hex')
        await post(`/webhooks/whatsapp/${id}`, 'POST', body, { 'x-hub-signature-256': `sha256=${signature}` })
        await child.ask('derived')
      })
    await measure('search in a full organization', () =>
      fetch(`${child.url}/api/whatsapp/conversations?search=${encodeURIComponent('nobody says this')}`, {
        headers: { cookie },
      }),
    )
    turns.sort((a, b) => b.cpuMs - a.cpuMs)
    return report(
      args,
      turns.map(({ what, cpuMs }) => bound(what, cpuMs, 'ms', longestTurnMs)),
      [`longest turn of the event loop, in processor time of its thread; ${calls.length} calls`],
    )
  } finally {
    await child.stop()
    place.remove()
  }
}
