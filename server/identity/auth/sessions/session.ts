import type { Config } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { fallbackLanguage, type Language } from '#shared/kernel/language.ts'
import {
  cookieKeys,
  readFormerToken,
  readSessionToken,
  sessionCookie,
  sessionCookieName,
  sessionLifetimeMs,
} from './cookie.ts'
import { findLiveSession, recordLanguage, recordSessionUse } from './session-store.ts'

const dayMs = 86_400_000
/** An unused session ends after this. */
export const sessionIdleMs = 30 * dayMs
/** A session that still needs the second factor ends after this. */
export const halfSessionMs = 15 * 60_000
/** A session's end is extended at most this often. */
const extendEveryMs = dayMs
/** Its use is written at most this often: one write an hour instead of one per request. */
const recordEveryMs = 3_600_000

/** A session used at `now` ends when it has been idle for too long, at the latest at the end of its lifetime. */
const sessionEnd = (createdAt: number, now: number): number =>
  Math.min(now + sessionIdleMs, createdAt + sessionLifetimeMs)

export interface Sessions {
  /** A `set-cookie` header for a session cookie that is signed with a previous secret; undefined: none is needed. */
  renewedCookie(cookie: string | undefined): string | undefined
  /**
   * Finds the signed-in person by the session cookie, with better-auth's signature and one prepared query: about eighty
   * times cheaper than its `getSession`; a test compares the results. Null: not signed in.
   */
  personOf(headers: { readonly cookie?: string | undefined }, language?: Language): Promise<Person | null>
}

interface SessionParts {
  readonly config: Pick<Config, 'publicUrl'>
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly secret: string
  readonly previousSecrets?: readonly string[]
}

type SessionRow = {
  readonly sessionId: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly expiresAt: string
  readonly impersonatedBy: string | null
  readonly halfSignedInBy: string | null
  readonly userId: string
  readonly language: Language | null
}

export function createSessions(parts: SessionParts): Sessions {
  const { config, databases, clock, log, secret } = parts
  const name = sessionCookieName(config.publicUrl)
  const keys = cookieKeys(secret, parts.previousSecrets)

  /** The session's new end; undefined if it would move by less than a day. */
  const laterEnd = (row: SessionRow, now: Date): string | undefined => {
    if (row.impersonatedBy || row.halfSignedInBy) return undefined
    const end = sessionEnd(Date.parse(row.createdAt), now.getTime())
    return end - Date.parse(row.expiresAt) < extendEveryMs ? undefined : new Date(end).toISOString()
  }

  const recordUse = async (row: SessionRow, now: Date, language: Language | undefined) => {
    const end = laterEnd(row, now)
    const isDue = end !== undefined || now.getTime() - Date.parse(row.updatedAt) >= recordEveryMs
    // With each use, not with each request: two devices may speak different languages.
    const isTheirs = language !== undefined && row.language !== language && !row.impersonatedBy && !row.halfSignedInBy
    const isNewLanguage = isTheirs && (isDue || row.language === null)
    if (!isDue && !isNewLanguage) return
    try {
      if (isNewLanguage) await recordLanguage(databases.write, row.userId, language)
      if (!isDue) return
      const use = { usedAt: now.toISOString(), expiresAt: end ?? row.expiresAt }
      await recordSessionUse(databases.write, row.sessionId, use)
    } catch (error) {
      // The session is valid for weeks and the next request tries again. This request must not fail.
      log.warn({ err: errorFacts(error) }, 'session use could not be recorded')
    }
  }

  return {
    renewedCookie(cookie) {
      const token = readFormerToken(cookie, name, keys)
      return token === undefined ? undefined : sessionCookie(config.publicUrl, token, keys.current).setCookie
    },

    async personOf(headers, language) {
      const token = readSessionToken(headers.cookie, name, keys.current) ?? readFormerToken(headers.cookie, name, keys)
      if (!token) return null
      const now = clock.now()
      const [row] = await findLiveSession(databases.read, { token, now: now.toISOString() })
      if (!row) return null
      await recordUse(row, now, language)
      return {
        kind: 'person',
        userId: row.userId,
        name: row.name,
        email: row.email,
        image: row.image,
        ...(row.signature ? { signature: row.signature } : {}),
        // A session made by an organization's provider never has rights on the site.
        siteRole: row.boundOrgId === null ? (row.role ?? 'user') : 'user',
        sessionId: row.sessionId,
        ...(row.impersonatedBy === null ? {} : { impersonatedBy: row.impersonatedBy }),
        activeOrgId: row.activeOrganizationId,
        language: language ?? fallbackLanguage,
        ...(row.ssoProviderId === null ? {} : { ssoProviderId: row.ssoProviderId }),
        ...(row.boundOrgId === null ? {} : { boundOrgId: row.boundOrgId }),
        ...(row.halfSignedInBy === null ? {} : { secondFactorMissing: true as const }),
      }
    },
  }
}
