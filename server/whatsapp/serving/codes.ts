interface MetaCode {
  title: string
  details?: string
  /** The way Meta usually reports it: in the reply, or later by webhook. */
  mode: 'sync' | 'async'
  /** The message, if it is not `(#code) title`. */
  message?: string
  subcode?: number
}

const atOnce = (title: string, details?: string): MetaCode => ({ title, mode: 'sync', ...(details ? { details } : {}) })
const later = (title: string, details: string): MetaCode => ({ title, details, mode: 'async' })

/**
 * Codes with Meta's texts.
 * @see Meta, "Cloud API › Error codes"; statuses webhook reference
 */
const table: Readonly<Record<string, MetaCode>> = {
  0: atOnce('AuthException', 'We were unable to authenticate the app user.'),
  1: atOnce('API Unknown', 'Invalid request or possible server error.'),
  2: atOnce('API Service', 'Temporary due to downtime or due to being overloaded.'),
  3: atOnce('API Method', 'Capability or permissions issue.'),
  4: atOnce('Application request limit reached', 'The app has reached its API call rate limit.'),
  10: atOnce(
    'Application does not have permission for this action',
    'Permission is either not granted or has been removed.',
  ),
  33: atOnce('Parameter value is not valid', 'The business phone number has been deleted.'),
  100: atOnce('Invalid parameter', 'The request included one or more unsupported or misspelled parameters.'),
  190: {
    title: 'Access token has expired',
    mode: 'sync',
    subcode: 463,
    message:
      'Error validating access token: Session has expired on Thursday, 19-Nov-26 10:00:00 PST. The current time is later.',
  },
  200: atOnce('Provide valid app ID'),
  368: atOnce(
    'Temporarily blocked for policies violations',
    'The WhatsApp Business Account associated with the app has been restricted or disabled for violating a platform policy.',
  ),
  613: atOnce('Calls to this api have exceeded the rate limit.'),
  80007: atOnce('Rate limit issues', 'The WhatsApp Business Account has reached its rate limit.'),
  130403: atOnce(
    'Business has blocked this user',
    'Message failed to send because this user is blocked by the business.',
  ),
  130429: atOnce('Rate limit hit', 'Cloud API message throughput has been reached.'),
  130472: later(
    "User's number is part of an experiment",
    "Failed to send message because this user's phone number is part of an experiment",
  ),
  130497: atOnce(
    'Business account is restricted from messaging users in this country.',
    'The WhatsApp Business Account is restricted from messaging users in certain countries.',
  ),
  131000: atOnce('Something went wrong', 'Message failed to send due to an unknown error.'),
  131005: atOnce('Access denied', 'Permission is either not granted or has been removed.'),
  131008: atOnce('Required parameter is missing', 'The request is missing a required parameter.'),
  131009: atOnce('Parameter value is not valid', 'One or more parameter values are invalid.'),
  131016: atOnce('Service unavailable', 'A service is temporarily unavailable.'),
  131021: atOnce('Recipient cannot be sender', 'Sender and recipient phone number is the same.'),
  131026: later('Message undeliverable', 'Message Undeliverable.'),
  131030: atOnce(
    'Recipient phone number not in allowed list',
    'Recipient phone number not in allowed list: Add recipient phone number to recipient list and try again.',
  ),
  131031: atOnce(
    'Account has been locked',
    'The WhatsApp Business Account associated with the app has been restricted or disabled for violating a platform policy.',
  ),
  131042: atOnce(
    'Business eligibility payment issue',
    'Message failed to send because there were one or more errors related to your payment method.',
  ),
  131045: atOnce('Incorrect certificate', 'Message failed to send due to a phone number registration error.'),
  131047: later(
    'Re-engagement message',
    'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  ),
  131048: later(
    'Spam rate limit hit',
    'Message failed to send because there are restrictions on how many messages can be sent from this phone number. This may be because too many previous messages were blocked or flagged as spam.',
  ),
  131049: later(
    'This message was not delivered to maintain healthy ecosystem engagement.',
    'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  ),
  131050: later(
    'User has stopped receiving marketing messages from this business',
    'Message failed to send because the user has chosen to stop receiving marketing messages from your business.',
  ),
  131051: atOnce('Unsupported message type', 'Unsupported message type.'),
  131052: later('Media download error', 'Unable to download the media sent by the user.'),
  131053: later('Media upload error', 'Unable to upload the media used in the message.'),
  131056: atOnce(
    '(Business Account, Consumer Account) pair rate limit hit',
    'Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time.',
  ),
  131057: atOnce('Account in maintenance mode', 'Business Account is in maintenance mode.'),
  132000: atOnce('Number of parameters does not match the expected number of params'),
  132005: atOnce('Translated text too long'),
  132012: atOnce('Parameter format does not match format in the created template'),
  132001: atOnce('Template name does not exist in the translation'),
  132015: atOnce(
    'Template is Paused',
    'Template is paused due to low quality so it cannot be sent in a template message.',
  ),
  132016: atOnce(
    'Template is Disabled',
    'Template has been paused too many times due to low quality and is now permanently disabled.',
  ),
  133004: atOnce('Server Temporarily Unavailable', 'Server is temporarily unavailable.'),
  133010: atOnce('Account not registered', 'Phone number not registered on the Whatsapp Business Platform.'),
  135000: atOnce(
    'Generic user error',
    'Message failed to send because of an unknown error with your request parameters.',
  ),
  17: atOnce('User request limit reached'),
  32: atOnce('Page request limit reached'),
  104: atOnce('Requires valid signature'),
  803: atOnce('Some of the aliases you requested do not exist'),
  80008: atOnce('There have been too many calls to this WhatsApp Business account'),
  131037: atOnce('Display name is not approved for this number'),
  131044: atOnce('Calling is not possible without a payment method'),
  131055: atOnce('Method not allowed'),
  131062: atOnce('Business-scoped user id recipients are not supported for this message'),
  131063: atOnce('Marketing templates are not enabled on Cloud API'),
  131064: atOnce('Messaging limit reached through template misclassification'),
  131208: atOnce('Group rate limit hit'),
  132007: atOnce('Template format character policy violated'),
  132008: atOnce('Template parameter value is not valid'),
  132018: atOnce('Template validation error'),
  132068: atOnce('Flow is blocked'),
  132069: atOnce('Flow is throttled'),
  133000: atOnce('Incomplete deregistration'),
  133005: atOnce('Two step verification PIN mismatch'),
  133006: atOnce('Phone number re-verification needed'),
  133008: atOnce('Too many two step verification PIN guesses'),
  133009: atOnce('Two step verification PIN guessed too fast'),
  133015: atOnce('Please wait a few minutes before attempting to register this phone number'),
  133016: atOnce('Account register deregister rate limit exceeded'),
  134011: atOnce('Payments terms of service are not accepted'),
  134100: atOnce('Only marketing messages are supported'),
  134101: atOnce('The template is being synchronized'),
  134102: atOnce('The template is not available for this use'),
  136024: atOnce('A code could not be requested'),
  136025: atOnce('The code could not be verified'),
  138000: atOnce('Calling not enabled', 'Calling is not enabled for this phone number.'),
  137000: atOnce('Recipient identity key does not match'),
  2494100: atOnce('The phone number is in maintenance mode'),
}

/** The codes that the gateway answers, by what they mean. */
export const metaCodes = {
  apiUnknown: 1,
  serviceDown: 2,
  notPermitted: 10,
  invalidParameter: 100,
  accountRateLimit: 80007,
  unknownError: 131000,
  accessDenied: 131005,
  invalidValue: 131009,
  windowClosed: 131047,
  marketingRefused: 131050,
  mediaNotUploaded: 131053,
  parameterCount: 132000,
  templateMissing: 132001,
  parameterFormat: 132012,
  templatePaused: 132015,
  templateDisabled: 132016,
  numberNotRegistered: 133010,
  callingNotEnabled: 138000,
} as const

const byCode: ReadonlyMap<string, MetaCode> = new Map(Object.entries(table))

/** Undefined for codes without a text. */
export const findCode = (code: string): MetaCode | undefined => byCode.get(code)

const statuses: ReadonlyMap<number, number> = new Map([
  ...[0, 190].map(code => [code, 401] as const),
  ...[10, 368, 130497, 131005, 131031].map(code => [code, 403] as const),
  [132001, 404],
  ...[3, 131000, 131016, 131045, 133000, 134102].map(code => [code, 500] as const),
  ...[2, 133004].map(code => [code, 503] as const),
])

/** The HTTP status of a code, by a table that Meta published earlier and no longer guarantees. */
export const httpStatusOf = (code: number): number => (code >= 200 && code < 300 ? 403 : (statuses.get(code) ?? 400))

/** The `errors[]` entry of a failed status. */
export const webhookError = (code: string) => {
  const known = findCode(code)
  const title = known?.title ?? 'Something went wrong'
  return {
    code: Number(code),
    title,
    message: title,
    ...(known?.details ? { error_data: { details: known.details } } : {}),
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  }
}
