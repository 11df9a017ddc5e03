import t from 'tap'
import { listAllowedRoutes } from '#server/identity/auth/calls/allowed-routes.ts'
import { refusalOf } from '#server/identity/auth/calls/replies.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const i18n = createServerI18n()

/** Codes of better-auth that only closed paths return, or that concern what is off or checked by us first. */
const neverLeaves: Readonly<Record<string, readonly string[]>> = {
  'a failure of ours, answered as one': [
    'FAILED_TO_CREATE_USER',
    'FAILED_TO_CREATE_SESSION',
    'FAILED_TO_UPDATE_USER',
    'FAILED_TO_GET_SESSION',
    'FAILED_TO_CREATE_VERIFICATION',
    'FAILED_TO_GET_USER_INFO',
    'ASYNC_VALIDATION_NOT_SUPPORTED',
  ],
  'answered by field': ['VALIDATION_ERROR'],
  passwords: [
    'INVALID_PASSWORD',
    'INVALID_EMAIL_OR_PASSWORD',
    'PASSWORD_TOO_SHORT',
    'PASSWORD_TOO_LONG',
    'USER_ALREADY_HAS_PASSWORD',
    'PASSWORD_ALREADY_SET',
    'CREDENTIAL_ACCOUNT_NOT_FOUND',
    'YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD',
    'PASSWORD_CANNOT_BE_UPDATED_VIA_UPDATE_USER',
    'INVALID_USER',
    'USER_ALREADY_EXISTS',
  ],
  'names to sign in with, which our own call sets': [
    'USERNAME_IS_ALREADY_TAKEN',
    'USERNAME_IS_IMMUTABLE',
    'USERNAME_TOO_SHORT',
    'USERNAME_TOO_LONG',
    'INVALID_USERNAME',
    'INVALID_DISPLAY_USERNAME',
    'UNEXPECTED_ERROR',
  ],
  'accounts elsewhere': [
    'SOCIAL_ACCOUNT_ALREADY_LINKED',
    'PROVIDER_NOT_FOUND',
    'ID_TOKEN_NOT_SUPPORTED',
    'USER_EMAIL_NOT_FOUND',
    'FAILED_TO_UNLINK_LAST_ACCOUNT',
    'ACCOUNT_NOT_FOUND',
    'LINKED_ACCOUNT_ALREADY_EXISTS',
    'TOKEN_EXPIRED',
  ],
  'another address': [
    'EMAIL_CAN_NOT_BE_UPDATED',
    'CHANGE_EMAIL_DISABLED',
    'EMAIL_NOT_VERIFIED',
    'VERIFICATION_EMAIL_NOT_ENABLED',
    'EMAIL_ALREADY_VERIFIED',
    'EMAIL_MISMATCH',
    'YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL',
  ],
  'closed calls of administration': [
    'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS',
    'YOU_ARE_NOT_ALLOWED_TO_GET_USER',
    'YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS',
  ],
  'roles of an organization’s own': [
    'MISSING_AC_INSTANCE',
    'YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE',
    'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE',
    'YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE',
    'YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE',
    'YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE',
    'YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE',
    'YOU_ARE_NOT_ALLOWED_TO_GET_A_ROLE',
    'TOO_MANY_ROLES',
    'INVALID_RESOURCE',
    'ROLE_NAME_IS_ALREADY_TAKEN',
    'CANNOT_DELETE_A_PRE_DEFINED_ROLE',
    'ROLE_IS_ASSIGNED_TO_MEMBERS',
  ],
  'keys of programs, which our own calls look at first and our own lookup lets in': [
    'EXPIRES_IN_IS_TOO_LARGE',
    'EXPIRES_IN_IS_TOO_SMALL',
    'FAILED_TO_UPDATE_API_KEY',
    'INSUFFICIENT_API_KEY_PERMISSIONS',
    'INVALID_API_KEY',
    'INVALID_API_KEY_GETTER_RETURN_TYPE',
    'INVALID_METADATA_TYPE',
    'INVALID_NAME_LENGTH',
    'INVALID_PREFIX_LENGTH',
    'INVALID_REFERENCE_ID_FROM_API_KEY',
    'INVALID_REMAINING',
    'INVALID_USER_ID_FROM_API_KEY',
    'KEY_DISABLED',
    'KEY_DISABLED_EXPIRATION',
    'KEY_EXPIRED',
    'KEY_NOT_RECOVERABLE',
    'METADATA_DISABLED',
    'NAME_REQUIRED',
    'NO_DEFAULT_API_KEY_CONFIGURATION_FOUND',
    'NO_VALUES_TO_UPDATE',
    'ORGANIZATION_ID_REQUIRED',
    'ORGANIZATION_PLUGIN_REQUIRED',
    'RATE_LIMIT_EXCEEDED',
    'REFILL_AMOUNT_AND_INTERVAL_REQUIRED',
    'REFILL_INTERVAL_AND_AMOUNT_REQUIRED',
    'SERVER_ONLY_PROPERTY',
    'UNAUTHORIZED_SESSION',
    'USAGE_EXCEEDED',
    'USER_BANNED',
    'USER_NOT_MEMBER_OF_ORGANIZATION',
  ],
  'switched off': ['CALLBACK_URL_REQUIRED', 'METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED'],
}

