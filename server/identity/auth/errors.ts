import { findBrokenRule } from '#server/platform/db/faults.ts'
import { AppError, defineErrors } from '#server/platform/http/errors.ts'
import type { Budget, Budgets } from './sign-in/budget.ts'

/**
 * Our codes, and those of the library that people can meet. better-auth's `INVALID_OTP` keeps its code in the API and
 * takes its text from `errors:AUTH_INVALID_OTP`.
 */
export const authErrors = defineErrors('AUTH', {
  TOO_MANY_CODES: 429,
  TOO_MANY_GUESSES: 429,
  TOO_MANY_REQUESTS: 429,
  TOO_MANY_INVITATIONS: 429,
  INVITATION_NOT_MAILED: 503,
  DELETION_NOT_MAILED: 503,
  /** The person's organizations would have no owner. */
  LAST_OWNER: 409,
  LAST_SITE_ADMIN: 409,
  /** An administrator who impersonates somebody may look around, but not end or delete what is theirs. */
  NOT_WHILE_IMPERSONATING: 403,
  TOO_MANY_LETTERS: 429,
  TOO_MANY_KEYS: 409,
  KEY_NOT_FOUND: 404,
  /** The id of a program that asks to be connected is not one we made. */
  PROGRAM_UNKNOWN: 400,
  /** A program asks for its answer at an address that it has not registered. */
  PROGRAM_ADDRESS_WRONG: 400,
  PROGRAM_NOT_FOUND: 404,
  TOO_MANY_PROGRAMS: 409,
  SESSION_NOT_FOUND: 404,
  PICTURE_NOT_FOUND: 404,
  PICTURE_INVALID: 400,
  PICTURE_TOO_LARGE: 413,
  TOO_MANY_PASSWORDS: 429,
  TOO_MANY_CHANGES: 429,
  INVALID_USERNAME_OR_PASSWORD: 401,
  USERNAME_TAKEN: 409,
  PASSWORD_REQUIRED: 400,
  PASSWORD_SHORT: 400,
  PASSWORD_GUESSABLE: 400,
  PASSWORD_LEAKED: 400,
  PASSWORD_WRONG: 400,
  PROOF_REQUIRED: 400,
  NO_PASSWORD: 409,
  EMAIL_TAKEN: 409,
  EMAIL_SAME: 400,
  TOO_MANY_SECOND_CODES: 429,
  /** Neither a current code of the app nor an unused backup code. */
  SECOND_CODE_WRONG: 400,
  SECOND_CODE_REQUIRED: 400,
  /** This sign-in needs no second step. */
  NO_SECOND_STEP: 409,
  /** After a sign-in by a mailed code, a second mailed code does not count as a second factor. */
  MAIL_IS_FIRST_FACTOR: 409,
  NO_SECOND_FACTOR: 409,
  /** The secret was shown too long ago, or never. */
  SETUP_EXPIRED: 409,
  SECOND_FACTOR_DEMANDED: 409,
  DEVICE_NOT_FOUND: 404,
  SSO_PROVIDER_NOT_FOUND: 404,
  /** This domain or organization has no identity provider to sign in with. */
  SSO_NOT_OFFERED: 404,
  SSO_ID_TAKEN: 409,
  SSO_DOMAIN_INVALID: 400,
  /** Another organization has verified this domain. */
  SSO_DOMAIN_TAKEN: 409,
  SSO_DOMAIN_TWICE: 409,
  SSO_DOMAIN_NOT_VERIFIED: 409,
  SSO_RECORD_MISSING: 409,
  SSO_DNS_UNREACHABLE: 503,
  /** No code was mailed, it was for another domain, or it has expired. */
  SSO_DOMAIN_CODE_WRONG: 400,
  /** The domain is verified already. */
  SSO_DOMAIN_VERIFIED: 409,
  /** Not https, or not a public host. */
  SSO_ADDRESS_REFUSED: 400,
  TOO_MANY_SSO_PROVIDERS: 409,
  /** Demanding single sign-on requires an active provider. */
  SSO_PROVIDER_FIRST: 409,
  /** The last provider cannot be removed while the organization demands single sign-on. */
  SSO_DEMANDED: 409,
  NAME_INVALID: 400,
  IMAGE_INVALID: 400,

  INVALID_EMAIL: 400,
  INVALID_OTP: 400,
  OTP_EXPIRED: 400,
  TOO_MANY_ATTEMPTS: 403,
  BANNED_USER: 403,
  INVALID_TOKEN: 404,
  INVALID_ORIGIN: 403,
  MISSING_OR_NULL_ORIGIN: 403,
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: 403,
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: 403,
  ORGANIZATION_ALREADY_EXISTS: 400,
  ORGANIZATION_SLUG_ALREADY_TAKEN: 400,
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: 403,
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: 403,
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 400,
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 400,
  INVITATION_NOT_FOUND: 400,
  INVITATION_LIMIT_REACHED: 403,
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: 403,
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION: 400,
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: 400,
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: 400,
  MEMBER_NOT_FOUND: 400,
  TEAM_NOT_FOUND: 400,
  USER_NOT_FOUND: 404,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 400,
  YOU_CANNOT_BAN_YOURSELF: 400,
  YOU_CANNOT_REMOVE_YOURSELF: 400,
  YOU_CANNOT_IMPERSONATE_ADMINS: 403,
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE: 403,
  YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS: 403,
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS: 403,
  YOU_ARE_NOT_ALLOWED_TO_BAN_USERS: 403,
  YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS: 403,
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS: 403,
  YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS: 403,
  YOU_ARE_NOT_ALLOWED_TO_SET_NON_EXISTENT_VALUE: 400,
  INVALID_ROLE_TYPE: 400,
  ROLE_NOT_FOUND: 400,
  SESSION_EXPIRED: 400,
  SESSION_NOT_FRESH: 403,
  NO_ACTIVE_ORGANIZATION: 400,
  ORGANIZATION_NOT_FOUND: 400,
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: 403,
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: 403,
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: 403,
  YOU_ARE_NOT_ALLOWED_TO_ACCESS_THIS_ORGANIZATION: 403,
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: 403,
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: 401,
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION: 403,
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: 403,
  YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION: 403,
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION: 403,
  EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION: 403,
  TEAM_ALREADY_EXISTS: 400,
  INVALID_TEAM_ID: 400,
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: 400,
  UNABLE_TO_REMOVE_LAST_TEAM: 400,
  TEAM_MEMBER_LIMIT_REACHED: 403,
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: 400,
  YOU_CAN_NOT_ACCESS_THE_MEMBERS_OF_THIS_TEAM: 403,
  YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM: 400,
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM: 403,
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: 403,
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: 403,
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: 403,
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM: 403,
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER: 403,
  YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER: 403,
  FAILED_TO_RETRIEVE_INVITATION: 400,
  INVALID_CALLBACK_URL: 403,
  INVALID_REDIRECT_URL: 403,
  INVALID_ERROR_CALLBACK_URL: 403,
  INVALID_NEW_USER_CALLBACK_URL: 403,
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 403,
  FIELD_NOT_ALLOWED: 400,
  BODY_MUST_BE_AN_OBJECT: 400,
  MISSING_FIELD: 400,
  NO_DATA_TO_UPDATE: 400,
})

