import { emailCodeLetter } from '#server/identity/mail/letters.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { randomInt } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { emailChangeApi } from '#shared/auth/email-change.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import type { SecondFactorCodes } from '../second-factor/second-factor-codes.ts'
import { hasSecondFactor } from '../second-factor/second-factor-store.ts'
import { requireOwnAccount } from '../sessions/bound-sessions.ts'
import { saveSessionCode, takeSessionCode } from '../sessions/session-code-store.ts'
import type { Budgets } from '../sign-in/budget.ts'
import { createCodeHash } from '../sign-in/code.ts'
import { hasUserWithEmail, setEmail } from './account-store.ts'
import type { CredentialNotices } from './credential-notices.ts'

interface EmailChangeParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly secret: string
  readonly i18n: ServerI18n
  readonly mail: Mail
  readonly budgets: Budgets
  readonly codes: SecondFactorCodes
  readonly notices: CredentialNotices
}

type End = 'old' | 'new'
const codeMinutes = 10
const purposeOf = (end: End) => `email-change-${end}`
const freshCode = () => String(randomInt(1_000_000)).padStart(6, '0')

/** Changes a person's mail address, with codes sent to the old and the new one. */
export function createEmailChange(parts: EmailChangeParts): ServiceOf<typeof emailChangeApi, Person> {
  const { databases, clock, i18n, mail, budgets, codes, notices } = parts
  const keyedHash = createCodeHash(parts.secret)
  // The hash includes the address: a code mailed for one address is wrong for another.
  const hashOf = (end: End, address: string, code: string) =>
    keyedHash(`${purposeOf(end)} ${address} ${code.replace(/\s/g, '')}`)

  const readAddress = (person: Person, given: string) => {
    if (person.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
    const address = given.toLowerCase()
    if (address === person.email) throw authErrors.EMAIL_SAME({ fields: ['body.email'] })
    return address
  }

  const saveCode = (trx: Db, { sessionId }: Person, end: End, address: string, code: string) =>
    saveSessionCode(trx, {
      id: newId(),
      purpose: purposeOf(end),
      sessionId,
      hash: hashOf(end, address, code),
      at: isoNow(clock),
      expiresAt: isoIn(clock, codeMinutes * 60_000),
    })

  const takeCode = async (trx: Db, { sessionId }: Person, end: End, address: string, code: string) => {
    const hash = hashOf(end, address, code)
    if (!(await takeSessionCode(trx, { purpose: purposeOf(end), sessionId, hash, now: isoNow(clock) })))
      throw authErrors.INVALID_OTP({ fields: [`body.${end}Code`] })
  }

  return {
    /**
     * Does not reveal whether the new address belongs to somebody: it gets its code either way.
     * @throws AUTH_EMAIL_SAME, AUTH_TOO_MANY_LETTERS, MAIL_UNAVAILABLE, MAIL_RECIPIENT_REFUSED
     */
    async sendEmailCodes(person, { body }) {
      await requireOwnAccount(databases.read, person)
      const address = readAddress(person, body.email)
      const letters = budgets.emailCodes(person.userId)
      await refuseExhausted(budgets, [letters], authErrors.TOO_MANY_LETTERS)
      const [oldCode, newCode] = [freshCode(), freshCode()]
      await inTransaction(databases, async trx => {
        await saveCode(trx, person, 'old', address, oldCode)
        await saveCode(trx, person, 'new', address, newCode)
      })
      const t = i18n.translator(person.language)
      const minutes = codeMinutes
      try {
        await mail.send(emailCodeLetter(t, { to: address, end: 'new', other: person.email, code: newCode, minutes }))
        await mail.send(emailCodeLetter(t, { to: person.email, end: 'old', other: address, code: oldCode, minutes }))
      } catch (error) {
        await budgets.giveBack([letters])
        throw error
      }
      return { success: true }
    },

    /**
     * @throws AUTH_EMAIL_SAME, AUTH_INVALID_OTP, AUTH_SECOND_CODE_REQUIRED, AUTH_SECOND_CODE_WRONG, AUTH_EMAIL_TAKEN,
     * AUTH_TOO_MANY_CHANGES
     */
    async changeEmail(person, { body }) {
      await requireOwnAccount(databases.read, person)
      const address = readAddress(person, body.email)
      const { userId } = person
      const { secondCode } = body
      const asksSecondCode = await hasSecondFactor(databases.read, userId)
      if (asksSecondCode && secondCode === undefined)
        throw authErrors.SECOND_CODE_REQUIRED({ fields: ['body.secondCode'] })
      const tries = [budgets.emailChange(userId), ...(asksSecondCode ? [budgets.secondFactor(userId)] : [])]
      await refuseExhausted(budgets, tries, authErrors.TOO_MANY_CHANGES)
      const write = () =>
        notices.write(person, 'emailChanged', async trx => {
          await takeCode(trx, person, 'old', address, body.oldCode)
          await takeCode(trx, person, 'new', address, body.newCode)
          if (asksSecondCode && !(await codes.take(trx, userId, secondCode ?? '')))
            throw authErrors.SECOND_CODE_WRONG({ fields: ['body.secondCode'] })
          if (await hasUserWithEmail(trx, address)) throw authErrors.EMAIL_TAKEN({ fields: ['body.email'] })
          await setEmail(trx, userId, address, isoNow(clock))
          await notices.add(trx, { ...person, email: address }, 'emailChanged')
        })
      try {
        await write()
      } catch (error) {
        // Two people who claim the same address at once may both pass the check; the unique column stops one.
        if (error instanceof AppError || !(await hasUserWithEmail(databases.read, address))) throw error
        throw authErrors.EMAIL_TAKEN({ fields: ['body.email'], cause: error })
      }
      await budgets.giveBack(tries)
      return { success: true }
    },
  }
}
