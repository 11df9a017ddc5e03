import { type CodeUse, codeLetter } from '#server/identity/mail/letters.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { randomInt } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import type { Budgets } from '../sign-in/budget.ts'
import { createCodeHash } from '../sign-in/code.ts'
import { hasSessionCode, saveSessionCode, takeSessionCode } from './session-code-store.ts'

export interface SessionCodeParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly secret: string
  readonly i18n: ServerI18n
  readonly mail: Mail
  readonly budgets: Budgets
}

interface CodeOf {
  /** Part of the hash, so that a code is valid for this purpose only. */
  readonly purpose: string
  readonly budget: 'passwordCode' | 'secondStepCode'
  readonly use: CodeUse
}

const codeMinutes = 10

/** Creates codes that are mailed for one purpose and valid only in the session that requested them. */
export function createSessionCode(parts: SessionCodeParts, { purpose, budget, use }: CodeOf) {
  const { databases, clock, i18n, mail, budgets } = parts
  const keyedHash = createCodeHash(parts.secret)
  const about = ({ sessionId }: Person, code: string) => ({
    purpose,
    sessionId,
    hash: keyedHash(`${purpose} ${code.replace(/\s/g, '')}`),
  })
  return {
    /** @throws AUTH_TOO_MANY_LETTERS, MAIL_UNAVAILABLE */
    async send(person: Person): Promise<void> {
      const letters = budgets[budget](person.userId)
      await refuseExhausted(budgets, [letters], authErrors.TOO_MANY_LETTERS)
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const [at, expiresAt] = [isoNow(clock), isoIn(clock, codeMinutes * 60_000)]
      await inTransaction(databases, trx =>
        saveSessionCode(trx, { id: newId(), ...about(person, code), at, expiresAt }),
      )
      try {
        const facts = { to: person.email, use, code, minutes: codeMinutes }
        await mail.send(codeLetter(i18n.translator(person.language), facts))
      } catch (error) {
        await budgets.giveBack([letters])
        throw error
      }
    },
    holds: (person: Person, code: string): Promise<boolean> =>
      hasSessionCode(databases.read, { ...about(person, code), now: isoNow(clock) }),
    /** Uses the code up, even if it has expired since `holds`. Of two concurrent uses one gets true. */
    take: (trx: Db, person: Person, code: string): Promise<boolean> => takeSessionCode(trx, about(person, code)),
    /** Uses the code up. Returns false if it has expired, or if another use took it. */
    takeFresh: (trx: Db, person: Person, code: string): Promise<boolean> =>
      takeSessionCode(trx, { ...about(person, code), now: isoNow(clock) }),
  }
}
