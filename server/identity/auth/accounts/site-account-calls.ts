import type { Static } from 'typebox'
import { newId } from '#server/platform/crypto/ids.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { isUsername, passwordFault, usernameMax } from '#shared/auth/password-rules.ts'
import { maxSessions } from '#shared/auth/sessions.ts'
import type { AuthAnswers, AuthCall } from '../calls/call.ts'
import { contextOf, type Forward } from '../calls/forward.ts'
import { CreateUser, NameSession, NameUser, SetUserPassword } from '../calls/schemas.ts'
import { authErrors } from '../errors.ts'
import { isCommonPassword } from '../passwords/common-passwords.ts'
import type { LeakedPasswords } from '../passwords/leaked-passwords.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { findPasswordOf, hasOtherUsername, setPassword, setUsername } from '../passwords/password-store.ts'
import { deleteSession, findSessionOwner, listSessionsOf } from '../sessions/session-store.ts'
import type { Streams } from '../sessions/streams.ts'
import { hasUser } from './account-store.ts'
import type { CredentialNotices } from './credential-notices.ts'

interface SiteAccountParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly forward: Forward
  readonly hashing: PasswordHashing
  readonly notices: Pick<CredentialNotices, 'add' | 'wake'>
  readonly streams: Streams
  readonly leaked: LeakedPasswords | undefined
}

const readPassword = readerOf('body', SetUserPassword)
const readNew = readerOf('body', CreateUser)
const readSession = readerOf('body', NameSession)
const readUser = readerOf('body', NameUser)
const notForOthers = ['username', 'displayUsername']
const answerWith = (body: object) => Response.json(body, { headers: { 'cache-control': 'no-store' } })

const requireAdmin = ({ person }: AuthCall) => {
  if (!person) throw appErrors.SIGN_IN_REQUIRED()
  if (person.siteRole !== 'admin') throw appErrors.FORBIDDEN()
  return person
}

/** Lets site administrators set passwords and end sessions of others, at the paths of better-auth's admin plugin. */
export function createSiteAccountCalls(parts: SiteAccountParts): AuthAnswers {
  const { databases, clock, forward, hashing, notices, streams, leaked } = parts

  const requireGood = async (password: string, known: readonly string[], field: string) => {
    const fault = passwordFault(password, known)
    const fields = [field]
    if (fault === 'guessable' || isCommonPassword(password)) throw authErrors.PASSWORD_GUESSABLE({ fields })
    if (fault) throw authErrors.PASSWORD_SHORT({ fields })
    if (await leaked?.has(password)) throw authErrors.PASSWORD_LEAKED({ fields })
  }

  /** The local part of the address, with a number appended if it is taken. */
  const freeUsername = async (email: string, userId: string): Promise<string> => {
    const wanted = (email.split('@')[0] ?? '').replace(/[^a-z0-9._-]/g, '').replace(/^[._-]+|[._-]+$/g, '')
    const base = isUsername(wanted) ? wanted.slice(0, usernameMax - 4).replace(/[._-]+$/, '') : 'persona'
    for (let at = 1; at < 1000; at += 1) {
      const name = at === 1 && isUsername(base) ? base : `${base}${at}`
      if (!(await hasOtherUsername(databases.read, name, userId))) return name
    }
    throw authErrors.USERNAME_TAKEN()
  }

  /** Sets a password and mails the person about it. */
  const give = async (call: AuthCall, userId: string, password: string) => {
    const admin = requireAdmin(call)
    const stored = await findPasswordOf(databases.read, userId)
    if (!stored) throw authErrors.USER_NOT_FOUND()
    const username = stored.username ?? (await freeUsername(stored.email, userId))
    const hash = await hashing.hash(password)
    await inTransaction(databases, async trx => {
      const at = isoNow(clock)
      await setUsername(trx, userId, username, at)
      await setPassword(trx, { id: newId(), userId, hash, at })
      const addressee = { email: stored.email, language: call.language, sessionId: admin.sessionId }
      await notices.add(trx, addressee, stored.password ? 'password' : 'added')
    })
    notices.wake()
  }

  return {
    '/admin/set-user-password': async call => {
      requireAdmin(call)
      const { userId, newPassword } = readPassword(call.body) as Static<typeof SetUserPassword>
      const stored = await findPasswordOf(databases.read, userId)
      if (!stored) throw authErrors.USER_NOT_FOUND()
      await requireGood(newPassword, [stored.name, stored.email, stored.username ?? ''], 'body.newPassword')
      await give(call, userId, newPassword)
      return answerWith({ status: true })
    },

    '/admin/create-user': async call => {
      requireAdmin(call)
      const { password, ...account } = call.body
      const data = typeof account.data === 'object' && account.data !== null ? account.data : {}
      if ('password' in data || notForOthers.some(name => name in account || name in data))
        throw authErrors.FIELD_NOT_ALLOWED()
      if (password === undefined) return forward(call)
      const made = readNew({ password, name: account.name, email: account.email }) as Static<typeof CreateUser>
      await requireGood(made.password, [made.name, made.email], 'body.password')
      const reply = await forward(call, contextOf(call), account)
      const { user } = (await reply.clone().json()) as { user: { id: string } }
      await give(call, user.id, made.password)
      return reply
    },

    /** The library identifies sessions by token; the list returns ids instead, so that no token is revealed. */
    '/admin/list-user-sessions': async call => {
      requireAdmin(call)
      const { userId } = readUser(call.body) as Static<typeof NameUser>
      if (!(await hasUser(databases.read, userId))) throw authErrors.USER_NOT_FOUND()
      const rows = await listSessionsOf(databases.read, userId, { now: isoNow(clock), limit: maxSessions })
      const sessions = rows.map(({ halfSignedInBy: _half, ...row }) => ({ ...row, token: row.id, userId }))
      return answerWith({ sessions })
    },

    '/admin/revoke-user-session': async call => {
      requireAdmin(call)
      const { sessionToken: sessionId } = readSession(call.body) as Static<typeof NameSession>
      const userId = await findSessionOwner(databases.read, sessionId)
      if (userId === undefined) throw authErrors.SESSION_NOT_FOUND()
      await deleteSession(databases.write, userId, sessionId)
      streams.dropUser(userId, sessionId)
      return answerWith({ success: true })
    },
  }
}
