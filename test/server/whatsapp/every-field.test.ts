import { readFileSync } from 'node:fs'
import t from 'tap'
import { accountNewsFields } from '#server/whatsapp/account-news.ts'
import { webhookFields } from '#server/whatsapp/field-items.ts'
import { marketingChoiceField } from '#server/whatsapp/marketing-choices.ts'
import { messagingLimitFields } from '#server/whatsapp/messaging-limit.ts'
import { outsideNameFields } from '#server/whatsapp/outside-names.ts'
import { templateUpdateFields } from '#server/whatsapp/template-updates.ts'
import { wantedFields } from '#server/wiring.ts'

/** Fields of which nothing is shown, and why; their webhooks are kept as they came. */
const unshownFields: Readonly<Record<string, string>> = {
  automatic_events: 'what Meta guesses of purchases and leads; it is for its advertisements',
  tracking_events: 'clicks that Meta counts; they come without the chat they belong to',
  partner_solutions: 'between Meta and companies that manage accounts of others; not of this account',
}

/** Read into items of their own, which stand in chats. */
const inChats = [
  'messages',
  'smb_message_echoes',
  'message_echoes',
  'history',
  'standby',
  'messaging_handovers',
  'calls',
  'user_id_update',
  'group_participants_update',
]
/** Of management items, who shows each. */
const shown = [
  ...inChats,
  ...outsideNameFields,
  ...templateUpdateFields,
  ...messagingLimitFields,
  ...accountNewsFields,
  marketingChoiceField,
  'phone_number_name_update',
]

t.test('every field that is known is shown somewhere, or named with the reason why not', async t => {
  for (const field of webhookFields.keys()) {
    const reason = unshownFields[field]
    if (reason === undefined) t.ok(shown.includes(field), `${field} is shown`)
    else t.notOk(shown.includes(field), `${field} is not shown: ${reason}`)
  }
  for (const field of Object.keys(unshownFields)) t.ok(webhookFields.has(field), `${field} is known`)
})

t.test('what the connection asks an app to be subscribed to is known and shown', async t => {
  for (const field of wantedFields.all) t.ok(webhookFields.has(field) && shown.includes(field), field)
})

t.test('every kind of news of an account has its words in both languages', async t => {
  const source = readFileSync('server/whatsapp/account-news.ts', 'utf8')
  const keys = [...source.matchAll(/'(alert|alertOver|[a-z][A-Za-z]+)', level|key: '([A-Za-z]+)'/g)].flatMap(
    ([, a, b]) => a ?? b ?? [],
  )
  t.ok(keys.length > 8)
  for (const language of ['es', 'en']) {
    const { news } = JSON.parse(readFileSync(`locales/${language}/standing.json`, 'utf8'))
    for (const key of keys) t.type(news[key], 'string', `${language}: ${key}`)
  }
})
