import { Type } from 'typebox'
import { type OwnerNews, ownerLetter, ownerNews } from '#server/identity/mail/letters.ts'
import type { Db } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { longestGapMs } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import type { Translate } from '#server/platform/text/i18n.ts'
import { type Language, languages } from '#shared/kernel/language.ts'
import { listOwners } from './store.ts'

/** Mails the owners of an organization about what happened to it. */
export interface OwnerLetters {
  /** Queues a mail to each current owner, in the transaction of what happened. Call `wake` after the commit. */
  add(trx: Db, orgId: string, news: { what: OwnerNews; by: string; detail: string }): Promise<void>
  wake(): void
}

interface LetterParts {
  readonly jobs: Pick<Jobs, 'register'>
  readonly mail: Mail
  readonly publicUrl: string
  translator(language: Language): Translate
  /** The language of an organization's mails; undefined: not set. */
  readLanguage(orgId: string, db: Db): Promise<Language>
}

/** The mail must survive the organization, so its job belongs to none. */
const installation = ''
/** Enough for a mail server that is down for a day. */
const tries = 30

export function createOwnerLetters({ jobs, mail, publicUrl, translator, readLanguage }: LetterParts): OwnerLetters {
  const queue = jobs.register({
    name: 'organization.ownerLetter',
    looksWithinMs: longestGapMs,
    payload: Type.Object({
      to: Type.String(),
      language: Type.Enum(languages),
      what: Type.Enum(ownerNews),
      org: Type.String(),
      by: Type.String(),
      detail: Type.String(),
    }),
    atOnce: 2,
    tries,
    isKept: false,
    async run({ payload }) {
      try {
        await mail.send(ownerLetter(translator(payload.language), { ...payload, site: publicUrl }))
        return undefined
      } catch (error) {
        // The mail server rejects the address for good.
        if (error instanceof AppError && error.code === 'MAIL_RECIPIENT_REFUSED')
          return { kind: 'failed', reason: error.code }
        throw error
      }
    },
  })

  return {
    async add(trx, orgId, { what, by, detail }) {
      const language = await readLanguage(orgId, trx)
      const owners = await listOwners(trx, orgId)
      const rows = owners.map(({ email, org }) => ({ payload: { to: email, language, what, org, by, detail } }))
      await queue.add(trx, installation, rows)
    },
    wake: () => queue.wake(),
  }
}
