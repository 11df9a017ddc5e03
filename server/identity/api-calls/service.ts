import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { type ApiCall, type apiCallsApi, apiCallsPerPage } from '#shared/api-calls/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { CallRecorder } from './recorder.ts'
import { type CallFilter, listCalls } from './store.ts'

interface ServiceParts {
  readonly databases: Databases
  readonly recorder: Pick<CallRecorder, 'flush'>
  listKeyNames(db: Db, orgId: string): Promise<readonly { readonly id: string; readonly name: string }[]>
  translate(language: Language, key: string): string
}

/** Replaces the placeholders of an error text: the record does not keep their values. */
const withoutFacts = (text: string): string => text.replace(/\{\{[^}]*\}\}/g, '…')

export function createApiCalls(parts: ServiceParts): ServiceOf<typeof apiCallsApi, OrgCaller> {
  const { databases, recorder, listKeyNames, translate } = parts
  return {
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
        message: row.code === null ? null : withoutFacts(translate(language, `errors:${row.text_code ?? row.code}`)),
        tookMs: row.took_ms,
        address: row.address,
        requestId: row.request_id,
      }))
      return { items, keys: [...keys], hasMore: rows.length > apiCallsPerPage }
    },
  }
}
