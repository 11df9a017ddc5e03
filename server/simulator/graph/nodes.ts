import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Json } from '#server/whatsapp/scalars.ts'
import { type Node, selectFields } from '#server/whatsapp/serving/fields.ts'
import { webhookFields } from '#server/whatsapp/webhooks/field-items.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'

const display = (phone: string) => parsePhoneNumberFromString(`+${phone}`)?.formatInternational() ?? `+${phone}`

/** Meta's error for an account whose payment failed. */
const paymentFault = {
  error_code: 141006,
  error_description: 'There is an error with the payment method.',
  possible_solution: 'There was an error with your payment method. Please add a new payment method to the account.',
}

const health = (number: SandboxNumber) => {
  const isPaid = !number.behaviour.paymentFails
  const account = isPaid ? 'AVAILABLE' : 'BLOCKED'
  return {
    can_send_message: account,
    entities: [
      { entity_type: 'PHONE_NUMBER', id: number.phoneNumberId, can_send_message: 'AVAILABLE' },
      {
        entity_type: 'WABA',
        id: number.wabaId,
        can_send_message: account,
        ...(isPaid ? {} : { errors: [paymentFault] }),
      },
      { entity_type: 'APP', id: number.appId, can_send_message: 'AVAILABLE' },
    ],
  }
}

const webhookPath = ({ connectionId }: SandboxNumber) =>
  connectionId === null ? '/webhooks/whatsapp' : `/webhooks/whatsapp/${connectionId}`

/** @see Meta, "Business phone numbers" */
export const phoneNode = (number: SandboxNumber): Node => ({
  type: 'WhatsAppBusinessPhoneNumber',
  id: number.phoneNumberId,
  usual: [
    'verified_name',
    'code_verification_status',
    'display_phone_number',
    'quality_rating',
    'platform_type',
    'throughput',
    'webhook_configuration',
  ],
  fields: {
    verified_name: number.verifiedName,
    code_verification_status: 'VERIFIED',
    display_phone_number: display(number.phone),
    quality_rating: number.behaviour.quality,
    platform_type: 'CLOUD_API',
    throughput: { level: 'STANDARD' },
    webhook_configuration: { application: webhookPath(number) },
    status: number.behaviour.registered ? 'CONNECTED' : 'PENDING',
    name_status: number.behaviour.nameStatus,
    // There is no review here.
    new_display_name: undefined,
    new_name_status: undefined,
    account_mode: 'SANDBOX',
    is_official_business_account: false,
    is_pin_enabled: false,
    is_on_biz_app: false,
    whatsapp_business_manager_messaging_limit: number.behaviour.messagingLimit,
    messaging_limit_tier: number.behaviour.messagingLimit,
    health_status: health(number),
  },
})

/** @see Meta, "WhatsApp Business Account" */
export const accountNode = (number: SandboxNumber, pricingAnalytics: Json | undefined): Node => ({
  type: 'WhatsAppBusinessAccount',
  id: number.wabaId,
  usual: ['name', 'timezone_id', 'message_template_namespace'],
  fields: {
    name: number.verifiedName,
    // Meta's id of America/Argentina/Buenos_Aires.
    timezone_id: '8',
    message_template_namespace: `${number.wabaId.slice(0, 8)}_sandbox`,
    currency: 'USD',
    country: 'AR',
    status: 'ACTIVE',
    account_review_status: 'APPROVED',
    business_verification_status: 'not_verified',
    ownership_type: 'SELF',
    health_status: health(number),
    pricing_analytics: pricingAnalytics,
  },
})

/** The account has one number. */
export const phoneNumbers = (number: SandboxNumber, asked: string[] | undefined, after: unknown): Json => {
  const cursor = Buffer.from(number.phoneNumberId).toString('base64')
  const isBehind = after === cursor
  return {
    data: isBehind ? [] : [selectFields(phoneNode(number), asked)],
    ...(isBehind ? {} : { paging: { cursors: { before: cursor, after: cursor } } }),
  }
}

export const subscribedApps = (number: SandboxNumber): Json => ({
  data: number.isSubscribed
    ? [
        {
          whatsapp_business_api_data: {
            id: number.appId,
            link: `https://www.facebook.com/games/?app_id=${number.appId}`,
            name: 'Recado Sandbox',
          },
        },
      ]
    : [],
})

/** Fields about chats that Meta's agent has. */
const agentFields = ['standby', 'messaging_handovers']
/** Fields that a number's behaviour adds; see `appSubscriptions`. */
const chosenFields = [...agentFields, 'account_update']

/** The webhook subscription of an app that takes every known field. */
export const appSubscriptions = (number: SandboxNumber): Json => ({
  data: [
    {
      object: 'whatsapp_business_account',
      callback_url: webhookPath(number),
      active: true,
      fields: [
        ...[...webhookFields.keys()].filter(field => !chosenFields.includes(field)),
        ...(number.behaviour.accountUpdates ? ['account_update'] : []),
        ...(number.behaviour.agentFields ? agentFields : []),
      ].map(name => ({ name, version: number.behaviour.webhookVersion })),
    },
  ],
})

/** The permissions of a token. `number` undefined: not a token of the simulator. */
export const tokenFacts = (number: SandboxNumber | undefined, nowMs: number): Json => ({
  data: number
    ? {
        app_id: number.appId,
        type: 'SYSTEM_USER',
        application: 'Recado Sandbox',
        expires_at: number.behaviour.tokenDays ? Math.floor(nowMs / 1000) + number.behaviour.tokenDays * 86_400 : 0,
        is_valid: true,
        scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
        granular_scopes: [
          { scope: 'whatsapp_business_management', target_ids: [number.wabaId] },
          { scope: 'whatsapp_business_messaging', target_ids: [number.wabaId] },
        ],
      }
    : {
        error: { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' },
        is_valid: false,
        scopes: [],
      },
})
