import type { Db } from '#server/platform/db/database.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { createSessionCode, type SessionCodeParts } from '../sessions/session-code.ts'

interface ProofParts extends SessionCodeParts {
  readonly hashing: PasswordHashing
}

export interface Proof {
  readonly currentPassword?: string
  readonly code?: string
}

/** A signed-in person proves who they are before they change a credential: by password or mailed code. */
export interface Proofs {
  /**
   * Mails a code that is valid in this session.
   * @throws AUTH_TOO_MANY_LETTERS, MAIL_UNAVAILABLE
   */
  sendCode(person: Person): Promise<void>
  /**
   * @param stored hash of the current password; null: none
   * @throws AUTH_PROOF_REQUIRED, AUTH_INVALID_OTP, AUTH_PASSWORD_WRONG, AUTH_TOO_MANY_CHANGES
   */
  require(person: Person, proof: Proof, stored: string | null): Promise<void>
  /**
   * Uses up the mailed code, in the transaction of the change.
   * @throws AUTH_INVALID_OTP if it was used meanwhile
   */
  take(trx: Db, person: Person, proof: Proof): Promise<void>
}

export function createProofs(parts: ProofParts): Proofs {
  const { budgets, hashing } = parts
  const mailed = createSessionCode(parts, {
    purpose: 'password-change',
    budget: 'passwordCode',
    use: 'change',
  })

  const holds = async (person: Person, proof: Proof, stored: string | null): Promise<boolean> =>
    proof.code === undefined ? hashing.verify(proof.currentPassword ?? '', stored) : mailed.holds(person, proof.code)

  return {
    sendCode: mailed.send,

    async require(person, proof, stored) {
      if (proof.code === undefined && proof.currentPassword === undefined) throw authErrors.PROOF_REQUIRED()
      const tries = budgets.passwordChange(person.userId)
      await refuseExhausted(budgets, [tries], authErrors.TOO_MANY_CHANGES)
      if (!(await holds(person, proof, stored)))
        throw proof.code === undefined
          ? authErrors.PASSWORD_WRONG({ fields: ['body.currentPassword'] })
          : authErrors.INVALID_OTP({ fields: ['body.code'] })
      await budgets.giveBack([tries])
    },

    async take(trx, person, { code }) {
      if (code !== undefined && !(await mailed.take(trx, person, code)))
        throw authErrors.INVALID_OTP({ fields: ['body.code'] })
    },
  }
}
