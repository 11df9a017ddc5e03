import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { CredentialNotices } from '../accounts/credential-notices.ts'
import type { Proof, Proofs } from '../accounts/proof.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import { deleteOtherSessions, findPasswordOf } from '../passwords/password-store.ts'
import { requireOwnAccount } from '../sessions/bound-sessions.ts'
import { listOtherSessionIds } from '../sessions/session-store.ts'
import type { Streams } from '../sessions/streams.ts'
import type { Budgets } from '../sign-in/budget.ts'
import type { SecondFactorCodes } from './second-factor-codes.ts'
import {
  deleteSecondFactor,
  deleteSetup,
  findSetup,
  hasSecondFactor,
  listDemandingOrgs,
  saveSecondFactor,
  saveSetup,
} from './second-factor-store.ts'
import { createTotpSecret, findStep, totpAddress } from './totp.ts'

interface SecondFactorParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly vault: Vault
  readonly budgets: Budgets
  readonly streams: Streams
  readonly proofs: Proofs
  readonly notices: CredentialNotices
  readonly codes: SecondFactorCodes
}

/** Sets up, replaces and removes a person's second factor. */
export interface SecondFactorSetup {
  /**
   * Creates a secret, which takes effect with `confirm`. A person who already has a second factor must give a code of
   * it.
   * @throws AUTH_SECOND_CODE_REQUIRED, AUTH_SECOND_CODE_WRONG, AUTH_TOO_MANY_SECOND_CODES, what `Proofs.require` throws
   */
  begin(person: Person, proof: Proof & { secondCode?: string }): Promise<{ secret: string; totpURI: string }>
  /**
   * Returns the backup codes. Ends the person's other sessions, which were signed in with one factor.
   * @throws AUTH_SETUP_EXPIRED, AUTH_SECOND_CODE_WRONG, AUTH_TOO_MANY_SECOND_CODES
   */
  confirm(person: Person, code: string): Promise<{ backupCodes: string[] }>
  /** @throws AUTH_NO_SECOND_FACTOR, AUTH_SECOND_FACTOR_DEMANDED, AUTH_SECOND_CODE_WRONG, AUTH_TOO_MANY_SECOND_CODES */
  remove(person: Person, secondCode: string, language: string): Promise<void>
  /** @throws AUTH_NO_SECOND_FACTOR, AUTH_SECOND_CODE_WRONG, AUTH_TOO_MANY_SECOND_CODES */
  renewBackupCodes(person: Person, secondCode: string): Promise<{ backupCodes: string[] }>
}

const setupMinutes = 15
const contextOf = (sessionId: string): string => `second_factor_setup.secret ${sessionId}`
const wrong = (field: string) => authErrors.SECOND_CODE_WRONG({ fields: [`body.${field}`] })

export function createSecondFactorSetup(parts: SecondFactorParts): SecondFactorSetup {
  const { databases, clock, vault, budgets, streams, proofs, notices, codes } = parts

  const requireOwner = async (person: Person) => {
    if (person.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
    await requireOwnAccount(databases.read, person)
  }

  /** Takes one try, and returns it if the work succeeds. */
  const counted = async <T>({ userId }: Person, work: () => Promise<T>): Promise<T> => {
    const tries = budgets.secondFactor(userId)
    await refuseExhausted(budgets, [tries], authErrors.TOO_MANY_SECOND_CODES)
    const result = await work()
    await budgets.giveBack([tries])
    return result
  }

  const takeCode = async (trx: Db, { userId }: Person, code: string) => {
    if (!(await codes.take(trx, userId, code))) throw wrong('secondCode')
  }

  const keepSetup = (trx: Db, { sessionId }: Person, secret: string) =>
    saveSetup(trx, {
      sessionId,
      secret: vault.encrypt(secret, contextOf(sessionId)),
      expiresAt: isoIn(clock, setupMinutes * 60_000),
    })

  return {
    async begin(person, proof) {
      await requireOwner(person)
      const secret = createTotpSecret()
      const { secondCode } = proof
      if (await hasSecondFactor(databases.read, person.userId)) {
        if (secondCode === undefined) throw authErrors.SECOND_CODE_REQUIRED({ fields: ['body.secondCode'] })
        await counted(person, () =>
          inTransaction(databases, async trx => {
            await takeCode(trx, person, secondCode)
            await keepSetup(trx, person, secret)
          }),
        )
      } else {
        const stored = await findPasswordOf(databases.read, person.userId)
        if (!stored) throw appErrors.SIGN_IN_REQUIRED()
        await proofs.require(person, proof, stored.password)
        await inTransaction(databases, async trx => {
          await proofs.take(trx, person, proof)
          await keepSetup(trx, person, secret)
        })
      }
      return { secret, totpURI: totpAddress(secret, person.email) }
    },

    confirm: (person, code) =>
      counted(person, async () => {
        await requireOwner(person)
        const { userId, sessionId } = person
        const setup = await findSetup(databases.read, sessionId, isoNow(clock))
        if (!setup) throw authErrors.SETUP_EXPIRED()
        const secret = vault.decrypt(setup.secret, contextOf(sessionId))
        const step = findStep(secret, code.replace(/\s/g, ''), clock.now())
        if (step === undefined) throw wrong('code')
        const what = (await hasSecondFactor(databases.read, userId)) ? 'secondFactorReplaced' : 'secondFactorOn'
        const others = await listOtherSessionIds(databases.read, userId, sessionId)
        const backupCodes = await notices.write(person, what, async trx => {
          if (!(await deleteSetup(trx, sessionId))) throw authErrors.SETUP_EXPIRED()
          await deleteSecondFactor(trx, userId)
          await saveSecondFactor(trx, { userId, secret: codes.encrypt(secret, userId), step, at: isoNow(clock) })
          await deleteOtherSessions(trx, userId, sessionId)
          return codes.replaceBackupCodes(trx, userId)
        })
        for (const id of others) streams.dropUser(userId, id)
        return { backupCodes }
      }),

    async remove(person, secondCode, language) {
      await requireOwner(person)
      if (!(await hasSecondFactor(databases.read, person.userId))) throw authErrors.NO_SECOND_FACTOR()
      const demanding = await listDemandingOrgs(databases.read, person.userId)
      if (demanding.length)
        throw authErrors.SECOND_FACTOR_DEMANDED({
          params: { organizations: new Intl.ListFormat(language).format(demanding) },
        })
      await counted(person, () =>
        notices.write(person, 'secondFactorOff', async trx => {
          await takeCode(trx, person, secondCode)
          await deleteSecondFactor(trx, person.userId)
        }),
      )
    },

    async renewBackupCodes(person, secondCode) {
      await requireOwner(person)
      if (!(await hasSecondFactor(databases.read, person.userId))) throw authErrors.NO_SECOND_FACTOR()
      const backupCodes = await counted(person, () =>
        notices.write(person, 'backupCodes', async trx => {
          await takeCode(trx, person, secondCode)
          return codes.replaceBackupCodes(trx, person.userId)
        }),
      )
      return { backupCodes }
    },
  }
}
