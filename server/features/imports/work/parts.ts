import type { ArchivedImports } from '#server/messaging/imported/archived.ts'
import type { ImportedMessages } from '#server/messaging/imported/imported.ts'
import type { ReceivedFiles } from '#server/messaging/media/received.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { OpenStream } from '../chatwoot/api/files.ts'
import type { Pieces } from '../creating/pieces.ts'

/** The parts that the job of an import needs. */
export interface WorkParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
  readonly files: Pick<ReceivedFiles, 'keep' | 'take' | 'discard'>
  readonly pieces: Pieces
  readonly openStream: OpenStream
  readonly importedMessages: ImportedMessages
  readonly archivedImports: ArchivedImports
  readTimeZone(orgId: string): Promise<string>
  removeFile(path: string): Promise<void>
  /** Messages stored in one commit. For tests. */
  readonly messagesAtOnce?: number
  /** Records of an archive in one commit. For tests. */
  readonly recordsAtOnce?: number
}
