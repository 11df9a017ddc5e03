import type { FastifyInstance } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { stepAt } from '#server/identity/auth/second-factor/totp.ts'
import type { Clock } from '#server/platform/time/clock.ts'

/** A person's authenticator app. */
export interface App {
  readonly secret: string
  /** The current code, or the one that many half minutes later. */
  code(later?: number): string
}

/** The code that an app shows in a half minute. */
export const totpCode = (secret: string, step: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: step * 30_000,
  })

export const anApp = (secret: string, clock: Clock): App => ({
  secret,
  code: (later = 0) => totpCode(secret, stepAt(clock.now()) + later),
})

/** Calls one of the library's addresses for the second factor. */
export const askTwoFactor = (app: FastifyInstance, path: string, cookie: string, body: object = {}) =>
  app.inject({
    method: 'POST',
    url: `/api/auth/two-factor/${path}`,
    headers: { cookie, 'content-type': 'application/json', 'accept-language': 'es' },
    payload: JSON.stringify(body),
  })

/** Turns the second factor on in a session. `proof`: a mailed code or the password. It uses up the current code. */
export async function enableSecondFactor(
  app: FastifyInstance,
  { cookie, proof, clock }: { cookie: string; proof: object; clock: Clock },
): Promise<{ app: App; backupCodes: string[] }> {
  const begun = await askTwoFactor(app, 'enable', cookie, proof)
  if (begun.statusCode !== 200) throw new Error(begun.body)
  const authenticator = anApp(begun.json().secret, clock)
  const confirmed = await askTwoFactor(app, 'verify-totp', cookie, { code: authenticator.code() })
  if (confirmed.statusCode !== 200) throw new Error(confirmed.body)
  return { app: authenticator, backupCodes: confirmed.json().backupCodes }
}
