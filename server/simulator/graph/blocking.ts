import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { asObject, asText, type Json } from '#server/whatsapp/scalars.ts'
import { waIdOfSpelling } from '#server/whatsapp/serving/address.ts'
import { paramError } from '#server/whatsapp/serving/graph-error.ts'
import { customerWindowMs } from '#shared/kernel/limits.ts'
import {
  type Customer,
  findCustomer,
  findCustomerByBsuid,
  listBlocked,
  updateCustomer,
} from '../customers/customer-store.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'
import { nowMs, type SandboxParts } from '../parts.ts'

const maxPerRequest = 1000
const pageSize = 25

const refusal = (input: string, waId: string | undefined, details: string): Json => ({
  input,
  ...(waId === undefined ? {} : { wa_id: waId }),
  errors: [{ message: 'Failed to block/unblock users', code: 139100, error_data: { details } }],
})

interface Tried {
  done?: Json
  failed?: Json
}

const change = async (trx: Db, orgId: string, entry: unknown, isBlocked: boolean, now: number): Promise<Tried> => {
  const user = asObject(entry)
  const input = asText(user?.user) ?? asText(user?.user_id) ?? ''
  const waId = asText(user?.user) === undefined ? undefined : waIdOfSpelling(input)
  const customer: Customer | undefined =
    waId === undefined ? await findCustomerByBsuid(trx, orgId, input) : await findCustomer(trx, orgId, waId)
  if (!customer) return { failed: refusal(input, waId, 'User is not on WhatsApp or never messaged the business.') }
  const isRecent = customer.windowFromMs !== null && now - customer.windowFromMs < customerWindowMs
  if (isBlocked && !isRecent)
    return {
      failed: refusal(
        input,
        customer.waId,
        'Re-engagement required: only users who messaged in the last 24 hours can be blocked.',
      ),
    }
  await updateCustomer(trx, orgId, customer.waId, { isBlockedByUs: isBlocked })
  return { done: { input, ...(waId === undefined ? { user_id: customer.bsuid } : { wa_id: customer.waId }) } }
}

/**
 * Blocks or unblocks customers. Only customers who wrote within a day can be blocked; the reply lists the failed ones
 * beside those that succeeded.
 * @throws GraphError 100
 * @see Meta, "Block users"
 */
export async function changeBlocks(
  parts: Pick<SandboxParts, 'databases' | 'clock'>,
  number: SandboxNumber,
  body: Json,
  isBlocked: boolean,
): Promise<{ status: number; body: Json }> {
  if (body.messaging_product !== 'whatsapp') throw paramError('The parameter messaging_product is required.')
  const users = body.block_users
  if (!Array.isArray(users) || !users.length || users.length > maxPerRequest)
    throw paramError(`Param block_users must be an array of 1 to ${maxPerRequest} users.`)
  const tried = await inTransaction(parts.databases, async trx => {
    const all: Tried[] = []
    for (const user of users) all.push(await change(trx, number.orgId, user, isBlocked, nowMs(parts.clock)))
    return all
  })
  const failed = tried.flatMap(({ failed }) => failed ?? [])
  return {
    status: failed.length ? 400 : 200,
    body: {
      messaging_product: 'whatsapp',
      block_users: {
        [isBlocked ? 'added_users' : 'removed_users']: tried.flatMap(({ done }) => done ?? []),
        ...(failed.length ? { failed_users: failed } : {}),
      },
      ...(failed.length
        ? {
            error: {
              message: '(#139100) Failed to block/unblock some users',
              type: 'OAuthException',
              code: 139100,
              error_data: { details: 'Failed to block/unblock some users' },
            },
          }
        : {}),
    },
  }
}

const cursorOf = (waId: string) => Buffer.from(waId).toString('base64')

export async function blockedUsers(db: Db, number: SandboxNumber, query: Json): Promise<Json> {
  const limit = Math.min(100, Math.max(1, Math.floor(Number(query.limit ?? pageSize)) || pageSize))
  const after = typeof query.after === 'string' ? Buffer.from(query.after, 'base64').toString('latin1') : ''
  const waIds = await listBlocked(db, number.orgId, { after, limit: limit + 1 })
  const page = waIds.slice(0, limit)
  const [first] = page
  const last = page.at(-1)
  return {
    data: page.map(waId => ({ messaging_product: 'whatsapp', wa_id: waId })),
    ...(first && last ? { paging: { cursors: { before: cursorOf(first), after: cursorOf(last) } } } : {}),
  }
}
