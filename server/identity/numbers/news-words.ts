import type { AccountNews } from '#server/whatsapp/account-news.ts'

/**
 * Meta's codes in account news; each has a text `standing:newsCode.{kind}.{code}`. Names with blanks or lower case are
 * converted to this form. @see Meta, "Webhooks › Fields"
 */
export const newsCodes = {
  event: [
    'VERIFIED_ACCOUNT',
    'DISABLED_UPDATE',
    'ACCOUNT_RESTRICTION',
    'ACCOUNT_VIOLATION',
    'ACCOUNT_DELETED',
    'ACCOUNT_OFFBOARDED',
    'ACCOUNT_RECONNECTED',
    'PARTNER_ADDED',
    'PARTNER_REMOVED',
    'PARTNER_APP_INSTALLED',
    'PARTNER_APP_UNINSTALLED',
    'PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE',
    'AD_ACCOUNT_LINKED',
    'MM_LITE_TERMS_SIGNED',
    'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
    'BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE',
    'VOLUME_BASED_PRICING_TIER_UPDATE',
  ],
  detail: [
    'DISABLE',
    'REINSTATE',
    'SCHEDULE_FOR_DISABLE',
    'RESTRICTED_BIZ_INITIATED_MESSAGING',
    'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
    'RESTRICTED_ADD_PHONE_NUMBER_ACTION',
    'PRIMARY_INACTIVITY',
    'ADULT',
    'ALCOHOL',
    'DRUGS',
    'GAMBLING',
    'SCAM',
    'SPAM',
    'TOBACCO',
    'WEAPONS',
  ],
  alert: [
    'INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED',
    'INCREASED_CAPABILITIES_ELIGIBILITY_FAILED',
    'INCREASED_CAPABILITIES_ELIGIBILITY_NEED_MORE_INFO',
    'OBA_APPROVED',
    'OBA_REJECTED',
    'PROFILE_PICTURE_LOST',
  ],
  payment: ['ACTIVE', 'ENABLED', 'CONNECTED', 'NEEDS_CONNECTING', 'NEEDS_TESTING', 'DISABLED', 'INACTIVE'],
  setting: ['CALLING', 'USER_IDENTITY_CHANGE', 'STORAGE_CONFIGURATION', 'PAYLOAD_ENCRYPTION'],
  form: [
    'FLOW_STATUS_CHANGE',
    'CLIENT_ERROR_RATE',
    'ENDPOINT_ERROR_RATE',
    'ENDPOINT_LATENCY',
    'ENDPOINT_AVAILABILITY',
    'FLOW_VERSION_EXPIRY_WARNING',
  ],
  username: ['APPROVED', 'RESERVED', 'DELETED', 'REVOKED'],
  category: ['MARKETING', 'UTILITY', 'AUTHENTICATION'],
  group: ['GROUP_SUSPEND', 'GROUP_SUSPEND_CLEARED'],
  decision: ['DEFERRED', 'DISCARDED'],
} as const
type CodeKind = keyof typeof newsCodes

type Say = (key: string, params?: Record<string, string | number>) => string
type Words = (kind: CodeKind, code: string) => string

/** `EVENT (DETAIL, DETAIL)`, the form in which account news is stored. */
const accountForm = /^([^ ]+)(?: \((.*)\))?$/

const detailsOf = (text: string, words: Words): string =>
  text
    .split(', ')
    .map(one => (/^[A-Z][A-Z_]*$/.test(one) ? words('detail', one) : one))
    .join(', ')

/** Per kind of news: the text's parameters, with codes translated. */
const placesOf: Readonly<Record<string, (params: Record<string, string>, words: Words) => Record<string, string>>> = {
  account({ detail = '' }, words) {
    const [, event = detail, details] = accountForm.exec(detail) ?? []
    const said = words('event', event).replace(/^./u, first => first.toLocaleUpperCase())
    return { detail: said + (details ? ` (${detailsOf(details, words)})` : '') }
  },
  alert: ({ type = '', says = '' }, words) => ({
    // An alert without a text of its own shows its type.
    says: says === type ? '' : `: ${says}`,
    type: words('alert', type),
  }),
  payment: ({ status = '' }, words) => ({ status: words('payment', status) }),
  settings: ({ names = '' }, words) => ({
    names: names
      .split(', ')
      .map(name => words('setting', name))
      .join(', '),
  }),
  form: ({ event = '' }, words) => ({ event: words('form', event) }),
  username: ({ status = '' }, words) => ({ status: words('username', status) }),
  templateCategory: ({ category = '' }, words) => ({ category: words('category', category) }),
  groupStatus: ({ status = '' }, words) => ({ status: words('group', status) }),
  review: ({ decision = '' }, words) => ({ decision: words('decision', decision) }),
}

/** The text of a news item in the reader's language. Unknown codes are shown as they are. */
export function newsText({ key, params }: Pick<AccountNews, 'key' | 'params'>, say: Say): string {
  const words: Words = (kind, code) => {
    if (code === '—') return code
    const known = code.trim().toUpperCase().replaceAll(' ', '_')
    return (newsCodes[kind] as readonly string[]).includes(known)
      ? say(`newsCode.${kind}.${known}`)
      : say('newsCode.unknown', { code })
  }
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
  return say(`news.${key}`, {
    ...params,
    ...placesOf[key === 'alertOver' ? 'alert' : key]?.(texts, words),
  })
}
