import { webhookLimitBytes } from '#shared/kernel/limits.ts'
import { cardMessages } from '#test/helpers/card-webhooks.ts'
import { fill } from './fill.ts'
import type { Installation } from './installation.ts'

/** The largest possible webhook of each kind. */
export const webhooksOf = ({ wabaId, phoneNumberId }: Installation['connection']): Record<string, string> => {
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
    ...Object.fromEntries(
      Object.entries(cardMessages(from(1))).map(([kind, message]) => [kind, value('messages', 'messages', message)]),
    ),
    'long integers': `{"entry":[${fill(() => '12345678901234567', room, 149_000)}]}`,
    'too many values': `[${fill(() => '{}', room)}]`,
  }
}
