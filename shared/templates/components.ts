/**
 * A template's parts in Meta's format: snake_case and upper case are Meta's, so that stored, sent and shown data are
 * the same. Input from outside may be anything; `checkTemplate` checks it first. @see Meta, "Templates › Components"
 */
export const headerFormats = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'] as const
export type HeaderFormat = (typeof headerFormats)[number]
export const mediaFormats = ['IMAGE', 'VIDEO', 'DOCUMENT'] as const
export type MediaFormat = (typeof mediaFormats)[number]

interface NamedExample {
  param_name: string
  example: string
}

export interface HeaderComponent {
  type: 'HEADER'
  format: HeaderFormat | 'PRODUCT'
  /** Only for `TEXT`: at most one variable. */
  text?: string
  example?: {
    header_text?: string[]
    header_text_named_params?: NamedExample[]
    /** The handle of an upload (`media:…`). Read from Meta, it is an address that expires. */
    header_handle?: string[]
  }
}

export interface BodyComponent {
  type: 'BODY'
  /** Absent only in a new one-time-code template: Meta writes it. */
  text?: string
  add_security_recommendation?: boolean
  example?: { body_text?: string[][]; body_text_named_params?: NamedExample[] }
}

interface FooterComponent {
  type: 'FOOTER'
  text?: string
  /** Only in one-time-code templates, 1 to 90. */
  code_expiration_minutes?: number
}

export interface SupportedApp {
  package_name: string
  signature_hash: string
}

export const otpTypes = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'] as const
export type OtpType = (typeof otpTypes)[number]

export type TemplateButton =
  | { type: 'QUICK_REPLY'; text: string }
  | { type: 'URL'; text: string; url: string; example?: string[] }
  | { type: 'PHONE_NUMBER'; text: string; phone_number: string }
  /** The label is WhatsApp's, in the customer's language. */
  | { type: 'COPY_CODE'; text?: string; example: string | string[] }
  | {
      type: 'FLOW'
      text: string
      flow_id?: string
      flow_name?: string
      flow_json?: string
      flow_action?: 'navigate' | 'data_exchange'
      navigate_screen?: string
      icon?: string
    }
  | {
      type: 'OTP'
      otp_type: OtpType
      text?: string
      autofill_text?: string
      supported_apps?: SupportedApp[]
      zero_tap_terms_accepted?: boolean
    }
  | { type: 'CATALOG' | 'MPM' | 'SPM' | 'ORDER_DETAILS' | 'VOICE_CALL' | 'REQUEST_CONTACT_INFO'; text?: string }
export type ButtonType = TemplateButton['type']

export const buttonTypes = [
  'QUICK_REPLY',
  'URL',
  'PHONE_NUMBER',
  'COPY_CODE',
  'FLOW',
  'OTP',
  'CATALOG',
  'MPM',
  'SPM',
  'ORDER_DETAILS',
  'VOICE_CALL',
  'REQUEST_CONTACT_INFO',
] as const satisfies readonly ButtonType[]

interface ButtonsComponent {
  type: 'BUTTONS'
  buttons: TemplateButton[]
}

export interface CarouselCard {
  components: (HeaderComponent | BodyComponent | ButtonsComponent)[]
}
export interface CarouselComponent {
  type: 'CAROUSEL'
  cards: CarouselCard[]
}

interface LimitedTimeOfferComponent {
  type: 'LIMITED_TIME_OFFER'
  limited_time_offer: { text: string; has_expiration?: boolean }
}

export type TemplateComponent =
  | HeaderComponent
  | BodyComponent
  | FooterComponent
  | ButtonsComponent
  | CarouselComponent
  | LimitedTimeOfferComponent
  | { type: 'CALL_PERMISSION_REQUEST' }
type ComponentType = TemplateComponent['type']

/** Meta's limits; lengths in characters (code points). @see Meta, "Templates › Components" */
export const templateLimits = {
  name: 512,
  headerText: 60,
  body: 1024,
  footer: 60,
  buttons: 10,
  buttonText: 25,
  quickReplies: 10,
  urls: 2,
  url: 2000,
  phoneNumber: 20,
  copyCode: 15,
  minCards: 2,
  maxCards: 10,
  cardBody: 160,
  cardButtons: 2,
  offerText: 16,
  offerBody: 600,
  supportedApps: 5,
  minCodeMinutes: 1,
  maxCodeMinutes: 90,
  /** Longer than any template can use. */
  example: 1024,
} as const

export const headerMedia: Readonly<Record<MediaFormat, { mimes: readonly string[]; maxBytes: number }>> = {
  IMAGE: { mimes: ['image/jpeg', 'image/png'], maxBytes: 5 * 1024 * 1024 },
  VIDEO: { mimes: ['video/mp4'], maxBytes: 16 * 1024 * 1024 },
  DOCUMENT: { mimes: ['application/pdf'], maxBytes: 100 * 1024 * 1024 },
}

export const findComponent = <T extends ComponentType>(
  components: readonly TemplateComponent[],
  type: T,
): Extract<TemplateComponent, { type: T }> | undefined =>
  components.find((one): one is Extract<TemplateComponent, { type: T }> => one?.type === type)
