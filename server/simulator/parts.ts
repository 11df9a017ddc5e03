import type { SealedColumn, Vault } from '../platform/crypto/secrets.ts'
import type { Databases } from '../platform/db/db.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Log } from '../platform/log/log.ts'
import type { Clock } from '../platform/time/clock.ts'

export interface SandboxParts {
  databases: Databases
  clock: Clock
  log: Log
  vault: Vault
  /** Everything that waits here is theirs. */
  jobs: Pick<Jobs, 'register' | 'wake'>
  /** Posts a webhook into the product by its own entrance; answers the HTTP status, rejects when nobody answers in time. */
  deliver(path: string, body: Buffer, headers: Record<string, string>): Promise<number>
  /** Makes the product's conversations of an organization older by so many ms. */
  agePast(orgId: string, connectionId: string, ms: number): Promise<void>
  /** The token that the product's connection holds; undefined: it holds none that can be read. */
  tokenOf(orgId: string, connectionId: string): Promise<string | undefined>
  /** Where the simulated Graph API is reached, without a trailing slash; absent: its path. */
  graphUrl?: () => string
  /** The installation's own app, where its Graph API is this simulator; businesses may let it use their account. */
  app?: { readonly appId: string; readonly appSecret: string } | undefined
}

export const nowMs = (clock: Clock): number => clock.now().getTime()

/** Meta keeps what could not be delivered for thirty days. */
export const keptMs = 30 * 86_400_000

/** What a sealed app secret is bound to. */
export const secretPlace = (phoneNumberId: string): string => `sandbox_number.app_secret:${phoneNumberId}`

export const sealedAppSecrets: SealedColumn = {
  table: 'sandbox_number',
  key: ['phone_number_id'],
  column: 'app_secret_sealed',
  placeOf: secretPlace,
}
