import type { JsonObject } from './json.ts'
import type { Rows } from './rows.ts'

/** Chatwoot's answers about an account. */
interface AccountAnswers {
  readonly own: JsonObject
  readonly agents: readonly JsonObject[]
  readonly inboxes: readonly JsonObject[]
  readonly labels: readonly JsonObject[]
  readonly fields: readonly JsonObject[]
}

/** Adds an account with its people, inboxes, labels and fields, which come before its contacts. */
export function addAccount(
  rows: Rows,
  account: string,
  { own, agents, inboxes, labels, fields }: AccountAnswers,
): void {
  for (const table of ['inboxes', 'contacts', 'conversations', 'messages'] as const) rows.declare(table)
  rows.add('accounts', { id: account, name: own.name, created_at: own.created_at })
  for (const { id, name, available_name, email } of agents) {
    rows.add('users', { id, name, display_name: available_name, email })
    rows.add('account_users', { id, account_id: account, user_id: id })
  }
  for (const { id, name, channel_type, phone_number, medium } of inboxes) {
    rows.add('inboxes', { id, account_id: account, name, channel_type, channel_id: id })
    if (channel_type === 'Channel::Whatsapp') rows.add('channel_whatsapp', { id, phone_number })
    if (channel_type === 'Channel::TwilioSms') rows.add('channel_twilio_sms', { id, phone_number, medium })
  }
  for (const { id, title, color } of labels) {
    rows.add('labels', { id, account_id: account, title, color })
    rows.add('tags', { id, name: title })
  }
  for (const { id, attribute_key, attribute_display_name } of fields)
    rows.add('custom_attribute_definitions', {
      id,
      account_id: account,
      attribute_key,
      attribute_display_name,
      attribute_model: 1,
    })
}
