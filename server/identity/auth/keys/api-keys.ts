import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { KeyHolder } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { readKeyPermissions } from '#shared/auth/api-keys.ts'
import { fallbackLanguage, type Language } from '#shared/kernel/language.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import { findLiveKey, type LiveKey, networksOf, touchKey } from './api-key-store.ts'
import { hashKeyText, isKeyText } from './api-key-text.ts'
import { isWithin } from './networks.ts'

export { findKeys, listKeyNames } from './api-key-store.ts'

/** The last use of a key is written at most this often. */
const touchEveryMs = 60_000

export interface ApiKeys {
  /**
   * The holder of an API key. One hash and one prepared query; a test compares it with better-auth's `verifyApiKey`.
   * Undefined: the key is not usable. @param from where it is used; absent: nobody uses it @throws APP_KEY_ELSEWHERE
   */
  readKeyHolder(text: string, language?: Language, from?: string): Promise<KeyHolder | undefined>
}

interface ApiKeyParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly scopes: Pick<Scopes, 'readScope'>
}

/** A usable key as the caller it stands for. Records its use. */
export function createKeyHolders({ databases, clock, log, scopes }: ApiKeyParts) {
  const recordUse = async (orgId: string, id: string, last: string | null) => {
    const now = clock.now()
    const before = new Date(now.getTime() - touchEveryMs).toISOString()
    if (last !== null && last >= before) return
    try {
      await touchKey(databases.write, orgId, id, { now: now.toISOString(), before })
    } catch (error) {
      // The call itself must not fail; the next one records again.
      log.warn({ err: errorFacts(error) }, 'API key use could not be recorded')
    }
  }

  return {
    async toHolder(row: LiveKey, language: Language): Promise<KeyHolder> {
      await recordUse(row.orgId, row.id, row.lastRequest)
      const { orgId, orgSlug, orgName } = row
      const role = effectiveRole(row.role)
      return {
        kind: 'key',
        keyId: row.id,
        name: row.name ?? '',
        capabilities: readKeyPermissions(row.permissions),
        creatorId: row.userId,
        orgId,
        orgSlug,
        orgName,
        role,
        scope: await scopes.readScope(orgId, { role, personId: row.userId }),
        language,
      }
    },
  }
}

export function createApiKeys(parts: ApiKeyParts): ApiKeys {
  const { databases, clock } = parts
  const { toHolder } = createKeyHolders(parts)
  return {
    async readKeyHolder(text, language = fallbackLanguage, from) {
      if (!isKeyText(text)) return undefined
      const [row] = await findLiveKey(databases.read, { hash: hashKeyText(text), now: clock.now().toISOString() })
      const networks = row ? networksOf(row) : null
      if (networks && from !== undefined && !isWithin(networks, from))
        throw appErrors.KEY_ELSEWHERE({ params: { address: from } })
      return row && toHolder(row, language)
    },
  }
}
