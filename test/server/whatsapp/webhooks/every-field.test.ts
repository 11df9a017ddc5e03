import { readFileSync } from 'node:fs'
import t from 'tap'
import { accountNewsFields, newsKeys } from '#server/whatsapp/fields/account-news.ts'
import { marketingChoiceField } from '#server/whatsapp/fields/marketing-choices.ts'
import { messagingLimitFields } from '#server/whatsapp/fields/messaging-limit.ts'
import { outsideNameFields } from '#server/whatsapp/fields/outside-names.ts'
import { templateUpdateFields } from '#server/whatsapp/fields/template-updates.ts'
import { webhookFields } from '#server/whatsapp/webhooks/field-items.ts'
import { wantedFields } from '#server/wiring.ts'

/** Fields that are not shown, and why; their webhooks are kept. */
const unshownFields: Readonly<Record<string, string>> = {
  automatic_events: 'what Meta guesses of purchases and leads; it is for its advertisements',
  tracking_events: 'clicks that Meta counts; they come without the chat they belong to',
  partner_solutions: 'between Meta and companies that manage accounts of others; not of this account',
}

/** Fields whose items appear in chats. */
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
/** Management fields that some feature handles. */
const shown = [
  ...inChats,
  ...outsideNameFields,
  ...templateUpdateFields,
  ...messagingLimitFields,
  ...accountNewsFields,
  marketingChoiceField,
  'phone_number_name_update',
]

t.test('every known field is handled by a feature, or listed with the reason why not', async t => {
  for (const field of webhookFields.keys()) {
    const reason = unshownFields[field]
    if (reason === undefined) t.ok(shown.includes(field), `${field} is shown`)
    else t.notOk(shown.includes(field), `${field} is not shown: ${reason}`)
  }
  for (const field of Object.keys(unshownFields)) t.ok(webhookFields.has(field), `${field} is known`)
})

t.test('every field that an app should be subscribed to is known and handled', async t => {
  for (const field of wantedFields.all) t.ok(webhookFields.has(field) && shown.includes(field), field)
})

// The type of the readers' keys allows these only.
t.test('every kind of account news has a text in both languages, and every text a kind', async t => {
  for (const language of ['es', 'en']) {
    const { news } = JSON.parse(readFileSync(`locales/${language}/standing.json`, 'utf8'))
    t.same(Object.keys(news).sort(), [...newsKeys].sort(), language)
  }
})
