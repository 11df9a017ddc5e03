import { setTimeout as pause } from 'node:timers/promises'
import type { MediaService } from '#server/messaging/media/fetcher.ts'
import type { ReceivedFiles } from '#server/messaging/media/received.ts'
import { readSentFile } from '#server/messaging/media/sent-file.ts'
import type { Uploads } from '#server/messaging/media/uploads.ts'
import type { TemplateFiles } from '#server/messaging/templates/files/files.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { actorOf, systemActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { KeyHolder } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import type { WhatsAppNumber } from '#server/whatsapp/provider.ts'
import { metaCodes } from '#server/whatsapp/serving/codes.ts'
import { codeError, paramError } from '#server/whatsapp/serving/graph-error.ts'
import { newGraphId } from '#server/whatsapp/serving/ids.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { handleOf } from '#shared/templates/files.ts'
import { deleteFile, findFile, type GatewayFile, insertFile, listFilesBefore, saveHeaderFile } from './file-store.ts'

interface GatewayFileParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly files: Pick<ReceivedFiles, 'keep' | 'own' | 'disown' | 'discard'>
  readonly media: Pick<MediaService, 'findByProvider' | 'read'>
  readonly uploads: Pick<Uploads, 'ensureShared'>
  readonly templateFiles: Pick<TemplateFiles, 'store' | 'list'>
  readonly numbers: {
    findClient(orgId: string, connectionId: string): Promise<{ number: WhatsAppNumber } | undefined>
  }
}

/** A file that a program may read or send: its own upload, or one of a message that it sees. */
interface NamedFile {
  readonly id: string
  readonly mime: string
  readonly name: string | null
  readonly size: number
  readonly sha256: string
  readonly path: string
  /** Absent: it belongs to a message. */
  readonly upload?: GatewayFile
}

/** The lifetime of a file, as at Meta. */
const keptMs = 30 * 24 * 3_600_000
const prunedAtOnce = 100

/** A customer's file is fetched as soon as its webhook is applied. A program may ask a moment before it is here. */
const arrival = { looks: 20, everyMs: 250 }

/** Meta's code for a file that it does not take. */
const refused = (error: unknown): unknown => {
  if (!(error instanceof InvalidInput)) return error
  const [fault] = error.faults
  const limit = fault?.params.limit
  return codeError(
    metaCodes.mediaNotUploaded,
    `File is not accepted: ${fault?.code ?? 'invalid'}${limit === undefined ? '' : ` ${limit}`}.`,
  )
}

/** Files that programs upload, as Meta keeps them: for thirty days, to be sent by their id. */
export function createGatewayFiles(parts: GatewayFileParts) {
  const { databases, clock, writes, files, media } = parts

  const findUpload = (orgId: string, id: string) => findFile(databases.read, orgId, id, isoIn(clock, -keptMs))

  /** Waits a while for a file that is still fetched. @throws GraphError 2 if it takes longer */
  const readReceived = async (caller: KeyHolder, id: string): Promise<NamedFile | undefined> => {
    for (let look = 0; look < arrival.looks; look += 1) {
      const file = await media.findByProvider(caller, id)
      if (!file || file.state === 'failed') return undefined
      const { path, size, sha256 } = file
      if (path !== null && size !== null && sha256 !== null)
        return { id, mime: file.mime, name: file.name, size, sha256, path }
      await pause(arrival.everyMs, undefined, { ref: false })
    }
    throw codeError(metaCodes.serviceDown)
  }

  const find = async (caller: KeyHolder, id: string): Promise<NamedFile | undefined> => {
    const upload = await findUpload(caller.orgId, id)
    return upload ? { ...upload, upload } : readReceived(caller, id)
  }

  const requireFile = async (caller: KeyHolder, id: string): Promise<NamedFile> => {
    const file = await find(caller, id)
    if (file) return file
    const details = `Media ID ${id} does not exist or has expired. Please upload the media again.`
    throw paramError('Invalid parameter', details)
  }

  const open = async (file: Pick<NamedFile, 'path' | 'id'>) => {
    const bytes = await media.read(file.path)
    if (bytes) return bytes
    throw codeError(metaCodes.mediaNotUploaded, `The bytes of media ID ${file.id} are gone.`)
  }

  return {
    find,

    /** Keeps an uploaded file. @throws GraphError 131053 */
    async upload({ orgId }: KeyHolder, file: ReceivedFile): Promise<{ id: string }> {
      let read: ReturnType<typeof readSentFile>
      try {
        read = readSentFile(file, { name: file.name || 'file' })
      } catch (error) {
        throw refused(error)
      }
      const id = newGraphId(16)
      await inTransaction(databases, async db => {
        const { path } = await files.own({ db, orgId }, file)
        const { mime, name } = read
        const { size, sha256 } = file
        const kept = { id, mime, name, size, sha256, path, header_file_id: null, created_at: isoNow(clock) }
        await insertFile(db, orgId, kept)
      })
      return { id }
    },

    /** Runs `work` with a copy that a message can take. */
    async withCopy<T>(caller: KeyHolder, id: string, work: (file: ReceivedFile) => Promise<T>): Promise<T> {
      const { orgId, keyId } = caller
      const file = await requireFile(caller, id)
      const kept = await files.keep(orgId, await open(file), keyId)
      try {
        return await work({ ...kept, mime: file.mime, name: file.name ?? 'file' })
      } finally {
        await files.discard(orgId, kept.id)
      }
    },

    /** The handle of a copy for headers of templates. */
    async headerHandle(caller: KeyHolder, id: string): Promise<string> {
      const { orgId, keyId } = caller
      const file = await requireFile(caller, id)
      const known = file.upload?.header_file_id
      if (known && (await parts.templateFiles.list(orgId, [known])).has(known)) return handleOf(known)
      const body = await open(file)
      const stored = await parts.templateFiles.store(orgId, { name: file.name, body, broughtBy: keyId }, 'header')
      if (file.upload) await saveHeaderFile(databases.write, orgId, id, stored.id)
      return handleOf(stored.id)
    },

    /** Meta's id of the file, for messages that leave as they were written. */
    async providerId(caller: KeyHolder, connectionId: string, id: string): Promise<string> {
      const { orgId } = caller
      const file = await requireFile(caller, id)
      if (!file.upload) return id
      const client = await parts.numbers.findClient(orgId, connectionId)
      if (!client) throw codeError(metaCodes.numberNotRegistered)
      const of = { id, orgId, mime: file.mime, sha256: file.sha256, path: file.path }
      return (await parts.uploads.ensureShared(client.number, of, connectionId, AbortSignal.timeout(20_000))).providerId
    },

    /** Deletes an upload; files of messages stay. Returns whether it was there. */
    remove: (caller: KeyHolder, id: string): Promise<boolean> =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const file = await deleteFile(write.db, write.orgId, id)
        if (file) await files.disown(write, file)
        return file !== undefined
      }),

    /** Deletes uploads that are past their time. Returns how many. */
    prune: (): Promise<number> =>
      inBatches(prunedAtOnce, async limit => {
        const old = await listFilesBefore(databases.read, isoIn(clock, -keptMs), limit)
        for (const { id, org_id: orgId } of old)
          await writes.run(orgId, systemActor('gateway'), async write => {
            const file = await deleteFile(write.db, orgId, id)
            if (file) await files.disown(write, file)
          })
        return old.length
      }),
  }
}
export type GatewayFiles = ReturnType<typeof createGatewayFiles>
