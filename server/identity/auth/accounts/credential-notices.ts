import { Type } from 'typebox'
import {
  type CredentialChange,
  credentialChanges,
  credentialLetter,
  type OwnCredentialChange,
} from '#server/identity/mail/letters.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { longestGapMs } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import { languages } from '#shared/kernel/language.ts'
import { findUserAgent } from '../passwords/password-store.ts'
import { deviceOf } from '../sessions/user-agent.ts'
import { type AccessLog, accessOfChange } from './access-log.ts'

/** The person to notify, at their current address. */
type Addressee = Pick<Person, 'email' | 'language' | 'sessionId'>

/** Mails people when a credential of theirs has changed. */
export interface CredentialNotices {
  /**
   * Adds the mail in the transaction of the change, so that it is sent even if this process dies. Call `wake` after the
   * commit.
   */
  add(trx: Db, person: Addressee, what: CredentialChange, facts?: { readonly org: string | undefined }): Promise<void>
  wake(): void
  /** Runs a change in a transaction, together with its notice. */
  write<T>(person: Person, what: OwnCredentialChange, change: (trx: Db) => Promise<T>): Promise<T>
}

interface NoticeParts extends AccessLog {
  readonly databases: Databases
  readonly jobs: Pick<Jobs, 'register'>
  readonly mail: Mail
  readonly i18n: ServerI18n
}

/** Jobs need an organization; this one belongs to none. */
const installation = ''
/** Enough for a mail server that is down for a day. */
const tries = 30

export function createCredentialNotices({ databases, jobs, mail, i18n, onAccess }: NoticeParts): CredentialNotices {
  const queue = jobs.register({
    name: 'auth.credentialNotice',
    looksWithinMs: longestGapMs,
    payload: Type.Object({
      to: Type.String(),
      language: Type.Enum(languages),
      what: Type.Enum(credentialChanges),
      device: Type.String(),
      org: Type.Optional(Type.String()),
    }),
    atOnce: 2,
    tries,
    isKept: false,
    async run({ payload }) {
      try {
        await mail.send(credentialLetter(i18n.translator(payload.language), payload))
        return undefined
      } catch (error) {
        // The mail server rejects the address for good.
        if (error instanceof AppError && error.code === 'MAIL_RECIPIENT_REFUSED')
          return { kind: 'failed', reason: error.code }
        throw error
      }
    },
  })

  const add: CredentialNotices['add'] = async (trx, person, what, facts) => {
    const { browser, system } = deviceOf(await findUserAgent(trx, person.sessionId))
    const device = [browser, system].filter(Boolean).join(', ')
    const about = facts?.org === undefined ? {} : { org: facts.org }
    const payload = { to: person.email, language: person.language, what, device, ...about }
    await queue.add(trx, installation, [{ payload }])
  }

  return {
    add,
    wake: () => queue.wake(),
    async write(person, what, change) {
      const result = await inTransaction(databases, async trx => {
        // Before the change, because it may end the session that names the device.
        await add(trx, person, what)
        const { userId, sessionId } = person
        await onAccess?.(trx, { userId, sessionId, action: accessOfChange[what] })
        return change(trx)
      })
      queue.wake()
      return result
    },
  }
}
