import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { AccessLog } from '../accounts/access-log.ts'

export interface ProgramParts extends Pick<AccessLog, 'onProgram'> {
  readonly config: Pick<Config, 'publicUrl'>
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly secret: string
  readonly previousSecrets?: readonly string[]
  readonly scopes: Pick<Scopes, 'readScope'>
}
