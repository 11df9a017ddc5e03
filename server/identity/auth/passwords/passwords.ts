import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { passwordFault } from '#shared/auth/password-rules.ts'
import type { passwordsApi } from '#shared/auth/passwords.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { CredentialNotices } from '../accounts/credential-notices.ts'
import type { Proofs } from '../accounts/proof.ts'
import { authErrors } from '../errors.ts'
import { isOwnAccount, requireOwnAccount } from '../sessions/bound-sessions.ts'
import { listOtherSessionIds } from '../sessions/session-store.ts'
import type { Streams } from '../sessions/streams.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { LeakedPasswords } from './leaked-passwords.ts'
import type { PasswordHashing } from './password-hashing.ts'
import {
  deleteOtherSessions,
  deletePassword,
  findPasswordOf,
  hasOtherUsername,
  setPassword,
  setUsername,
} from './password-store.ts'

interface PasswordParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly proofs: Proofs
  readonly notices: CredentialNotices
  readonly streams: Streams
  readonly hashing: PasswordHashing
  /** Undefined: the operator has configured no list. */
  readonly leaked: LeakedPasswords | undefined
}

/** Reads and changes a person's username and password. Changes require a proof of identity. */
export function createPasswords(parts: PasswordParts): ServiceOf<typeof passwordsApi, Person> {
  const { databases, clock, proofs, notices, streams, hashing, leaked } = parts
  const requireOwner = async (person: Person) => {
    if (person.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
    await requireOwnAccount(databases.read, person)
    const stored = await findPasswordOf(databases.read, person.userId)
    if (!stored) throw appErrors.SIGN_IN_REQUIRED()
    return stored
  }

  return {
    async getPasswordSignIn(person) {
      // A session made by an organization's identity provider does not see the person's username.
      const isShown = await isOwnAccount(databases.read, person)
      const stored = isShown ? await findPasswordOf(databases.read, person.userId) : undefined
      return { username: stored?.username ?? null, hasPassword: Boolean(stored?.password) }
    },

    async sendPasswordCode(person) {
      await requireOwner(person)
      await proofs.sendCode(person)
      return { success: true }
    },

    /**
     * @throws AUTH_PASSWORD_REQUIRED, AUTH_PASSWORD_SHORT, AUTH_PASSWORD_GUESSABLE, AUTH_PASSWORD_LEAKED,
     * AUTH_USERNAME_TAKEN, and what `Proofs.require` throws
     */
    async setPasswordSignIn(person, { body }) {
      const stored = await requireOwner(person)
      const username = body.username.toLowerCase()
      const { password } = body
      if (password === undefined && !stored.password) throw authErrors.PASSWORD_REQUIRED({ fields: ['body.password'] })
      const fault = password === undefined ? undefined : passwordFault(password, [stored.name, stored.email, username])
      if (fault === 'guessable' || (password !== undefined && isCommonPassword(password)))
        throw authErrors.PASSWORD_GUESSABLE({ fields: ['body.password'] })
      if (fault) throw authErrors.PASSWORD_SHORT({ fields: ['body.password'] })
      if (password !== undefined && (await leaked?.has(password)))
        throw authErrors.PASSWORD_LEAKED({ fields: ['body.password'] })
      await proofs.require(person, body, stored.password)
      const hash = password === undefined ? undefined : await hashing.hash(password)
      const others = body.endOthers ? await listOtherSessionIds(databases.read, person.userId, person.sessionId) : []
      const what = hash === undefined ? 'username' : stored.password ? 'password' : 'added'
      await notices.write(person, what, async trx => {
        const at = isoNow(clock)
        await proofs.take(trx, person, body)
        if (await hasOtherUsername(trx, username, person.userId))
          throw authErrors.USERNAME_TAKEN({ fields: ['body.username'] })
        await setUsername(trx, person.userId, username, at)
        if (hash !== undefined) await setPassword(trx, { id: newId(), userId: person.userId, hash, at })
        if (body.endOthers) await deleteOtherSessions(trx, person.userId, person.sessionId)
      })
      for (const id of others) streams.dropUser(person.userId, id)
      return { success: true }
    },

    /** @throws AUTH_NO_PASSWORD, and what `Proofs.require` throws */
    async removePasswordSignIn(person, { body }) {
      const stored = await requireOwner(person)
      if (!stored.username && !stored.password) throw authErrors.NO_PASSWORD()
      await proofs.require(person, body, stored.password)
      await notices.write(person, 'removed', async trx => {
        await proofs.take(trx, person, body)
        await deletePassword(trx, person.userId)
        await setUsername(trx, person.userId, null, isoNow(clock))
      })
      return { success: true }
    },
  }
}
