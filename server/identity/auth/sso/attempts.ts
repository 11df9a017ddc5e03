import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#server/platform/crypto/installation-secret.ts'
import { randomToken } from '#server/platform/crypto/random.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { cookieAttributes, cookieName, cookieValue } from '../sessions/cookie.ts'
import { saveAttempt, takeAttempt } from './attempt-store.ts'
import { SsoRefused } from './failure.ts'

interface AttemptParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly secret: string
  readonly publicUrl: string
}

interface BegunAttempt {
  readonly state: string
  readonly nonce: string
  /** The value of `code_challenge` with the method S256. @see RFC 7636 */
  readonly codeChallenge: string
  /** A complete `set-cookie` header: the same browser must come back. */
  readonly setCookie: string
}

export interface ReturnedAttempt {
  readonly nonce: string
  readonly codeVerifier: string
  readonly returnTo: string | null
}

/**
 * Sign-ins that have been sent to a provider. Stored, so that they survive a restart; each can be used once, within ten
 * minutes.
 */
export interface Attempts {
  begin(providerId: string, returnTo: string | null): Promise<BegunAttempt>
  /** @throws SsoRefused `expired`: unknown, used, too old, or for another provider or browser */
  take(state: string, providerId: string, cookie: string | undefined): Promise<ReturnedAttempt>
  /** A `set-cookie` header that deletes an attempt's cookie. */
  clearCookie(state: string): string
}

const lifetimeSeconds = 600
const stateForm = /^[\w-]{32}$/

export function createAttempts({ databases, clock, secret, publicUrl }: AttemptParts): Attempts {
  const key = deriveKey(secret, 'sso attempts')
  const derive = (purpose: string, value: string) =>
    createHmac('sha256', key).update(`${purpose} ${value}`).digest('base64url')
  // One cookie for each sign-in, so that two tabs do not overwrite each other's.
  const nameOf = (state: string) => cookieName(publicUrl, `sso_${state.slice(0, 8)}`)
  const cookieOf = (state: string, value: string, seconds: number) =>
    `${nameOf(state)}=${value}; ${cookieAttributes(publicUrl, seconds)}`
  // Derived from the state, which is not stored: a copy of the database reveals neither nonce nor verifier.
  const nonceOf = (state: string) => derive('nonce', state)
  const verifierOf = (state: string) => derive('verifier', state)

  return {
    async begin(providerId, returnTo) {
      const state = randomToken(24)
      const browser = randomToken(24)
      await saveAttempt(databases.write, {
        stateHash: derive('state', state),
        providerId,
        browserHash: derive('browser', browser),
        returnTo,
        expiresAt: isoIn(clock, lifetimeSeconds * 1000),
      })
      return {
        state,
        nonce: nonceOf(state),
        codeChallenge: createHash('sha256').update(verifierOf(state)).digest('base64url'),
        setCookie: cookieOf(state, browser, lifetimeSeconds),
      }
    },

    async take(state, providerId, cookie) {
      if (!stateForm.test(state)) throw new SsoRefused('expired', 'the state parameter is malformed')
      const browser = cookieValue(cookie ?? '', nameOf(state))
      // Checked first, so that another browser cannot use the attempt up.
      if (browser === undefined) throw new SsoRefused('expired', 'came back in another browser')
      const attempt = await inTransaction(databases, trx => takeAttempt(trx, derive('state', state)))
      if (!attempt) throw new SsoRefused('expired', 'state unknown or already used')
      const isSame = timingSafeEqual(Buffer.from(attempt.browserHash), Buffer.from(derive('browser', browser)))
      if (!isSame) throw new SsoRefused('expired', 'came back in another browser')
      if (attempt.expiresAt <= isoNow(clock)) throw new SsoRefused('expired', 'too old')
      if (attempt.providerId !== providerId) throw new SsoRefused('expired', 'came back from another provider')
      return { nonce: nonceOf(state), codeVerifier: verifierOf(state), returnTo: attempt.returnTo }
    },

    clearCookie: state => cookieOf(stateForm.test(state) ? state : '', '', 0),
  }
}
