import { findBrokenRule } from '../db.ts'
import { AppError, defineErrors } from '../errors.ts'
import type { Budget, Budgets } from './budget.ts'

/**
 * Ours, and the library's codes a person can meet: better-auth's `INVALID_OTP` keeps its code on the wire and takes its
 * sentence from `errors:AUTH_INVALID_OTP`.
 */
export const authErrors = defineErrors('AUTH', {
  TOO_MANY_CODES: 429,
  TOO_MANY_GUESSES: 429,
  TOO_MANY_REQUESTS: 429,
  TOO_MANY_INVITATIONS: 429,
  INVITATION_NOT_MAILED: 503,
  DELETION_NOT_MAILED: 503,
  /** Their organizations would be left without an owner. */
  LAST_OWNER: 409,
  LAST_SITE_ADMIN: 409,
  /** Whoever acts as somebody else may look around, not end what is theirs. */
  NOT_WHILE_IMPERSONATING: 403,
  TOO_MANY_LETTERS: 429,
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
})

/** The refusal for a rule that the database itself holds; undefined: the error is none of those. */
export const brokenRuleRefusal = (error: unknown): AppError | undefined => {
  const rule = findBrokenRule(error)
  if (rule === 'LAST_SITE_ADMIN') return authErrors.LAST_SITE_ADMIN({ cause: error })
  if (rule !== 'LAST_OWNER') return undefined
  const { code, status } = authErrors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER()
  return new AppError('YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER', status, { textCode: code, cause: error })
}

type Refusal = (facts: { retryAfterSeconds: number; params: { minutes: number } }) => AppError

/**
 * Takes one of each budget, or none.
 * @throws `refusal`, or AUTH_TOO_MANY_REQUESTS when it is the network's that is used up
 */
export async function refuseExhausted(budgets: Budgets, wanted: readonly Budget[], refusal: Refusal): Promise<void> {
  const refused = await budgets.take(wanted)
  if (!refused) return
  const { retryAfterSeconds, exhausted } = refused
  const refuse = exhausted.key.startsWith('network:') ? authErrors.TOO_MANY_REQUESTS : refusal
  throw refuse({ retryAfterSeconds, params: { minutes: Math.ceil(retryAfterSeconds / 60) } })
}