t.test('every code of better-auth has a text in both languages, or is known never to be sent', async t => {
  const { auth, end } = await anInstallation()
  t.teardown(end)
  const codes = auth.betterAuth.$ERROR_CODES as Record<string, { message?: string } | string>
  const hidden = new Set(Object.values(neverLeaves).flat())
  t.ok(Object.keys(codes).length > 100, `${Object.keys(codes).length} codes`)
  for (const [code, words] of Object.entries(codes)) {
    if (hidden.has(code)) continue
    const english = typeof words === 'string' ? words : words.message
    const { textCode } = refusalOf(400, { code, message: english })
    t.not(textCode, 'APP_VALIDATION', `${code}: give it a sentence (AUTH_${code}), or say in neverLeaves why it stays`)
    for (const language of ['es', 'en'] as const) {
      const said = i18n.translator(language)(`errors:${textCode}`)
      t.notMatch(said, /^AUTH_|^errors:/, `${code} ${language}`)
      if (language === 'es') t.not(said, english, code)
    }
  }
  for (const code of hidden) t.ok(code in codes, `${code} is still one of the library's`)
})

t.test('an unknown code gets the text of its status, never an English one', async t => {
  for (const [status, text] of [
    [400, 'APP_VALIDATION'],
    [401, 'APP_SIGN_IN_REQUIRED'],
    [403, 'APP_FORBIDDEN'],
    [404, 'APP_NOT_FOUND'],
    [422, 'APP_VALIDATION'],
  ] as const)
    for (const body of [{ code: 'BRAND_NEW', message: 'Brand new' }, { message: 'Teams are not enabled' }, undefined])
      t.equal(refusalOf(status, body).textCode, text)
})

t.test('every refusal has the same shape and the caller’s language', async t => {
  const { auth, app, databases, end } = await anInstallation()
  t.teardown(end)
  const english = new Set(
    Object.values(auth.betterAuth.$ERROR_CODES as Record<string, { message?: string } | string>).map(one =>
      typeof one === 'string' ? one : one.message,
    ),
  )
  const viewer = await aMember({ databases, role: 'viewer' })
  const site = await aPerson({ databases, siteRole: 'admin' })
  const body = {
    organizationId: viewer.org.id,
    email: 'nobody',
    name: '',
    userId: 'nobody',
    memberId: 'nobody',
    memberIdOrEmail: 'nobody',
    invitationId: 'nobody',
    teamId: 'nobody',
    slug: '-',
    role: 'member',
    data: { name: 'x' },
  }
  let refused = 0
  for (const { method, path } of listAllowedRoutes())
    for (const cookie of ['', viewer.cookie, site.cookie])
      for (const payload of [{}, body, { ...body, role: 'user' }]) {
        if (/sign-out|revoke/.test(path)) continue
        const reply = await app.inject({
          method: method as 'GET',
          url: `/api/auth${path}${method === 'GET' ? '?organizationId=nobody&id=nobody&teamId=nobody' : ''}`,
          headers: { 'accept-language': 'es', ...(cookie ? { cookie } : {}) },
          ...(method === 'POST' ? { payload } : {}),
        })
        if (reply.statusCode < 400) continue
        refused += 1
        const said = reply.json()
        t.match(said, { statusCode: reply.statusCode, code: /^[A-Z_]+$/, message: /\w/, requestId: /\S/ }, path)
        t.notOk(english.has(said.message), `${path} speaks English: ${said.message}`)
        t.match(reply.headers['content-type'], 'application/json', path)
      }
  t.ok(refused > 150, `${refused} refusals`)
})
