import { type Static, Type } from 'typebox'

/**
 * Meta's JSON: generous on unknown fields, strict on what is read. The receiver reads by hand, defensively, because
 * one bad message must not cost its neighbours; these schemas hold the client's answers, and in tests the recorded
 * payloads and everything the simulator says.
 * @see Meta, "Cloud API", "Webhooks"
 */
const Text = Type.String()
const Digits = Type.String({ pattern: '^\\d+$' })
const Stamp = Type.String({ pattern: '^\\d{10}$' })
const Wamid = Type.String({ minLength: 1, maxLength: 512 })
const optional = Type.Optional

/** `error_data` is an object on messaging endpoints and a plain string on some others. */
const ErrorData = Type.Union([Type.Object({ details: optional(Text), messaging_product: optional(Text) }), Text])

/** Both shapes of a refusal: of the messaging endpoints, and Graph's own of the management endpoints. */
export const ErrorEnvelope = Type.Object({
  error: Type.Object({
    message: Text,
    type: optional(Text),
    code: Type.Integer(),
    error_subcode: optional(Type.Integer()),
    error_data: optional(ErrorData),
    is_transient: optional(Type.Boolean()),
    error_user_title: optional(Text),
    error_user_msg: optional(Text),
    fbtrace_id: optional(Text),
  }),
})
export type ErrorEnvelope = Static<typeof ErrorEnvelope>

/** An error inside a webhook; very old payloads have only code and title. */
export const WebhookError = Type.Object({
  code: Type.Integer(),
  title: optional(Text),
  message: optional(Text),
  error_data: optional(ErrorData),
  details: optional(Text),
  href: optional(Text),
})

export const SendReply = Type.Object({
  messaging_product: optional(Type.Literal('whatsapp')),
  contacts: optional(
    Type.Array(Type.Object({ input: optional(Text), wa_id: optional(Text), user_id: optional(Text) })),
  ),
  messages: Type.Array(Type.Object({ id: Wamid, message_status: optional(Text), group_id: optional(Text) }), {
    minItems: 1,
  }),
})
export type SendReply = Static<typeof SendReply>

export const SuccessReply = Type.Object({ success: Type.Literal(true) })

/** `file_size` is a number in recorded answers and text in the documentation. */
export const MediaInfo = Type.Object({
  url: Type.String({ minLength: 1 }),
  id: optional(Text),
  mime_type: optional(Text),
  sha256: optional(Text),
  file_size: optional(Type.Union([Type.Integer({ minimum: 0 }), Digits])),
})
export type MediaInfo = Static<typeof MediaInfo>

export const PhoneNumberNode = Type.Object({
  id: Digits,
  display_phone_number: Type.String({ minLength: 1 }),
  verified_name: optional(Text),
  quality_rating: optional(Text),
  code_verification_status: optional(Text),
  platform_type: optional(Text),
  throughput: optional(Type.Object({ level: optional(Text) })),
})
export type PhoneNumberNode = Static<typeof PhoneNumberNode>

const Paging = Type.Object({
  cursors: optional(Type.Object({ before: optional(Text), after: optional(Text) })),
  next: optional(Text),
  previous: optional(Text),
})
export const PhoneNumberList = Type.Object({ data: Type.Array(Type.Object({ id: Digits })), paging: optional(Paging) })
export type PhoneNumberList = Static<typeof PhoneNumberList>

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

/** The part that bears its type's name, by type; types without a row carry nothing we read. */
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
  /** A removal leaves `emoji` out, or empty. */
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

/** The keys all inbound messages share; the part of the type is held by `messageParts`. */
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
