import type { ServiceOf } from '#shared/contract.ts'
import { passwordFault } from '#shared/password-rules.ts'
import type { passwordsApi } from '#shared/passwords.ts'
import type { Person } from '../actor.ts'
import { type Clock, isoIn, isoNow } from '../clock.ts'
import { type Databases, type Db, inTransaction } from '../db.ts'
import { appErrors } from '../errors.ts'
import type { ServerI18n } from '../i18n.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { type CredentialChange, changeCodeLetter, credentialLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import { randomInt } from '../random.ts'
import { errorFacts } from '../redact.ts'
import type { Streams } from './account-calls.ts'
import type { Budgets } from './budget.ts'
import { createCodeHash } from './code.ts'
import { authErrors, refuseExhausted } from './errors.ts'
import type { PasswordHashing } from './password-hashing.ts'
import {
  deleteOtherSessions,
  deletePassword,
  findPasswordOf,
  findUserAgent,
  hasChangeCode,
  hasOtherUsername,
  saveChangeCode,
  setPassword,
  setUsername,
  takeChangeCode,
} from './password-store.ts'
import { listOtherSessionIds } from './store.ts'
import { deviceOf } from './user-agent.ts'

interface PasswordParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly secret: string
  readonly i18n: ServerI18n
  readonly mail: Mail
  readonly budgets: Budgets
  readonly streams: Streams
  readonly hashing: PasswordHashing
}

interface Proof {
  readonly currentPassword?: string
  readonly code?: string
}

const codeMinutes = 10

/** Username and password of a person: how they stand, and how they are changed by whoever proves to be that person. */
export function createPasswords(parts: PasswordParts): ServiceOf<typeof passwordsApi, Person> {
  const { databases, clock, log, i18n, mail, budgets, streams, hashing } = parts
  const keyedHash = createCodeHash(parts.secret)
  // Not the hash of a sign-in code: one can never stand for the other.
  const codeHash = (code: string) => keyedHash(`password-change ${code.replace(/\s/g, '')}`)

  const requireOwner = async (person: Person) => {
    if (person.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
    const stored = await findPasswordOf(databases.read, person.userId)
    if (!stored) throw appErrors.SIGN_IN_REQUIRED()
    return stored
  }

  const holds = async (person: Person, proof: Proof, stored: string | null): Promise<boolean> => {
    if (proof.code !== undefined)
      return hasChangeCode(databases.read, {
        sessionId: person.sessionId,
        hash: codeHash(proof.code),
        now: isoNow(clock),
      })
    return hashing.verify(proof.currentPassword ?? '', stored)
  }

  /** @throws AUTH_PROOF_REQUIRED, AUTH_INVALID_OTP, AUTH_PASSWORD_WRONG, AUTH_TOO_MANY_PASSWORDS */
  const requireProof = async (person: Person, proof: Proof, stored: string | null) => {
    const { code, currentPassword } = proof
    if (code === undefined && currentPassword === undefined) throw authErrors.PROOF_REQUIRED()
    const tries = budgets.passwordChange(person.userId)
    await refuseExhausted(budgets, [tries], authErrors.TOO_MANY_CHANGES)
    if (!(await holds(person, proof, stored)))
      throw code === undefined
        ? authErrors.PASSWORD_WRONG({ fields: ['body.currentPassword'] })
        : authErrors.INVALID_OTP({ fields: ['body.code'] })
    await budgets.giveBack([tries])
  }

  /** Writes the change, and uses up the code that allowed it. */
  const change = (person: Person, proof: Proof, write: (trx: Db, at: string) => Promise<void>) =>
    inTransaction(databases, async trx => {
      const { sessionId } = person
      if (proof.code !== undefined && !(await takeChangeCode(trx, { sessionId, hash: codeHash(proof.code) })))
        throw authErrors.INVALID_OTP({ fields: ['body.code'] })
      await write(trx, isoNow(clock))
    })

  /** The change stands whether the mail goes out or not; whoever made it hears when it did not. */
  const announce = async (person: Person, what: CredentialChange) => {
    const { browser, system } = deviceOf(await findUserAgent(databases.read, person.sessionId))
    const device = [browser, system].filter(Boolean).join(', ')
    try {
      await mail.send(credentialLetter(i18n.translator(person.language), { to: person.email, what, device }))
      return { mailFailed: false }
    } catch (error) {
      log.error({ err: errorFacts(error) }, 'a person was not told that their credentials changed')
      return { mailFailed: true }
    }
  }

  return {
    async getPasswordSignIn({ userId }) {
      const stored = await findPasswordOf(databases.read, userId)
      return { username: stored?.username ?? null, hasPassword: Boolean(stored?.password) }
    },

    /** @throws AUTH_TOO_MANY_LETTERS, MAIL_UNAVAILABLE */
    async sendPasswordCode(person) {
      await requireOwner(person)
      const letters = budgets.passwordCode(person.userId)
      await refuseExhausted(budgets, [letters], authErrors.TOO_MANY_LETTERS)
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      await inTransaction(databases, trx =>
        saveChangeCode(trx, {
          id: newId(),
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
      return { success: true }
    },

    /**
     * @throws AUTH_PASSWORD_REQUIRED, AUTH_PASSWORD_SHORT, AUTH_PASSWORD_GUESSABLE, AUTH_USERNAME_TAKEN, and what
     * `requireProof` throws
     */
    async setPasswordSignIn(person, { body }) {
      const stored = await requireOwner(person)
      const username = body.username.toLowerCase()
      const { password } = body
      if (password === undefined && !stored.password) throw authErrors.PASSWORD_REQUIRED({ fields: ['body.password'] })
      const fault = password === undefined ? undefined : passwordFault(password, [stored.name, stored.email, username])
      if (fault === 'guessable') throw authErrors.PASSWORD_GUESSABLE({ fields: ['body.password'] })
      if (fault) throw authErrors.PASSWORD_SHORT({ fields: ['body.password'] })
      await requireProof(person, body, stored.password)
      const hash = password === undefined ? undefined : await hashing.hash(password)
      const others = body.endOthers ? await listOtherSessionIds(databases.read, person.userId, person.sessionId) : []
      await change(person, body, async (trx, at) => {
        if (await hasOtherUsername(trx, username, person.userId))
          throw authErrors.USERNAME_TAKEN({ fields: ['body.username'] })
        await setUsername(trx, person.userId, username, at)
        if (hash !== undefined) await setPassword(trx, { id: newId(), userId: person.userId, hash, at })
        if (body.endOthers) await deleteOtherSessions(trx, person.userId, person.sessionId)
      })
      for (const id of others) streams.dropUser(person.userId, id)
      return announce(person, hash === undefined ? 'username' : stored.password ? 'password' : 'added')
    },

    /** @throws AUTH_NO_PASSWORD, and what `requireProof` throws */
    async removePasswordSignIn(person, { body }) {
      const stored = await requireOwner(person)
      if (!stored.username && !stored.password) throw authErrors.NO_PASSWORD()
      await requireProof(person, body, stored.password)
      await change(person, body, async (trx, at) => {
        await deletePassword(trx, person.userId)
        await setUsername(trx, person.userId, null, at)
      })
      return announce(person, 'removed')
    },
  }
}
