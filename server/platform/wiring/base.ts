import { newId } from '#server/platform/crypto/ids.ts'
import { openSecrets } from '#server/platform/crypto/installation-secret.ts'
import { createKeyedHash, createVault } from '#server/platform/crypto/secrets.ts'
import { createListeners } from '#server/platform/events/listeners.ts'
import { createWrites, type Writes } from '#server/platform/events/writes.ts'
import { createIdempotency } from '#server/platform/http/plugins/idempotency.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { createMail } from '#server/platform/mail/mail.ts'
import { allowedBy, createMayCall } from '#server/platform/outbound/allowed.ts'
import { createOutbound, createPublicFetch, createStreamOpener } from '#server/platform/outbound/outbound.ts'
import { openFolders } from '#server/platform/storage/open.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import type { Chore } from '#server/platform/work/maintenance.ts'
import { createMemo } from '#server/platform/work/memo.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { World } from './world.ts'

/** The parts of the platform. Every feature gets them without asking. */
export function createBase(world: World) {
  const { config, databases, log } = world
  const clock = world.clock ?? systemClock
  const ids = newId
  const secrets = openSecrets({ config, log })
  const i18n = world.i18n ?? createServerI18n()
  const reach = {
    fetch: world.outboundFetch ?? createPublicFetch(undefined, { isAllowed: allowedBy(config.outboundAllow) }),
    mayCall: createMayCall(config.outboundAllow),
  }
  const listeners = createListeners()
  const writes: Writes = createWrites({ databases, log, listeners })
  const jobs = createJobs({ databases, clock, ids, log, writes })
  const idempotency = createIdempotency({ databases, clock, presence: jobs.presence })
  return {
    world,
    config,
    databases,
    clock,
    ids,
    log,
    i18n,
    translate: (language: Language, key: string, params?: Record<string, string | number>) =>
      i18n.translator(language)(key, params),
    secrets,
    vault: createVault(secrets.secret, secrets.previous),
    /** Hashes by the installation's secret, and by those that it replaced. */
    hashes: { hash: createKeyedHash(secrets.secret), former: secrets.previous.map(createKeyedHash) },
    storages: world.storages ?? openFolders(config),
    /** Answers of reads that many ask for at once. */
    memo: createMemo({ version: databases.version }),
    listeners,
    writes,
    jobs,
    mail: createMail({ config, clock, log }),
    outbound: createOutbound(reach),
    openStream: createStreamOpener(reach),
    idempotency,
  }
}

export type BaseParts = ReturnType<typeof createBase>

/** The hourly cleanup of the platform's own rows. */
export const baseChores = ({ jobs, idempotency }: BaseParts): readonly Chore[] => [
  { name: 'jobs', run: () => jobs.prune() },
  { name: 'idempotency keys', run: now => idempotency.prune(now) },
]
