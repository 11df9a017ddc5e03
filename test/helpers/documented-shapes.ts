import { Type } from 'typebox'

/**
 * Schemas of Meta's webhooks as documented, with which the payloads of `test/fixtures/whatsapp` are checked. The product
 * itself parses webhooks by hand, because one invalid message must not affect the others.
 * @see Meta, "Webhooks", "Cloud API"
 */
const Text = Type.String()
const Digits = Type.String({ pattern: '^\\d+$' })
const Stamp = Type.String({ pattern: '^\\d{10}$' })
const Wamid = Type.String({ minLength: 1, maxLength: 512 })
const optional = Type.Optional
const ErrorData = Type.Union([Type.Object({ details: optional(Text), messaging_product: optional(Text) }), Text])

/** An error in a webhook. Very old payloads have only code and title. */
export const WebhookError = Type.Object({
  code: Type.Integer(),
  title: optional(Text),
  message: optional(Text),
  error_data: optional(ErrorData),
  details: optional(Text),
  href: optional(Text),
})

const Availability = Type.Enum(['AVAILABLE', 'LIMITED', 'BLOCKED'])
export const Health = Type.Object({
  id: optional(Text),
  health_status: Type.Object({
    can_send_message: Availability,
    entities: Type.Array(
      Type.Object({
        entity_type: Text,
        id: Text,
        can_send_message: Availability,
        errors: optional(
          Type.Array(
            Type.Object({ error_code: Type.Integer(), error_description: Text, possible_solution: optional(Text) }),
          ),
        ),
        additional_info: optional(Type.Array(Text)),
      }),
    ),
  }),
})

const Change = Type.Object({ field: Type.String({ minLength: 1 }), value: Type.Object({}) })
export const WebhookEnvelope = Type.Object({
  object: Type.Literal('whatsapp_business_account'),
  entry: Type.Array(Type.Object({ id: Text, time: optional(Type.Integer()), changes: Type.Array(Change) })),
})

const Metadata = Type.Object({ display_phone_number: Text, phone_number_id: Digits })

export const WebhookContact = Type.Object({
  profile: optional(Type.Object({ name: optional(Text), username: optional(Text) })),
  wa_id: optional(Text),
  user_id: optional(Text),
  parent_user_id: optional(Text),
  identity_key_hash: optional(Text),
})

const MediaPart = Type.Object({
  id: Text,
  mime_type: Text,
  sha256: optional(Text),
  caption: optional(Text),
  filename: optional(Text),
  url: optional(Text),
  voice: optional(Type.Boolean()),
  animated: optional(Type.Boolean()),
})
const Reply = Type.Object({ id: Text, title: Text, description: optional(Text) })

/** The part named after the message's type, by type. The product reads no part of other types. */
export const messageParts = {
  text: Type.Object({ body: Text }),
  image: MediaPart,
  video: MediaPart,
  audio: MediaPart,
  document: MediaPart,
  sticker: MediaPart,
  location: Type.Object({
    latitude: Type.Number(),
    longitude: Type.Number(),
    name: optional(Text),
    address: optional(Text),
    url: optional(Text),
  }),
  contacts: Type.Array(
    Type.Object({
      name: optional(
        Type.Object({ formatted_name: optional(Text), first_name: optional(Text), last_name: optional(Text) }),
      ),
      phones: optional(Type.Array(Type.Object({ phone: optional(Text), wa_id: optional(Text), type: optional(Text) }))),
      emails: optional(Type.Array(Type.Object({ email: Text, type: optional(Text) }))),
      org: optional(Type.Object({ company: optional(Text) })),
    }),
  ),
  /** In a removal `emoji` is absent or empty. */
  reaction: Type.Object({ message_id: Wamid, emoji: optional(Text) }),
  button: Type.Object({ payload: optional(Text), text: Text }),
  interactive: Type.Union([
    Type.Object({ type: Type.Literal('button_reply'), button_reply: Reply }),
    Type.Object({ type: Type.Literal('list_reply'), list_reply: Reply }),
    Type.Object({
      type: Type.Literal('nfm_reply'),
      nfm_reply: Type.Object({ name: optional(Text), body: optional(Text), response_json: Text }),
    }),
    Type.Object({
      type: Type.Literal('call_permission_reply'),
      call_permission_reply: Type.Object({ response: Text }),
    }),
  ]),
  order: Type.Object({
    catalog_id: Text,
    text: optional(Text),
    product_items: Type.Array(
      Type.Object({
        product_retailer_id: Text,
        quantity: Type.Union([Type.Number(), Text]),
        item_price: Type.Union([Type.Number(), Text]),
        currency: Text,
      }),
    ),
  }),
  system: Type.Object({
    body: Text,
    type: Text,
    wa_id: optional(Text),
    user_id: optional(Text),
    parent_user_id: optional(Text),
  }),
  edit: Type.Object({ original_message_id: Wamid, message: Type.Object({ type: Text }) }),
  revoke: Type.Object({ original_message_id: Wamid }),
} as const

const Referral = Type.Object({
  source_type: Text,
  source_url: optional(Text),
  source_id: optional(Text),
  headline: optional(Text),
  body: optional(Text),
  ctwa_clid: optional(Text),
})

/** The keys of all inbound messages. The part of the type is in `messageParts`. */
export const InboundMessage = Type.Object({
  id: Wamid,
  timestamp: Stamp,
  type: Type.String({ minLength: 1 }),
  from: optional(Text),
  from_user_id: optional(Text),
  from_parent_user_id: optional(Text),
  group_id: optional(Text),
  context: optional(
    Type.Object({
      from: optional(Text),
      id: optional(Text),
      forwarded: optional(Type.Boolean()),
      frequently_forwarded: optional(Type.Boolean()),
      referred_product: optional(Type.Object({ catalog_id: Text, product_retailer_id: Text })),
    }),
  ),
  referral: optional(Referral),
  errors: optional(Type.Array(WebhookError)),
})

export const StatusReport = Type.Object({
  id: Wamid,
  status: Type.Enum(['sent', 'delivered', 'read', 'played', 'failed']),
  timestamp: Stamp,
  recipient_id: optional(Text),
  recipient_user_id: optional(Text),
  recipient_type: optional(Text),
  biz_opaque_callback_data: optional(Type.String({ maxLength: 512 })),
  conversation: optional(Type.Object({ id: Text, expiration_timestamp: optional(Type.Union([Text, Type.Integer()])) })),
  pricing: optional(
    Type.Object({ pricing_model: Text, category: Text, type: optional(Text), billable: optional(Type.Boolean()) }),
  ),
  errors: optional(Type.Array(WebhookError, { minItems: 1 })),
})

/** `value` of the field `messages`. */
export const MessagesValue = Type.Object({
  messaging_product: Type.Literal('whatsapp'),
  metadata: Metadata,
  contacts: optional(Type.Array(WebhookContact)),
  messages: optional(Type.Array(InboundMessage)),
  statuses: optional(Type.Array(StatusReport)),
  errors: optional(Type.Array(WebhookError)),
})
