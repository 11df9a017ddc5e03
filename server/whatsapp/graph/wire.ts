import { type Static, Type } from 'typebox'

/**
 * Schemas of Meta's replies to our calls: unknown fields are allowed, fields that we read are strict. Webhooks are read
 * by hand instead, because a bad message must not affect others.
 * @see Meta, "Cloud API", "Webhooks"
 */
const Text = Type.String()
const Digits = Type.String({ pattern: '^\\d+$' })
const Wamid = Type.String({ minLength: 1, maxLength: 512 })
const optional = Type.Optional

/** `error_data` is an object on messaging endpoints and a plain string on some others. */
const ErrorData = Type.Union([Type.Object({ details: optional(Text), messaging_product: optional(Text) }), Text])

/** An error of messaging endpoints, or of management endpoints. */
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

export const UploadReply = Type.Object({ id: Type.String({ minLength: 1 }) })

/** The users in the reply are not read: if one could not be blocked, the reply is an error. */
export const BlockReply = Type.Object({})

export const SuccessReply = Type.Object({ success: Type.Literal(true) })

/** `file_size` is text in Meta's documentation, and a number in tests of other open projects. */
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
/** A word; in some API versions a number. */
export const MessagingLimitNode = Type.Object({
  id: Digits,
  whatsapp_business_manager_messaging_limit: optional(Type.Union([Text, Type.Integer()])),
})
export type PhoneNumberNode = Static<typeof PhoneNumberNode>

const Paging = Type.Object({
  cursors: optional(Type.Object({ before: optional(Text), after: optional(Text) })),
  next: optional(Text),
  previous: optional(Text),
})
export const PhoneNumberList = Type.Object({ data: Type.Array(Type.Object({ id: Digits })), paging: optional(Paging) })
export type PhoneNumberList = Static<typeof PhoneNumberList>

/** @see Meta, "WhatsApp Business Account › Product catalogs" */
export const CatalogueList = Type.Object({ data: Type.Array(Type.Object({ id: Digits })) })

export const AccountNumberList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Digits,
      display_phone_number: optional(Text),
      code_verification_status: optional(Text),
      status: optional(Text),
      is_on_biz_app: optional(Type.Boolean()),
    }),
  ),
  paging: optional(Paging),
})
export const NumberName = Type.Object({
  verified_name: optional(Text),
  name_status: optional(Text),
  new_display_name: optional(Text),
  new_name_status: optional(Text),
})
export const CreatedReply = Type.Object({ id: Digits })
export const TokenReply = Type.Object({ access_token: Type.String({ minLength: 1 }) })
export const TokenTargets = Type.Object({
  data: Type.Object({
    granular_scopes: optional(
      Type.Array(Type.Object({ scope: optional(Text), target_ids: optional(Type.Array(Digits)) })),
    ),
  }),
})

/** Entries are read by hand: an unreadable one must not make the others fail. */
export const TemplateList = Type.Object({ data: Type.Array(Type.Unknown()), paging: optional(Paging) })
export const TemplateCreated = Type.Object({ id: Digits, status: optional(Text), category: optional(Text) })
export const TokenFacts = Type.Object({ data: Type.Object({ app_id: optional(Digits) }) })
export const UploadSession = Type.Object({ id: Type.String({ pattern: '^upload:' }) })
export const UploadHandle = Type.Object({ h: Type.String({ minLength: 1 }) })
