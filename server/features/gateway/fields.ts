import type { Json } from '#server/whatsapp/scalars.ts'
import { readFields, unknownField } from '#server/whatsapp/serving/fields.ts'
import { paramError } from '#server/whatsapp/serving/graph-error.ts'

/** The fields of an edge that a program may request: values that Meta documents there, and no way to other objects. */
export interface Readable {
  /** Meta's name of the node, for its error. */
  readonly type: string
  readonly fields: ReadonlySet<string>
}

const named = (type: string, fields: string): Readable => ({ type, fields: new Set(fields.split(' ')) })

/**
 * The fields of a number, without `webhook_configuration` and `certificate`, which are about the connection.
 * @see Meta, "Business phone numbers"
 */
const number = named(
  'WhatsAppBusinessPhoneNumber',
  'account_mode code_verification_status conversational_automation display_phone_number health_status host_platform is_official_business_account is_on_biz_app is_pin_enabled is_preverified_number last_onboarded_time messaging_limit_tier name_status new_display_name new_name_status platform_type quality_rating quality_score search_visibility status throughput verified_name whatsapp_business_manager_messaging_limit',
)

/**
 * The fields of an account, without analytics, which contain costs, and without the owner, the people and other objects
 * of the business. @see Meta, "WhatsApp Business Account"
 */
const account = named(
  'WhatsAppBusinessAccount',
  'account_review_status business_verification_status country currency health_status is_enabled_for_insights marketing_messages_lite_api_status message_template_namespace name ownership_type primary_business_location status timezone_id',
)

/** @see Meta, "Templates" */
const template = named(
  'WhatsAppMessageTemplate',
  'bid_spec category components correct_category created_time cta_url_link_tracking_opted_out degrees_of_freedom_spec language last_updated_time library_template_name message_send_ttl_seconds name parameter_format previous_category quality_score rejected_reason status sub_category',
)

/** The readable fields by method and path, like `Edges`. An edge without an entry reads no fields. */
export const readableOfNumber: Readonly<Record<string, Readable>> = {
  '': number,
  whatsapp_business_profile: named(
    'WhatsAppBusinessProfile',
    'about address description email messaging_product profile_picture_url vertical websites',
  ),
  block_users: named('WhatsAppBlockedUser', 'messaging_product user_id wa_id'),
  message_qrdls: named('WhatsAppMessageQRDL', 'code deep_link_url prefilled_message qr_image_url'),
  settings: named(
    'WhatsAppBusinessPhoneNumberSettings',
    'calling payload_encryption storage_configuration user_identity_change',
  ),
}
export const readableOfAccount: Readonly<Record<string, Readable>> = {
  '': account,
  phone_numbers: number,
  message_templates: template,
  flows: named(
    'WhatsAppBusinessFlow',
    'categories data_api_version data_channel_uri endpoint_uri health_status json_version name preview status updated_at validation_errors',
  ),
}
export const readableOfTemplate: Readonly<Record<string, Readable>> = { '': template }

/** Brackets close in the order in which they open. */
const isBalanced = (text: string): boolean => {
  const open: string[] = []
  for (const sign of text) {
    if (sign === '{' || sign === '(') open.push(sign)
    if (sign === '}' && open.pop() !== '{') return false
    if (sign === ')' && open.pop() !== '(') return false
  }
  return open.length === 0
}

/** @throws GraphError 100 for a field that the edge does not have, as Meta answers it */
export function requireReadable(readable: Readable | undefined, { fields }: Json): void {
  if (fields === undefined || fields === '') return
  if (typeof fields !== 'string' || !isBalanced(fields)) throw paramError('Invalid parameter', 'fields')
  const { type, fields: known } = readable ?? { type: 'Object', fields: new Set<string>() }
  const refused = readFields(fields)?.find(name => name !== 'id' && !known.has(name))
  if (refused !== undefined) throw unknownField(refused, type)
}
