import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** Exactly the keys that Meta documents for the webhooks that the simulator sends. */
const strict = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false })
const optional = Type.Optional
const Text = Type.String({ minLength: 1 })
const Digits = Type.String({ pattern: '^\\d{7,17}$' })
const Stamp = Type.String({ pattern: '^\\d{10}$' })
const Bsuid = Type.String({ pattern: '^[A-Z]{2}\\.[A-Za-z0-9]{1,128}$' })
const Wamid = Type.String({ pattern: '^wamid\\.[A-Za-z0-9+/]+=*$' })
const Sha = Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })

const WireFault = strict({
  code: Type.Integer(),
  title: Text,
  message: Text,
  error_data: optional(strict({ details: Text })),
  href: optional(Text),
})
const Contact = strict({
  profile: strict({ name: Text, username: optional(Text) }),
  wa_id: optional(Digits),
  user_id: Bsuid,
})
const Metadata = strict({ display_phone_number: Digits, phone_number_id: Digits })

const common = {
  from: optional(Digits),
  from_user_id: optional(Bsuid),
  id: Wamid,
  timestamp: Stamp,
  context: optional(Type.Union([strict({ from: Digits, id: Text }), strict({ forwarded: Type.Literal(true) })])),
  referral: optional(
    strict({
      source_url: Text,
      source_id: Text,
      source_type: Type.Enum(['ad', 'post']),
      body: Text,
      headline: Text,
      media_type: Text,
      image_url: Text,
      ctwa_clid: Text,
    }),
  ),
}
const message = <T extends Record<string, TSchema>>(type: string, part: T) =>
  strict({ ...common, type: Type.Literal(type), ...part })
const media = (more: Record<string, TSchema> = {}) =>
  strict({ caption: optional(Text), mime_type: Text, sha256: Sha, id: Digits, ...more })
const Reply = strict({ id: Text, title: Text, description: optional(Text) })
const EditedMessage = strict({ type: Type.Literal('text'), text: strict({ body: Text }) })

const Message = Type.Union([
  message('text', { text: strict({ body: Text }) }),
  message('image', { image: media() }),
  message('video', { video: media() }),
  message('audio', { audio: media({ voice: Type.Boolean() }) }),
  message('document', { document: media({ filename: optional(Text) }) }),
  message('sticker', { sticker: media({ animated: Type.Boolean() }) }),
  message('location', {
    location: strict({
      latitude: Type.Number(),
      longitude: Type.Number(),
      name: optional(Text),
      address: optional(Text),
    }),
  }),
  message('contacts', {
    contacts: Type.Array(
      strict({
        name: strict({ formatted_name: Text, first_name: optional(Text), last_name: optional(Text) }),
        phones: Type.Array(strict({ phone: Text, wa_id: optional(Digits), type: Text })),
      }),
    ),
  }),
  message('reaction', { reaction: strict({ message_id: Text, emoji: optional(Text) }) }),
  message('button', { button: strict({ payload: Text, text: Text }) }),
  message('interactive', {
    interactive: Type.Union([
      strict({ type: Type.Literal('button_reply'), button_reply: Reply }),
      strict({ type: Type.Literal('list_reply'), list_reply: Reply }),
      strict({ type: Type.Literal('nfm_reply'), nfm_reply: strict({ name: Text, body: Text, response_json: Text }) }),
    ]),
  }),
  message('order', {
    order: strict({
      catalog_id: Digits,
      text: optional(Text),
      product_items: Type.Array(
        strict({ product_retailer_id: Text, quantity: Type.Number(), item_price: Type.Number(), currency: Text }),
      ),
    }),
  }),
  message('system', {
    system: strict({
      body: Text,
      wa_id: Digits,
      user_id: Bsuid,
      previous_user_id: Bsuid,
      type: Type.Literal('user_changed_number'),
    }),
  }),
  message('unsupported', { errors: Type.Array(WireFault), unsupported: strict({ type: Text }) }),
  message('request_welcome', {}),
  message('edit', { edit: strict({ original_message_id: Text, message: EditedMessage }) }),
  message('revoke', { revoke: strict({ original_message_id: Text }) }),
])

const statusCommon = {
  id: Wamid,
  timestamp: Stamp,
  recipient_id: optional(Digits),
  recipient_user_id: optional(Bsuid),
  biz_opaque_callback_data: optional(Type.String({ minLength: 1, maxLength: 512 })),
}
const Pricing = strict({
  billable: Type.Boolean(),
  pricing_model: Type.Enum(['CBP', 'PMP']),
  type: Type.Enum(['regular', 'free_customer_service', 'free_entry_point']),
  category: Type.Enum(['service', 'referral_conversion', 'marketing', 'utility', 'authentication']),
})
const Conversation = strict({
  id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  expiration_timestamp: optional(Stamp),
  origin: strict({ type: Type.Enum(['service', 'referral_conversion']) }),
})
const Status = Type.Union([
  strict({
    ...statusCommon,
    status: Type.Enum(['sent', 'delivered', 'read', 'played']),
    conversation: optional(Conversation),
    pricing: optional(Pricing),
  }),
  strict({
    ...statusCommon,
    status: Type.Literal('failed'),
    errors: Type.Array(WireFault, { minItems: 1, maxItems: 1 }),
  }),
])

const head = { messaging_product: Type.Literal('whatsapp'), metadata: Metadata }
const Change = Type.Union([
  strict({
    field: Type.Literal('messages'),
    value: strict({ ...head, contacts: optional(Type.Array(Contact)), messages: Type.Array(Message, { minItems: 1 }) }),
  }),
  strict({
    field: Type.Literal('messages'),
    value: strict({ ...head, contacts: optional(Type.Array(Contact)), statuses: Type.Array(Status, { minItems: 1 }) }),
  }),
  strict({
    field: Type.Literal('standby'),
    value: strict({
      ...head,
      contacts: optional(Type.Array(Contact)),
      standby: Type.Union([
        strict({ messages: Type.Array(Message, { minItems: 1 }) }),
        strict({ statuses: Type.Array(Status, { minItems: 1 }) }),
        strict({
          message_echoes: Type.Array(
            strict({
              id: Wamid,
              timestamp: Stamp,
              message: strict({ to: Digits, type: Type.Literal('text'), text: strict({ body: Text }) }),
            }),
          ),
        }),
      ]),
    }),
  }),
  strict({
    field: Type.Literal('messaging_handovers'),
    value: strict({
      messaging_product: Type.Literal('whatsapp'),
      recipient: Metadata,
      sender: strict({ phone_number: Digits }),
      timestamp: Stamp,
      type: Type.Literal('control_passed'),
      control_passed: strict({
        metadata: Type.String(),
        previous_owner_app_id: Digits,
        previous_owner_app_role: Type.Literal('meta_business_agent'),
        previous_owner_role: Type.Literal('ai_agent'),
        new_owner_role: Type.Literal('escalation'),
        conversation_context: optional(Text),
      }),
    }),
  }),
])
const Envelope = strict({
  object: Type.Literal('whatsapp_business_account'),
  entry: Type.Array(
    strict({ id: Digits, time: optional(Type.Integer()), changes: Type.Array(Change, { minItems: 1 }) }),
    { minItems: 1 },
  ),
})

const compiled = Compile(Envelope)

/** The violations of Meta's shapes; empty: none. */
export const shapeFaults = (webhook: unknown): string[] =>
  compiled.Check(webhook)
    ? []
    : [...compiled.Errors(webhook)]
        .map(fault => `${fault.instancePath}: ${fault.message}`)
        .concat(JSON.stringify(webhook))
