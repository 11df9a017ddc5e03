import { type Static, type TSchema, Type } from 'typebox'
import { maxRecipients } from '#shared/bulk-sends/limits.ts'
import { type Language, languages } from '#shared/kernel/language.ts'
import type { Capability } from '#shared/kernel/permissions.ts'
import { defaultTimeZone, isTimeZone } from '#shared/kernel/time.ts'
import { isWebAddress } from '#shared/kernel/web-address.ts'
import { bytesText } from '#shared/media/sent-files.ts'
import { minFilesLimitBytes } from '#shared/media/use.ts'
import { BusinessHoursValue } from './business-hours.ts'

export const defaultCountry = 'AR'
const defaultLanguage: Language = 'es'
/** Younger rows also expire for other reasons, such as the events of open tabs, so fewer months cannot be promised. */
export const minRetentionMonths = 3
export const maxRetentionMonths = 120

/** A week of minutes: later is no promise. */
const maxPromiseMinutes = 7 * 24 * 60

/** Meta's limit for websites of a business profile. */
const websiteMaxChars = 256

/** The template for conversations whose window is about to close. */
const WindowTemplate = Type.Object(
  {
    template: Type.String({ minLength: 1, maxLength: 512, description: 'Its name.' }),
    language: Type.String({ minLength: 1, maxLength: 20, description: "Meta's code: `es_AR`." }),
    values: Type.Record(Type.String({ maxLength: 120 }), Type.String({ maxLength: 1024 }), {
      maxProperties: 60,
      description:
        'By where they stand: `body.1`, `header.name`, `buttons.0`. May hold variables, such as {{contacto.nombre}}.',
    }),
  },
  {
    additionalProperties: false,
    description: 'The template that one press sends to conversations whose window closes soon; null: none.',
  },
)
export type WindowTemplate = Static<typeof WindowTemplate>

/** A settings field of an organization. Each has a column in `org_settings`; a null there means the default. */
interface SettingField {
  readonly column: string
  /** Values that can be stored. An object is stored as JSON text, a boolean as 0 or 1. */
  readonly schema: TSchema
  /** The value before anybody chooses one. Null means that nothing is chosen; a call may set null again. */
  readonly default: string | number | boolean | null
  /** The value that the column stores for null, if null means none rather than the default. */
  readonly storedNone?: number
  /** The capability that may change it. */
  readonly access: Capability
}

/** Groups of inputs on the settings pages. Those of `identity` stand below name and address. */
export type SettingCard = 'identity' | 'details'

/**
 * A field that `orgSettings.getSettings` answers and `orgSettings.changeSettings` stores. Audit, export and forms follow
 * from the entry. Its label is `org-settings:KEY.label`.
 */
interface PlainField extends SettingField {
  readonly access: 'org:update'
  /** Checks that the schema cannot express. */
  isValid?(value: string): boolean
  /** Returns a value as the audit shows it; absent: as it is stored. */
  display?(value: string): string
  /** The name by which ready answers, flows and automatic texts can mention it. */
  readonly variable?: `org.${string}`
  /** An input among the settings, in this card. Its texts are `hint` and `fault` below `org-settings:KEY`. */
  readonly form?: {
    readonly card: SettingCard
    readonly input: 'url' | 'text' | 'integer'
    readonly maxLength: number
  }
}

/** A field with calls of its own, because changing it does more than store a value, or is for others. */
interface FieldWithCalls extends SettingField {
  readonly hasOwnCalls: true
}

