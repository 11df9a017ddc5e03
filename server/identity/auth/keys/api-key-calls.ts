import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { appErrors, forbidden } from '#server/platform/http/errors.ts'
import { InvalidInput, readerOf } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import {
  type ApiKeyEntry,
  type KeyState,
  maxKeysPerOrg,
  readKeyPermissions,
  toKeyPermissions,
} from '#shared/auth/api-keys.ts'
import { type Capability, roleCan } from '#shared/kernel/permissions.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import type { BetterAuth } from '../better-auth.ts'
import type { AuthAnswers, AuthCall } from '../calls/call.ts'
import type { Forward } from '../calls/forward.ts'
import { requireManager } from '../calls/require-manager.ts'
import { CreateApiKey, DeleteApiKey } from '../calls/schemas.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import type { Budgets } from '../sign-in/budget.ts'
import { bindKey, countKeys, deleteExpiredKeys, findKeyOrg, listKeys, networksOf } from './api-key-store.ts'
import { isNetwork } from './networks.ts'

interface ApiKeyCallParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly budgets: Budgets
  readonly forward: Forward
  readonly betterAuth: BetterAuth
}

interface CreateBody {
  readonly name: string
  readonly expiresIn?: number | null
  readonly scopes?: readonly Capability[] | null
  readonly networks?: readonly string[] | null
  readonly metadata?: Readonly<Record<string, unknown>> | null
  readonly organizationId?: string
}

/** `metadata.tier` of every key; replaces what a client sends. */
const tier = 'premium'
const metadataMaxChars = 2048

const readCreate = readerOf('body', CreateApiKey)
const readDelete = readerOf('body', DeleteApiKey)
const noStore = { headers: { 'cache-control': 'no-store' } }

/** The fields a client may set. Others, such as user, limits or permissions, are for better-auth itself and dropped. */
const createBody = (body: AuthCall['body']): CreateBody => {
  const { name, expiresIn, scopes, networks, metadata, organizationId, prefix } = body
  const given = Object.entries({ name, expiresIn, scopes, networks, metadata, organizationId, prefix })
  const read = readCreate(Object.fromEntries(given.filter(([, value]) => value !== undefined))) as CreateBody
  const kept = read.name.trim().replace(/\s+/g, ' ')
  if (!kept) throw new InvalidInput([{ field: 'body.name', code: 'required', params: {} }])
  if (!isPlainName(kept)) throw new InvalidInput([{ field: 'body.name', code: 'invalid', params: {} }])
  const wrong = read.networks?.findIndex(network => !isNetwork(network)) ?? -1
  if (wrong >= 0) throw new InvalidInput([{ field: `body.networks.${wrong}`, code: 'network', params: {} }])
  if (read.metadata && JSON.stringify(read.metadata).length > metadataMaxChars)
    throw new InvalidInput([{ field: 'body.metadata', code: 'maxLength', params: { limit: metadataMaxChars } }])
  return { ...read, name: kept }
}

/** Lists, creates and deletes API keys. */
export function createApiKeyCalls({ databases, clock, budgets, forward, betterAuth }: ApiKeyCallParts): AuthAnswers {
  const stateOf = (row: { expiresAt: string | null; createdBy: string | null }, now: string): KeyState => {
    if (row.expiresAt !== null && row.expiresAt < now) return 'expired'
    return row.createdBy === null ? 'orphaned' : 'active'
  }

  return {
    '/api-key/create': async call => {
      const member = await requireManager('integration:manage', call, call.body.organizationId)
      const body = createBody(call.body)
      if (member.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
      const tooMuch = body.scopes?.find(scope => !roleCan(member.role, scope))
      if (tooMuch) throw forbidden(tooMuch)
      if ((await countKeys(databases.read, member.orgId)) >= maxKeysPerOrg)
        throw authErrors.TOO_MANY_KEYS({ params: { max: maxKeysPerOrg } })
      await refuseExhausted(budgets, [budgets.apiKey(member.userId)], authErrors.TOO_MANY_REQUESTS)
      const made = await betterAuth.api.createApiKey({
        body: {
          name: body.name,
          userId: member.userId,
          organizationId: member.orgId,
          metadata: { ...body.metadata, tier },
          ...(body.expiresIn ? { expiresIn: body.expiresIn } : {}),
          ...(body.scopes ? { permissions: toKeyPermissions(body.scopes) } : {}),
        },
      })
      const bound = { id: made.id, userId: member.userId, networks: body.networks ?? null }
      // An unbound key is refused everywhere, and its text has not been returned yet.
      if (!(await bindKey(databases.write, member.orgId, bound))) throw appErrors.FORBIDDEN()
      return Response.json({ ...made, scopes: body.scopes ?? null, networks: bound.networks }, noStore)
    },

    '/api-key/list': async call => {
      const query = new URLSearchParams(call.search)
      const { orgId } = await requireManager('integration:manage', call, query.get('organizationId'))
      const now = isoNow(clock)
      const rows = await listKeys(databases.read, orgId, maxKeysPerOrg)
      const apiKeys = rows.map(
        ({ permissions, ...row }): ApiKeyEntry => ({
          ...row,
          name: row.name ?? '',
          start: row.start ?? '',
          scopes: readKeyPermissions(permissions),
          networks: networksOf(row),
          state: stateOf(row, now),
        }),
      )
      return Response.json({ apiKeys, total: apiKeys.length, address: call.ip }, noStore)
    },

    '/api-key/delete': async call => {
      if (!call.person) throw appErrors.SIGN_IN_REQUIRED()
      const { keyId } = readDelete({ keyId: call.body.keyId }) as { keyId: string }
      const orgId = await findKeyOrg(databases.read, keyId)
      const member = orgId === undefined ? undefined : await call.member(orgId)
      if (!member || member.orgId !== orgId) throw authErrors.KEY_NOT_FOUND()
      await requireManager('integration:manage', call, member.orgId)
      return forward(call, undefined, { keyId })
    },

    // The library's function of this name deletes the keys of all organizations, and has no route.
    '/api-key/delete-all-expired-api-keys': async call => {
      const { orgId } = await requireManager('integration:manage', call, call.body.organizationId)
      const deleted = await inTransaction(databases, trx => deleteExpiredKeys(trx, orgId, isoNow(clock)))
      return Response.json({ success: true, error: null, deleted }, noStore)
    },
  }
}
