import { idTimeLength, newId } from '#server/platform/crypto/ids.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { type ApiCall, type apiCallsApi, apiCallsPerPage } from '#shared/api-calls/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { CallRecorder } from './recorder.ts'
import { type CallFilter, countUse, listCalls } from './store.ts'
import type { ApiCallTable } from './table.ts'

interface ServiceParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly recorder: Pick<CallRecorder, 'flush'>
  listKeyNames(db: Db, orgId: string): Promise<readonly { readonly id: string; readonly name: string }[]>
  translate(language: Language, key: string): string
}

const dayMs = 86_400_000

/** Replaces the placeholders of an error text: the record does not keep their values. */
const withoutFacts = (text: string): string => text.replace(/\{\{[^}]*\}\}/g, '…')

export function createApiCalls(parts: ServiceParts): ServiceOf<typeof apiCallsApi, OrgCaller> {
  const { databases, clock, recorder, listKeyNames, translate } = parts
  const messageOf = ({ code, text_code }: ApiCallTable, language: Language): string | null =>
    code === null ? null : withoutFacts(translate(language, `errors:${text_code ?? code}`))

  return {
    async getUse({ orgId, language }) {
      await recorder.flush()
      const db = databases.read
      const keys = await listKeyNames(db, orgId)
      const since = clock.now().getTime() - dayMs
      const ids = keys.map(({ id }) => id)
      // Ids sort by time.
      const use = await countUse(db, orgId, ids, newId(since).slice(0, idTimeLength))
      const [failure] = await listCalls(db, orgId, { failed: true }, 1)
      const names = new Map(keys.map(({ id, name }) => [id, name]))
      const isRecent = failure !== undefined && Date.parse(failure.at) >= since
      return {
        keys: keys
          .map(({ id, name }) => {
            const { succeeded = 0, failed = 0, lastAt = null } = use.get(id) ?? {}
            return { id, name, calls: succeeded + failed, failed, lastAt }
          })
          .toSorted((a, b) => (b.lastAt ?? '').localeCompare(a.lastAt ?? '')),
        lastFailure: isRecent
          ? {
              at: failure.at,
              key: names.get(failure.key_id) ?? '',
              message: messageOf(failure, language) ?? `HTTP ${failure.status}`,
            }
          : null,
      }
    },

    async listCalls({ orgId, language }, { query }) {
      // So that the list contains the call the reader has just made.
      await recorder.flush()
      const keys = await listKeyNames(databases.read, orgId)
      const names = new Map(keys.map(({ id, name }) => [id, name]))
      const filter: CallFilter = {
        ...(query.key === undefined ? {} : { keyId: query.key }),
        ...(query.errors ? { failed: true } : {}),
        ...(query.before === undefined ? {} : { before: query.before }),
      }
      const rows = await listCalls(databases.read, orgId, filter, apiCallsPerPage + 1)
      const items: ApiCall[] = rows.slice(0, apiCallsPerPage).map(row => ({
        id: row.id,
        at: row.at,
        key: { id: row.key_id, name: names.get(row.key_id) ?? '' },
        method: row.method,
        route: row.route,
        status: row.status,
        code: row.code,
        message: messageOf(row, language),
        tookMs: row.took_ms,
        address: row.address,
        requestId: row.request_id,
      }))
      return { items, keys: [...keys], hasMore: rows.length > apiCallsPerPage }
    },
  }
}
