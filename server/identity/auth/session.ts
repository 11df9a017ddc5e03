import type { Config } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { AsOf, Memo } from '#server/platform/work/memo.ts'
import { fallbackLanguage, type Language } from '#shared/kernel/language.ts'
import {
  cookieKeys,
  readFormerToken,
  readSessionToken,
  sessionCookie,
  sessionCookieName,
  sessionLifetimeMs,
} from './cookie.ts'
import { findLiveSession, noteSessionUse } from './session-store.ts'

const dayMs = 86_400_000
/** A session that nobody uses ends after this. */
export const sessionIdleMs = 30 * dayMs
/** A session in which the second factor is missing ends after this. */
export const halfSessionMs = 15 * 60_000
/** The end of a session moves at most this often. */
const extendEveryMs = dayMs
/** That it is used is written at most this often: one write an hour, not one a request. */
const noteEveryMs = 3_600_000
/** What a remembered session weighs, roughly. */
const rowBytes = 1_000

/** Where the end of a session belongs when it is used at `now`. */
const sessionEnd = (createdAt: number, now: number): number =>
  Math.min(now + sessionIdleMs, createdAt + sessionLifetimeMs)

export interface Sessions {
  /** The `set-cookie` header for a session that a secret of before has signed; undefined: it needs none. */
  renewedCookie(cookie: string | undefined): string | undefined
  /**
   * The signed-in person of a request, by its cookie: the signature better-auth sets and one prepared query, about
   * eighty times cheaper than its `getSession` and held to the same verdict by a test. Null: nobody.
   */
  personOf(headers: { readonly cookie?: string | undefined }, language?: Language, asOf?: AsOf): Promise<Person | null>
}

interface SessionParts {
  readonly config: Pick<Config, 'publicUrl'>
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly secret: string
  readonly previousSecrets?: readonly string[]
  readonly memo?: Memo
}

type SessionRow = {
  readonly sessionId: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly expiresAt: string
  readonly impersonatedBy: string | null
  readonly halfSignedInBy: string | null
}

export function createSessions(parts: SessionParts): Sessions {
  const { config, databases, clock, log, secret, memo } = parts
  const name = sessionCookieName(config.publicUrl)
  const keys = cookieKeys(secret, parts.previousSecrets)

  /** Where the session should end by now; undefined when that is where it ends, give or take a day. */
  const laterEnd = (row: SessionRow, now: Date): string | undefined => {
    if (row.impersonatedBy || row.halfSignedInBy) return undefined
    const end = sessionEnd(Date.parse(row.createdAt), now.getTime())
    return end - Date.parse(row.expiresAt) < extendEveryMs ? undefined : new Date(end).toISOString()
  }

  const noteUse = async (row: SessionRow, now: Date) => {
    const end = laterEnd(row, now)
    if (!end && now.getTime() - Date.parse(row.updatedAt) < noteEveryMs) return
    try {
      const use = { usedAt: now.toISOString(), expiresAt: end ?? row.expiresAt }
      await noteSessionUse(databases.write, row.sessionId, use)
    } catch (error) {
      // The session is good for weeks yet and the next request tries again; the request at hand must not fail.
      log.warn({ err: errorFacts(error) }, 'the use of a session could not be noted')
    }
  }

  const findRow = async (token: string, now: string) => (await findLiveSession(databases.read, { token, now }))[0]

  /** Until somebody changes it a session can only end by the clock, and a person's ban too: so none is never remembered. */
  const recallRow = async (token: string, now: string, asOf: AsOf) => {
    const found = await memo?.recall(
      `session\n${token}`,
      async () => ({ row: await findRow(token, now), length: rowBytes }),
      asOf,
    )
    return found?.row && found.row.expiresAt >= now ? found.row : findRow(token, now)
  }

  return {
    renewedCookie(cookie) {
      const token = readFormerToken(cookie, name, keys)
      return token === undefined ? undefined : sessionCookie(config.publicUrl, token, keys.current).setCookie
    },

    async personOf(headers, language = fallbackLanguage, asOf) {
      const token = readSessionToken(headers.cookie, name, keys.current) ?? readFormerToken(headers.cookie, name, keys)
      if (!token) return null
      const now = clock.now()
      const row = await (asOf ? recallRow(token, now.toISOString(), asOf) : findRow(token, now.toISOString()))
      if (!row) return null
      await noteUse(row, now)
      return {
        kind: 'person',
        userId: row.userId,
        name: row.name,
        email: row.email,
        image: row.image,
        ...(row.signature ? { signature: row.signature } : {}),
        // A provider speaks for one organization, never for the site.
        siteRole: row.boundOrgId === null ? (row.role ?? 'user') : 'user',
        sessionId: row.sessionId,
        ...(row.impersonatedBy === null ? {} : { impersonatedBy: row.impersonatedBy }),
        activeOrgId: row.activeOrganizationId,
        language,
        ...(row.ssoProviderId === null ? {} : { ssoProviderId: row.ssoProviderId }),
        ...(row.boundOrgId === null ? {} : { boundOrgId: row.boundOrgId }),
        ...(row.halfSignedInBy === null ? {} : { secondFactorMissing: true as const }),
      }
    },
  }
}
