import type { Person } from '../actor.ts'
import { type Clock, isoIn, isoNow } from '../clock.ts'
import { type Databases, type Db, inTransaction } from '../db.ts'
import type { ServerI18n } from '../i18n.ts'
import { newId } from '../ids.ts'
import { changeCodeLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import { randomInt } from '../random.ts'
import type { Budgets } from './budget.ts'
import { createCodeHash } from './code.ts'
import { authErrors, refuseExhausted } from './errors.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { hasSessionCode, saveSessionCode, takeSessionCode } from './session-code-store.ts'

interface ProofParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly secret: string
  readonly i18n: ServerI18n
  readonly mail: Mail
  readonly budgets: Budgets
  readonly hashing: PasswordHashing
}

export interface Proof {
  readonly currentPassword?: string
  readonly code?: string
}

/** How whoever sits at a session proves to be its person, before they change how one signs in. */
export interface Proofs {
  /**
   * Mails a code that is good in this session.
   * @throws AUTH_TOO_MANY_LETTERS, MAIL_UNAVAILABLE
   */
  sendCode(person: Person): Promise<void>
  /**
   * `stored`: the hash of the password there is.
   * @throws AUTH_PROOF_REQUIRED, AUTH_INVALID_OTP, AUTH_PASSWORD_WRONG, AUTH_TOO_MANY_CHANGES
   */
  require(person: Person, proof: Proof, stored: string | null): Promise<void>
  /**
   * Uses up the code that allows a change, in its transaction.
   * @throws AUTH_INVALID_OTP when somebody else has used it meanwhile
   */
  take(trx: Db, person: Person, proof: Proof): Promise<void>
}

const codeMinutes = 10
const purpose = 'password-change'

export function createProofs(parts: ProofParts): Proofs {
  const { databases, clock, i18n, mail, budgets, hashing } = parts
  const keyedHash = createCodeHash(parts.secret)
  // Not the hash of a sign-in code: one can never stand for the other.
  const codeHash = (code: string) => keyedHash(`${purpose} ${code.replace(/\s/g, '')}`)

  const holds = async ({ sessionId }: Person, proof: Proof, stored: string | null): Promise<boolean> =>
    proof.code === undefined
      ? hashing.verify(proof.currentPassword ?? '', stored)
      : hasSessionCode(databases.read, { purpose, sessionId, hash: codeHash(proof.code), now: isoNow(clock) })

  return {
    async sendCode(person) {
      const letters = budgets.passwordCode(person.userId)
      await refuseExhausted(budgets, [letters], authErrors.TOO_MANY_LETTERS)
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      await inTransaction(databases, trx =>
        saveSessionCode(trx, {
          id: newId(),
          purpose,
          sessionId: person.sessionId,
          hash: codeHash(code),
          at: isoNow(clock),
          expiresAt: isoIn(clock, codeMinutes * 60_000),
        }),
      )
      try {
        await mail.send(changeCodeLetter(i18n.translator(person.language), person.email, code, codeMinutes))
      } catch (error) {
        await budgets.giveBack([letters])
        throw error
      }
    },

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

    async take(trx, { sessionId }, { code }) {
      if (code !== undefined && !(await takeSessionCode(trx, { purpose, sessionId, hash: codeHash(code) })))
        throw authErrors.INVALID_OTP({ fields: ['body.code'] })
    },
  }
}