/** The refusal for a rule that the database enforces; undefined: another error. */
export const brokenRuleRefusal = (error: unknown): AppError | undefined => {
  const rule = findBrokenRule(error)
  if (rule === 'LAST_SITE_ADMIN') return authErrors.LAST_SITE_ADMIN({ cause: error })
  if (rule === 'SLUG_TAKEN') return authErrors.ORGANIZATION_SLUG_ALREADY_TAKEN({ cause: error })
  if (rule !== 'LAST_OWNER') return undefined
  const { code, status } = authErrors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER()
  return new AppError('YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER', status, { textCode: code, cause: error })
}

type Refusal = (facts: { retryAfterSeconds: number; params: { minutes: number } }) => AppError

/**
 * Takes one use of each budget, or none.
 * @throws `refusal`, or AUTH_TOO_MANY_REQUESTS if the network's budget is used up
 */
export async function refuseExhausted(budgets: Budgets, wanted: readonly Budget[], refusal: Refusal): Promise<void> {
  const refused = await budgets.take(wanted)
  if (!refused) return
  const { retryAfterSeconds, exhausted } = refused
  const refuse = exhausted.key.startsWith('network:') ? authErrors.TOO_MANY_REQUESTS : refusal
  throw refuse({ retryAfterSeconds, params: { minutes: Math.ceil(retryAfterSeconds / 60) } })
}
