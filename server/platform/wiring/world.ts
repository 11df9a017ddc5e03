import type { Config } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Taken } from '#server/platform/snapshots/snapshots.ts'
import type { FileStorages } from '#server/platform/storage/storage.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import type { Clock } from '#server/platform/time/clock.ts'

/**
 * Everything outside the program: the process or a test supplies it. A feature that needs more of the outside adds it
 * here in its `feature.ts`.
 */
export interface World {
  readonly config: Config
  readonly databases: Databases
  readonly log: Log
  /** The storages of files. Absent: folders of `DATA_DIR`. */
  readonly storages?: FileStorages
  readonly clock?: Clock
  /** The address of this server on this machine; known once it listens. */
  selfUrl(): string
  /** Fetches addresses that people type, such as browsers' push services; absent: the network, public addresses only. */
  readonly outboundFetch?: typeof fetch
  /** Makes a backup and checks that it opens; absent: there are no nightly backups. */
  readonly takeSnapshot?: (file: string, signal: AbortSignal) => Promise<Taken>
  /** The texts of both languages; absent: read from `locales/` now. */
  readonly i18n?: ServerI18n
}
