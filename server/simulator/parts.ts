import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'

export interface SandboxParts {
  databases: Databases
  clock: Clock
  log: Log
  vault: Vault
  /** The jobs with which the simulator does things later. */
  jobs: Pick<Jobs, 'register' | 'wake'>
  /** Posts a webhook to the product's webhook route; returns the HTTP status, rejects without an answer in time. */
  deliver(path: string, body: Buffer, headers: Record<string, string>): Promise<number>
  /** Makes an organization's conversations older by `ms`. */
  agePast(orgId: string, connectionId: string, ms: number): Promise<void>
  /** The token of the product's connection; undefined: none, or it cannot be decrypted. */
  tokenOf(orgId: string, connectionId: string): Promise<string | undefined>
  /** Address of the simulated Graph API, without a trailing slash; absent: its path. */
  graphUrl?: () => string
  /** The installation's own app, if the simulator stands in for its Graph API; businesses may sign up with it. */
  app?: { readonly appId: string; readonly appSecret: string } | undefined
}

export const nowMs = (clock: Clock): number => clock.now().getTime()

/** Meta keeps undelivered messages for thirty days. */
export const keptMs = 30 * 86_400_000

/** Context that an app secret is encrypted for. */
export const secretContext = (phoneNumberId: string): string => `sandbox_number.app_secret:${phoneNumberId}`

export const sealedAppSecrets: EncryptedColumn = {
  table: 'sandbox_number',
  key: ['phone_number_id'],
  column: 'app_secret_sealed',
  contextOf: secretContext,
}
