import { Readable } from 'node:stream'
import type { ReceivedFiles } from '#server/messaging/media/received.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { FileStorage } from '#server/platform/storage/storage.ts'
import { importErrors } from '../errors.ts'
import type { Bytes } from '../reading/zip-files.ts'
import { deletePieces, findImport, insertPiece, listPieces, type StoredImport, updateImport } from '../store.ts'

interface PieceParts {
  readonly databases: Databases
  readonly writes: Pick<Writes, 'run'>
  readonly files: Pick<ReceivedFiles, 'keep' | 'own' | 'discard' | 'requireRoom'>
  readonly storage: Pick<FileStorage, 'read' | 'remove'>
}

type Change = (write: OrgWrite, one: StoredImport | undefined) => Promise<Parameters<typeof updateImport>[3]>

/** The range of a piece in its file. Both ends are included. */
export interface PieceRange {
  readonly start: number
  readonly end: number
  readonly total: number
}

/** Ends a body that has more bytes than its range says; one without a length might never end. */
async function* noMoreThan(bytes: number, body: AsyncIterable<Uint8Array>, received: number) {
  let count = 0
  for await (const chunk of body) {
    count += chunk.length
    if (count > bytes) throw importErrors.WRONG_PLACE({ params: { received } })
    yield chunk
  }
}

/** Uploaded files of imports. They stay in the pieces in which they came, and count as files of the organization. */
export function createPieces({ databases, writes, files, storage }: PieceParts) {
  const by = systemActor('imports')

  const requirePlace = (one: StoredImport | undefined, { start, total }: PieceRange): StoredImport => {
    if (!one) throw importErrors.NOT_FOUND()
    if (one.state !== 'uploading') throw importErrors.WRONG_STATE()
    if (one.received !== start || (one.size !== null && one.size !== total))
      throw importErrors.WRONG_PLACE({ params: { received: one.received } })
    return one
  }

  return {
    /**
     * Adds a piece to a file. @throws IMPORTS_NOT_FOUND, IMPORTS_WRONG_STATE, IMPORTS_WRONG_PLACE, also for a piece that
     * breaks off; MEDIA_NO_ROOM
     */
    async add(
      orgId: string,
      id: string,
      { range, body, broughtBy }: { range: PieceRange; body: AsyncIterable<Uint8Array>; broughtBy: string },
    ) {
      requirePlace(await findImport(databases.read, orgId, id), range)
      // Before its first gigabytes have come for nothing.
      await files.requireRoom(orgId, range.total - range.start)
      const whole = range.end - range.start + 1
      const file = await files.keep(orgId, noMoreThan(whole, body, range.start), broughtBy)
      try {
        if (file.size !== whole) throw importErrors.WRONG_PLACE({ params: { received: range.start } })
        await writes.run(orgId, by, async write => {
          const one = requirePlace(await findImport(write.db, orgId, id), range)
          const { path } = await files.own(write, file)
          await insertPiece(write.db, orgId, id, { start: range.start, fileId: file.id, path, size: file.size })
          await updateImport(write.db, orgId, id, { size: range.total, received: one.received + file.size })
        })
      } catch (error) {
        await files.discard(orgId, file.id)
        throw error
      }
    },

    /**
     * Adds bytes that were fetched to the end of a file. `change` says what changes with them, and throws if the import
     * moved on meanwhile. @throws MEDIA_NO_ROOM
     */
    async append(
      orgId: string,
      id: string,
      { bytes, broughtBy, change }: { bytes: Buffer; broughtBy: string; change: Change },
    ): Promise<void> {
      const file = bytes.length ? await files.keep(orgId, Readable.from([bytes]), broughtBy) : undefined
      try {
        await writes.run(orgId, by, async write => {
          const one = await findImport(write.db, orgId, id)
          const changes = await change(write, one)
          const start = one?.received ?? 0
          if (file) {
            const { path } = await files.own(write, file)
            await insertPiece(write.db, orgId, id, { start, fileId: file.id, path, size: file.size })
          }
          const received = start + bytes.length
          await updateImport(write.db, orgId, id, { ...changes, size: received, received })
        })
      } catch (error) {
        if (file) await files.discard(orgId, file.id)
        throw error
      }
    },

    /** The bytes of a file, over its pieces. */
    async open(orgId: string, { id, size }: Pick<StoredImport, 'id' | 'size'>): Promise<Bytes> {
      const pieces = await listPieces(databases.read, orgId, id)
      return {
        size: size ?? 0,
        async *read(from, to) {
          for (const piece of pieces) {
            const [start, end] = [Math.max(from, piece.start), Math.min(to, piece.start + piece.size)]
            if (start >= end) continue
            const stream = await storage.read(piece.path, { start: start - piece.start, end: end - piece.start - 1 })
            if (!stream) throw new Error('A piece of an import is missing where files are kept')
            yield* stream
          }
        },
      }
    },

    /** Deletes the file of an import. */
    async remove(orgId: string, id: string): Promise<void> {
      for (const { path } of await listPieces(databases.read, orgId, id)) await storage.remove(path)
      await writes.run(orgId, by, ({ db }) => deletePieces(db, orgId, id))
    },
  }
}

export type Pieces = ReturnType<typeof createPieces>
