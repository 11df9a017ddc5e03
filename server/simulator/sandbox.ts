import type { FastifyPluginAsync } from 'fastify'
import type { Db } from '#server/platform/db/database.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { sandboxApi } from '#shared/simulator/api.ts'
import { randomToken } from '../platform/crypto/random.ts'
import type { OrgCaller } from '../platform/http/actor.ts'
import { inBatches } from '../platform/work/in-batches.ts'
import { createGraphPlugin } from './graph.ts'
import { newAccessToken, newAppSecret, tokenHash } from './ids.ts'
import { createLimits } from './limits.ts'
import { deleteMediaBefore } from './media-store.ts'
import { deleteMessagesBefore } from './message-store.ts'
import { newNumber } from './new-number.ts'
import { findNumber, insertNumber, updateNumber } from './number-store.ts'
import { keptMs, type SandboxParts, secretPlace } from './parts.ts'
import { createReviewJobs } from './review-jobs.ts'
import { createSandboxService } from './service.ts'
import { createStatusJobs } from './status-jobs.ts'
import { createWebhookJobs } from './webhook-jobs.ts'
import { createWriteQueue } from './write-queue.ts'

/** What the product needs to connect to a simulated number; the keys are told this once. */
export interface Provisioned {
  phoneNumberId: string
  wabaId: string
  phone: string
  verifiedName: string
  accessToken: string
  appSecret: string
  verifyToken: string
}

export interface Sandbox {
  /** A number for an organization: the one it had, with fresh keys, or a new one. In the caller's transaction. */
  provision(trx: Db, orgId: string): Promise<Provisioned>
  /** Tells where its webhooks go: `/webhooks/whatsapp/{connectionId}`. */
  bind(orgId: string, connectionId: string): Promise<void>
  /** The simulated Graph API; mounted with a prefix. */
  graph: FastifyPluginAsync
  service: ServiceOf<typeof sandboxApi, OrgCaller>
  /** Deletes what Meta would not have any more; answers how many rows went. */
  prune(now: Date): Promise<number>
  /** Ends answers that are made to hang. What waits are jobs. */
  stop(): void
}

const messagesAtOnce = 500
/** Their bytes are rows as well. */
const filesAtOnce = 20

/** A believable WhatsApp Cloud API inside the product: its client cannot tell it from Meta's but by the address. */
export function createSandbox(parts: SandboxParts): Sandbox {
  const { databases, clock, vault } = parts
  const hanging = new Set<() => void>()
  const write = createWriteQueue(databases)
  const webhooks = createWebhookJobs(parts)
  const statuses = createStatusJobs({ ...parts, webhooks })
  const reviews = createReviewJobs({ ...parts, webhooks })

  return {
    async provision(trx, orgId) {
      const accessToken = newAccessToken()
      const appSecret = newAppSecret()
      const known = await findNumber(trx, orgId)
      const number = known ?? (await newNumber(trx))
      const keys = {
        tokenHash: tokenHash(accessToken),
        appSecretSealed: vault.seal(appSecret, secretPlace(number.phoneNumberId)),
      }
      if (known) await updateNumber(trx, orgId, { ...keys, isSubscribed: true })
      else await insertNumber(trx, orgId, { ...number, ...keys })
      const { phoneNumberId, wabaId, phone } = number
      return {
        phoneNumberId,
        wabaId,
        phone,
        verifiedName: number.verifiedName,
        accessToken,
        appSecret,
        verifyToken: randomToken(18),
      }
    },

    async bind(orgId, connectionId) {
      await updateNumber(databases.write, orgId, { connectionId })
    },

    graph: createGraphPlugin({ ...parts, limits: createLimits(clock), write, hanging, statuses, reviews }),
    service: createSandboxService({ ...parts, write, statuses, webhooks, reviews }),

    async prune(now) {
      const db = databases.write
      const before = now.getTime() - keptMs
      const files = await inBatches(filesAtOnce, limit => deleteMediaBefore(db, now.getTime(), limit))
      return files + (await inBatches(messagesAtOnce, limit => deleteMessagesBefore(db, before, limit)))
    },

    stop() {
      for (const end of [...hanging]) end()
    },
  }
}