export const orgSettingFields = {
  timeZone: {
    column: 'time_zone',
    schema: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA name; used for members whose browser did not report a time zone.',
    }),
    default: defaultTimeZone,
    access: 'org:update',
    isValid: isTimeZone,
  },
  language: {
    column: 'language',
    schema: Type.Enum(languages, { description: 'Language of the mails the organization sends.' }),
    default: defaultLanguage,
    access: 'org:update',
  },
  country: {
    column: 'country',
    schema: Type.String({
      pattern: '^[A-Z]{2}$',
      description: 'ISO 3166-1 alpha-2; the country of numbers typed without a country code.',
    }),
    default: defaultCountry,
    access: 'org:update',
  },
  promiseMinutes: {
    column: 'promise_minutes',
    schema: Type.Integer({
      minimum: 1,
      maximum: maxPromiseMinutes,
      description:
        'Minutes of business hours within which customers are promised a first response; null: nothing is promised.',
    }),
    default: 15,
    storedNone: 0,
    access: 'org:update',
    form: { card: 'details', input: 'integer', maxLength: 5 },
  },
  assignOnReply: {
    column: 'assign_on_reply',
    schema: Type.Boolean({
      description: 'Whether the first reply of a member assigns an unassigned conversation to them.',
    }),
    default: true,
    access: 'org:update',
  },
  bulkApprovalFrom: {
    column: 'bulk_approval_from',
    schema: Type.Integer({
      minimum: 1,
      maximum: maxRecipients,
      description: 'Bulk sends to this many recipients or more need the approval of a second person; null: none does.',
    }),
    default: null,
    access: 'org:update',
    form: { card: 'details', input: 'integer', maxLength: 6 },
  },
  windowTemplate: {
    column: 'window_template',
    schema: WindowTemplate,
    default: null,
    access: 'org:update',
    display: value => (JSON.parse(value) as WindowTemplate).template,
  },
  filesLimitBytes: {
    column: 'files_limit_bytes',
    schema: Type.Integer({
      minimum: minFilesLimitBytes,
      maximum: 2 ** 50,
      description: 'Limit for stored files, in bytes; null: the limit of the installation.',
    }),
    default: null,
    access: 'org:update',
    display: value => bytesText(Number(value)),
  },
  website: {
    column: 'website',
    schema: Type.String({
      maxLength: websiteMaxChars,
      pattern: '^https://\\S+$',
      description: 'Address of its website, https only; null: none.',
    }),
    default: null,
    access: 'org:update',
    isValid: isWebAddress,
    variable: 'org.sitio_web',
    form: { card: 'identity', input: 'url', maxLength: websiteMaxChars },
  },
  secondFactorRequired: {
    column: 'second_factor_required',
    schema: Type.Boolean({ description: 'Whether members need a second factor to access the organization.' }),
    default: false,
    access: 'security:manage',
    hasOwnCalls: true,
  },
  businessHours: {
    column: 'business_hours',
    schema: BusinessHoursValue,
    default: null,
    access: 'org:update',
    hasOwnCalls: true,
  },
  retentionMonths: {
    column: 'retention_months',
    schema: Type.Integer({ minimum: minRetentionMonths, maximum: maxRetentionMonths }),
    default: null,
    access: 'org:delete',
    hasOwnCalls: true,
  },
} as const satisfies Record<string, PlainField | FieldWithCalls>

type Fields = typeof orgSettingFields
export type OrgSettingKey = keyof Fields
/** Keys that `getSettings` and `changeSettings` carry. */
export type PlainSettingKey = {
  [K in OrgSettingKey]: Fields[K] extends { readonly hasOwnCalls: true } ? never : K
}[OrgSettingKey]
export type FormSettingKey = {
  [K in PlainSettingKey]: Fields[K] extends { readonly form: object } ? K : never
}[PlainSettingKey]
export type OrgSettingValue<K extends OrgSettingKey> =
  | Static<Fields[K]['schema']>
  | (Fields[K]['default'] extends null ? null : never)
  | (Fields[K] extends { readonly storedNone: number } ? null : never)

export const orgSettingKeys = Object.keys(orgSettingFields) as OrgSettingKey[]
export const plainSettingKeys = orgSettingKeys.filter(
  (key): key is PlainSettingKey => !('hasOwnCalls' in orgSettingFields[key]),
)
/**
 * The number that the column stores when somebody switches the setting off. Undefined: it cannot be switched off. Null in
 * the column always means the default.
 */
export const storedNoneOf = (key: OrgSettingKey): number | undefined => {
  const field: SettingField = orgSettingFields[key]
  return field.storedNone
}
/** The entry of a field, with all that an entry can have. */
export const plainSettingField = (key: PlainSettingKey): PlainField => orgSettingFields[key]

export const isPlainSetting = (name: string): name is PlainSettingKey =>
  (plainSettingKeys as readonly string[]).includes(name)
export const formSettingKeys = (card: SettingCard) =>
  plainSettingKeys.filter((key): key is FormSettingKey => plainSettingField(key).form?.card === card)
