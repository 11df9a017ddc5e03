import { domainLetter } from '#server/identity/mail/letters.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Member } from '#server/platform/http/actor.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { domainMailboxes } from '#shared/auth/sso.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import { createLongCode, plainCode } from '../second-factor/backup-codes.ts'
import { saveSessionCode, takeSessionCode } from '../sessions/session-code-store.ts'
import type { Budgets } from '../sign-in/budget.ts'
import { createCodeHash } from '../sign-in/code.ts'
import { findOrgName, type ProviderRow } from './provider-store.ts'

interface DomainMailParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly secret: string
  readonly i18n: ServerI18n
  readonly mail: Mail
  readonly budgets: Budgets
}

export type DomainMail = ReturnType<typeof createDomainMail>

const codeHours = 24
const purpose = 'sso-domain'

/** Verifies a domain by mail to its administrator's mailbox, for people who cannot change its DNS. */
export function createDomainMail({ databases, clock, secret, i18n, mail, budgets }: DomainMailParts) {
  const keyedHash = createCodeHash(secret)
  // Stored like a session's code. The hash includes organization and domain, because a provider's id may later belong
  // to another.
  const about = ({ id, org_id, domain }: ProviderRow, code: string) => ({
    purpose,
    sessionId: id,
    hash: keyedHash(`${purpose} ${org_id} ${domain} ${plainCode(code)}`),
  })
  return {
    /** Replaces an earlier code. @throws AUTH_TOO_MANY_LETTERS, MAIL_UNAVAILABLE, MAIL_RECIPIENT_REFUSED */
    async send(member: Member, row: ProviderRow, mailbox: (typeof domainMailboxes)[number]) {
      const letters = [budgets.domainLetter(row.domain), budgets.domainLettersOf(row.org_id)]
      await refuseExhausted(budgets, letters, authErrors.TOO_MANY_LETTERS)
      const code = createLongCode()
      await inTransaction(databases, trx =>
        saveSessionCode(trx, {
          id: newId(),
          ...about(row, code),
          at: isoNow(clock),
          expiresAt: isoIn(clock, codeHours * 3_600_000),
        }),
      )
      const to = `${mailbox}@${row.domain}`
      const org = (await findOrgName(databases.read, row.org_id)) ?? ''
      const facts = { to, domain: row.domain, org, by: member.name, code, hours: codeHours }
      try {
        await mail.send(domainLetter(i18n.translator(member.language), facts))
      } catch (error) {
        await budgets.giveBack(letters)
        throw error
      }
      return { to, hours: codeHours }
    },

    /** False: not a valid code for this provider. */
    take: (trx: Db, row: ProviderRow, code: string): Promise<boolean> =>
      takeSessionCode(trx, { ...about(row, code), now: isoNow(clock) }),
  }
}
