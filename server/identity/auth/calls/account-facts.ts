import type { AllowedPath } from './allowed-routes.ts'
import { arraySchema, type CallFact, object, success, text } from './call-fact.ts'
import {
  DeleteUser,
  EnableSecondFactor,
  Nothing,
  ProveSecondFactor,
  SendCode,
  SignIn,
  SignInBySso,
  SignInWithPassword,
  VerifySecondStep,
} from './schemas.ts'

/** Signing in, the second factor, and the account of the caller. */
export const accountFacts = {
  '/get-session': {
    access: 'anyone',
    summary:
      'The signed-in user, with the `slug` of the active organization; null when nobody is signed in. While the second factor is missing: only `twoFactorRedirect`, without personal data.',
    mayBeNull: true,
  },
  '/email-otp/send-verification-otp': {
    access: 'anyone',
    summary: 'Mails a code to sign in with.',
    body: SendCode,
    refuses: [503],
  },
  '/sign-in/email-otp': {
    access: 'anyone',
    summary:
      'Signs in with a code; the session is set as a cookie. If a second factor is needed, the answer is `twoFactorRedirect`.',
    body: SignIn,
  },
  '/sign-in/username': {
    access: 'anyone',
    summary:
      'Signs in with a password and a username or address; the session is set as a cookie. If a second factor is needed, the answer is `twoFactorRedirect`.',
    body: SignInWithPassword,
  },
  '/sign-in/sso': {
    access: 'anyone',
    summary: "Starts a sign-in through an organization's SSO provider; the answer contains the address to redirect to.",
    body: SignInBySso,
    reply: object({ url: text, redirect: { type: 'boolean' } }),
    refuses: [404],
  },
  '/sso/callback/:providerId': {
    access: 'anyone',
    summary:
      'The callback of the SSO provider: redirects into the product, or to a page that explains why the sign-in failed.',
    params: object({ providerId: text }),
    query: { type: 'object', properties: { code: text, state: text, iss: text, error: text } },
    status: 302,
    refuses: [404],
  },
  '/sign-out': { access: 'anyone', summary: 'Ends the session.' },
  '/two-factor/enable': {
    access: 'person',
    summary: 'Creates the secret for an authenticator app; it takes effect once a code of the app was verified.',
    body: EnableSecondFactor,
    reply: object({ secret: text, totpURI: text }),
    refuses: [409],
  },
  '/two-factor/disable': {
    access: 'person',
    summary: 'Removes the second factor.',
    body: ProveSecondFactor,
    reply: success,
    refuses: [409],
  },
  '/two-factor/generate-backup-codes': {
    access: 'person',
    summary: 'Replaces the backup codes; only this answer shows them.',
    body: ProveSecondFactor,
    reply: object({ backupCodes: arraySchema(text) }),
    refuses: [409],
  },
  '/two-factor/send-otp': {
    access: 'person',
    summary: 'Mails a code that completes a sign-in with a password.',
    body: Nothing,
    reply: success,
    refuses: [409, 503],
  },
  '/two-factor/verify-totp': {
    access: 'person',
    summary: 'Completes a sign-in with a code of the app; or confirms the app and returns the backup codes.',
    body: VerifySecondStep,
    reply: {
      type: 'object',
      properties: { success: { type: 'boolean' }, backupCodes: arraySchema(text) },
      required: ['success'],
    },
    refuses: [409],
  },
  '/two-factor/verify-otp': {
    access: 'person',
    summary: 'Completes a sign-in with a password with the mailed code.',
    body: VerifySecondStep,
    reply: success,
    refuses: [409],
  },
  '/two-factor/verify-backup-code': {
    access: 'person',
    summary: 'Completes a sign-in with a backup code, which works only once.',
    body: VerifySecondStep,
    reply: success,
    refuses: [409],
  },
  '/revoke-sessions': { access: 'person', summary: 'Ends all sessions of the caller.' },
  '/revoke-other-sessions': { access: 'person', summary: 'Ends all sessions of the caller except this one.' },
  '/update-user': { access: 'person', summary: 'Changes name or picture of the caller.' },
  '/delete-user': {
    access: 'person',
    summary: 'Without a token, mails a confirmation link; with the token, deletes the account.',
    body: DeleteUser,
    refuses: [404, 409, 503],
  },
} satisfies Partial<Record<AllowedPath, CallFact>>
