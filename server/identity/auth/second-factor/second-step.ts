import type { Config } from '#server/platform/config/config.ts'
import { randomToken } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { OwnAccess } from '#shared/audit/api.ts'
import type { SecondStepWay } from '#shared/auth/second-factor.ts'
import { type AccessLog, accessOfSignIn } from '../accounts/access-log.ts'
import type { CredentialNotices } from '../accounts/credential-notices.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import { cookieKey, sessionCookie } from '../sessions/cookie.ts'
import { sessionIdleMs } from '../sessions/session.ts'
import { createSessionCode, type SessionCodeParts } from '../sessions/session-code.ts'
import type { SecondFactorCodes } from './second-factor-codes.ts'
import { completeSession, countBackupCodes, findHalfSignedInBy, hasSecondFactor } from './second-factor-store.ts'
import type { TrustedDevices } from './trusted-devices.ts'

interface SecondStepParts extends SessionCodeParts, AccessLog {
  readonly config: Pick<Config, 'publicUrl'>
  readonly codes: SecondFactorCodes
  readonly notices: CredentialNotices
  readonly trustedDevices: TrustedDevices
}

interface Attempt {
  readonly way: SecondStepWay
  readonly code: string
  readonly trustDevice: boolean
  readonly ip: string
  readonly userAgent: string | null
}

/** The second step of a sign-in. */
export interface SecondStep {
  /** True if a person who gave the first factor must give the second. A trusted browser is not asked. */
  isAsked(userId: string, cookie: string | undefined): Promise<boolean>
  /**
   * The ways to finish this sign-in; empty: it is complete. After a mailed code, a second mailed code is not offered.
   */
  waysOf(person: Person): Promise<SecondStepWay[]>
  /** @throws AUTH_NO_SECOND_STEP, AUTH_MAIL_IS_FIRST_FACTOR, AUTH_TOO_MANY_LETTERS, MAIL_UNAVAILABLE */
  sendCode(person: Person): Promise<void>
  /**
   * Returns `set-cookie` headers: the session gets a new token.
   * @throws AUTH_NO_SECOND_STEP, AUTH_MAIL_IS_FIRST_FACTOR, AUTH_SECOND_CODE_WRONG, AUTH_TOO_MANY_SECOND_CODES
   */
  finish(person: Person, attempt: Attempt): Promise<string[]>
}

const tokenBytes = 24

export function createSecondStep(parts: SecondStepParts): SecondStep {
  const { config, databases, clock, budgets, codes, notices, trustedDevices } = parts
  const mailed = createSessionCode(parts, {
    purpose: 'second-step',
    budget: 'secondStepCode',
    use: 'secondStep',
  })

  const requireHalfDone = async ({ sessionId }: Person) => {
    const firstFactor = await findHalfSignedInBy(databases.read, sessionId)
    if (firstFactor === undefined) throw appErrors.SIGN_IN_REQUIRED()
    if (firstFactor === null) throw authErrors.NO_SECOND_STEP()
    return firstFactor
  }

  const requireMailAllowed = (firstFactor: string) => {
    if (firstFactor !== 'password') throw authErrors.MAIL_IS_FIRST_FACTOR()
  }

  const isRight = (trx: Db, person: Person, { way, code }: Attempt): Promise<boolean> => {
    if (way === 'app') return codes.takeAppCode(trx, person.userId, code)
    if (way === 'backup') return codes.takeBackupCode(trx, person.userId, code)
    return mailed.takeFresh(trx, person, code)
  }

  return {
    async isAsked(userId, cookie) {
      if (!(await hasSecondFactor(databases.read, userId))) return false
      return !(await trustedDevices.isTrusted(userId, cookie))
    },

    async waysOf({ sessionId, userId }) {
      const firstFactor = await findHalfSignedInBy(databases.read, sessionId)
      if (!firstFactor) return []
      const hasBackup = (await countBackupCodes(databases.read, userId)) > 0
      return [
        'app' as const,
        ...(firstFactor === 'password' ? ['mail' as const] : []),
        ...(hasBackup ? ['backup' as const] : []),
      ]
    },

    async sendCode(person) {
      requireMailAllowed(await requireHalfDone(person))
      await mailed.send(person)
    },

    async finish(person, attempt) {
      const firstFactor = await requireHalfDone(person)
      if (attempt.way === 'mail') requireMailAllowed(firstFactor)
      const { userId, sessionId } = person
      const tries = [budgets.secondFactor(userId), budgets.secondFactorFrom(attempt.ip)]
      await refuseExhausted(budgets, tries, authErrors.TOO_MANY_SECOND_CODES)
      // A new token, so that knowing the half session's token does not open the complete session.
      const token = randomToken(tokenBytes)
      const deviceCookie = await inTransaction(databases, async trx => {
        if (!(await isRight(trx, person, attempt))) throw authErrors.SECOND_CODE_WRONG({ fields: ['body.code'] })
        const whole = { token, at: isoNow(clock), expiresAt: isoIn(clock, sessionIdleMs) }
        if (!(await completeSession(trx, sessionId, whole))) throw authErrors.NO_SECOND_STEP()
        const write = (action: OwnAccess) => parts.onAccess?.(trx, { userId, sessionId, action })
        await write(accessOfSignIn(firstFactor))
        if (attempt.way === 'backup') {
          await notices.add(trx, person, 'backupCodeUsed')
          await write('backupCodeUsed')
        }
        if (!attempt.trustDevice) return undefined
        await notices.add(trx, person, 'deviceTrusted')
        await write('deviceTrusted')
        return trustedDevices.add(trx, userId, attempt)
      })
      notices.wake()
      await budgets.giveBack(tries)
      const { setCookie } = sessionCookie(config.publicUrl, token, cookieKey(parts.secret))
      return deviceCookie === undefined ? [setCookie] : [setCookie, deviceCookie]
    },
  }
}
