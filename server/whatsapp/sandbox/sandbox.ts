import type { FastifyPluginAsync } from 'fastify'
import type { ServiceOf } from '#shared/contract.ts'
import type { sandboxApi } from '#shared/sandbox.ts'
import type { OrgCaller } from '../../actor.ts'
import type { Db } from '../../db.ts'
import { randomInt, randomToken } from '../../random.ts'
import { createGraphPlugin } from './graph.ts'
import { newAccessToken, newAppSecret, newGraphId, tokenHash } from './ids.ts'
import { oldestDueMs } from './job-store.ts'
import { createLimits } from './limits.ts'
import { createLoop } from './loop.ts'
import { findNumber, insertNumber, isPhoneFree, updateNumber } from './number-store.ts'
import { nowMs, type SandboxParts, secretPlace } from './parts.ts'
import { createSandboxService } from './service.ts'
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
  start(): void
  /** Lets webhooks under way finish; what waits stays in its rows. */
  stop(): Promise<void>
  /** Since when the row that waits longest is due; undefined: none is. For health. */
  oldestDue(): Promise<string | undefined>
  /** Resolves when everything that is due by the clock has been done. For tests. */
  idle(): Promise<void>
}

/** Beginnings that no magic customer has, in a range of Buenos Aires. */
const beginnings = ['17', '27', '37', '47', '57', '67', '77', '87'] as const
const verifiedName = 'Test Number'

const newPhone = async (trx: Db): Promise<string> => {
  for (;;) {
    const phone = `5491170${beginnings[randomInt(beginnings.length)]}${String(randomInt(10_000)).padStart(4, '0')}`
    if (await isPhoneFree(trx, phone)) return phone
  }
}

/** A believable WhatsApp Cloud API inside the product: its client cannot tell it from Meta's but by the address. */
export function createSandbox(parts: SandboxParts): Sandbox {
  const { databases, clock, vault } = parts
  const hanging = new Set<() => void>()
  const loop = createLoop(parts)
  const write = createWriteQueue(databases)

  return {
    async provision(trx, orgId) {
      const accessToken = newAccessToken()
      const appSecret = newAppSecret()
      const known = await findNumber(trx, orgId)
      const number = known ?? {
        phoneNumberId: newGraphId(),
        wabaId: newGraphId(),
        appId: newGraphId(16),
        phone: await newPhone(trx),
        verifiedName,
      }
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
      loop.kick()
    },

    graph: createGraphPlugin({ ...parts, limits: createLimits(clock), write, hanging, onAccepted: loop.kick }),
    service: createSandboxService({ ...parts, write }, loop),
    start: loop.start,

    async stop() {
      for (const end of [...hanging]) end()
      await loop.stop()
    },

    async oldestDue() {
      const ms = await oldestDueMs(databases.read, nowMs(clock))
      return ms === undefined ? undefined : new Date(ms).toISOString()
    },

    idle: loop.idle,
  }
}
