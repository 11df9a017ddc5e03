import { Type } from 'typebox'

const Text = Type.String()
const optional = Type.Optional
/** Meta may omit it or send null. */
const Word = optional(Type.Union([Text, Type.Null()]))
const Maybe = optional(Type.Unknown())

/** Loosely typed and read by hand: an unreadable part must not make the others fail. */
export const QualityNode = Type.Object({ quality_rating: Word })
export const StatusNode = Type.Object({
  status: Word,
  code_verification_status: Word,
  name_status: Word,
  new_display_name: Word,
  new_name_status: Word,
  account_mode: Word,
  is_on_biz_app: optional(Type.Union([Type.Boolean(), Type.Null()])),
})
export const WebhookNode = Type.Object({ webhook_configuration: Maybe })
export const HealthNode = Type.Object({ health_status: Maybe })
export const TokenNode = Type.Object({ data: Type.Unknown() })
export const AppList = Type.Object({ data: Type.Array(Type.Unknown()) })
export const ProfileReply = Type.Object({ data: Type.Array(Type.Unknown()) })
