import type { FastifyPluginAsync } from 'fastify'
import { randomToken } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { sandboxApi } from '#shared/simulator/api.ts'
import { deleteMessagesBefore } from './customers/message-store.ts'
import { createGraphPlugin } from './graph/graph.ts'
import { createLimits } from './graph/limits.ts'
import { newAccessToken, newAppSecret, tokenHash } from './ids.ts'
import { deleteMediaBefore } from './media/media-store.ts'
import { newNumber } from './numbers/new-number.ts'
import { findNumber, insertNumber, updateNumber } from './numbers/number-store.ts'
import { keptMs, type SandboxParts, secretContext } from './parts.ts'
import { createSandboxService } from './service.ts'
import { createReviewJobs } from './templates/review-jobs.ts'
import { createStatusJobs } from './webhooks/status-jobs.ts'
import { createWebhookJobs } from './webhooks/webhook-jobs.ts'
import { createWriteQueue } from './write-queue.ts'

/** The data with which the product connects a simulated number. The secrets are returned only this once. */
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
  /** Returns the organization's number with new secrets, or a new number. In the caller's transaction. */
  provision(trx: Db, orgId: string): Promise<Provisioned>
  /** Sets the address of its webhooks: `/webhooks/whatsapp/{connectionId}`. */
  bind(orgId: string, connectionId: string): Promise<void>
  /** The simulated Graph API, to be mounted with a prefix. */
  graph: FastifyPluginAsync
  service: ServiceOf<typeof sandboxApi, OrgCaller>
  /** Deletes what Meta would no longer have; returns how many rows. */
  prune(now: Date): Promise<number>
  /** Ends hanging replies. Everything pending is stored as jobs. */
  stop(): void
}

const messagesAtOnce = 500
/** Fewer, because their bytes are in the rows. */
const filesAtOnce = 20

/** A simulated WhatsApp Cloud API inside the product. The product's client sees no difference but the address. */
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
        appSecretSealed: vault.encrypt(appSecret, secretContext(number.phoneNumberId)),
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
