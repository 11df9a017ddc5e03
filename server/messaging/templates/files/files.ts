import { detectType } from '#server/messaging/media/content-type.ts'
import { servedType } from '#server/messaging/media/kind.ts'
import type { ReceivedFiles } from '#server/messaging/media/received.ts'
import { readSentFile } from '#server/messaging/media/sent-file.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { FileStorage } from '#server/platform/storage/storage.ts'
import { bytesOfBase64 } from '#server/platform/text/base64.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { maxInlineBytes, type TemplateMedia } from '#shared/templates/api.ts'
import { headerMedia, type MediaFormat, mediaFormats } from '#shared/templates/components.ts'
import { fileAddressOf, handleOf } from '#shared/templates/files.ts'
import { deleteFile, findFileAnywhere, insertFile, listFiles, type TemplateFile } from './media-store.ts'
import { markSent } from './unused-files-store.ts'

export const formatOf = (mime: string): MediaFormat | undefined =>
  mediaFormats.find(format => headerMedia[format].mimes.includes(mime))

/** The header format of a file by its first bytes. Undefined: no header can show it. */
export const contentFormatOf = async (head: Buffer): Promise<MediaFormat | undefined> =>
  formatOf(servedType('', await detectType(head)))

/** Chunks are hashed and written in separate event loop turns. */
const chunkBytes = 256 * 1024

/** A bulk send names one file hundreds of times a second, so its use is recorded once an hour. */
const markEveryMs = 60 * 60 * 1000
const maxMarks = 1000

const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)
const fault = (field: string, code: string, params: Record<string, string | number> = {}) =>
  new InvalidInput([{ field, code, params, text: `templates:fault.${code}` }])

export const presentFile = (file: TemplateFile): TemplateMedia => ({
  handle: handleOf(file.id),
  url: fileAddressOf(file.id),
  mime: file.mime,
  name: file.name,
  size: file.size,
})

export interface TemplateFiles {
  /** Stores a file. Its bytes decide its type. @throws InvalidInput naming `field` */
  store(
    orgId: string,
    file: { name: string | null; body: AsyncIterable<Uint8Array>; broughtBy: string },
    field: string,
  ): Promise<TemplateFile>
  storeInline(orgId: string, file: { name?: string; dataBase64: string; broughtBy: string }): Promise<TemplateFile>
  /** Takes a file that was uploaded with a form. @throws InvalidInput when it cannot be a header's */
  take(write: OrgWrite, file: ReceivedFile): Promise<TemplateFile>
  /** Deletes a file that was taken. */
  giveBack(write: OrgWrite, file: TemplateFile): Promise<void>
  list(orgId: string, ids: readonly string[]): Promise<Map<string, TemplateFile>>
  /** Records that a message of the conversation carries these files. */
  markSent(orgId: string, ids: readonly string[], conversationId: string): Promise<void>
  find(id: string): Promise<(TemplateFile & { orgId: string }) | undefined>
  read(file: TemplateFile): ReturnType<FileStorage['read']>
  /** @see FileStorage.withBlob */
  withBlob<T>(file: TemplateFile, use: (blob: Blob) => Promise<T>): Promise<T | 'missing'>
}

/** Header files are stored here, so that they can be shown, sent and uploaded again. */
export function createTemplateFiles(parts: {
  databases: Databases
  clock: Clock
  storage: Pick<FileStorage, 'read' | 'withBlob' | 'remove'>
  received: Pick<ReceivedFiles, 'keep' | 'own' | 'disown' | 'discard'>
}): TemplateFiles {
  const { databases, clock, storage, received } = parts
  const marks = new Map<string, { sentIn: string; until: number }>()

  const limited = async function* (body: AsyncIterable<Uint8Array>, field: string) {
    let size = 0
    const most = headerMedia.DOCUMENT.maxBytes
    for await (const chunk of body) {
      size += chunk.byteLength
      if (size > most) throw fault(field, 'fileTooLarge', { max: megabytes(most) })
      yield chunk
    }
  }

  const typeOf = ({ found, size }: Pick<ReceivedFile, 'found' | 'size'>, field: string): string => {
    const mime = servedType('', found)
    const format = formatOf(mime)
    if (!format) throw fault(field, 'fileKind')
    if (size > headerMedia[format].maxBytes)
      throw fault(field, 'fileTooLarge', { max: megabytes(headerMedia[format].maxBytes) })
    return mime
  }

  const own = async (
    write: { readonly db: Db; readonly orgId: string },
    file: Omit<TemplateFile, 'path'>,
  ): Promise<TemplateFile> => {
    const { path, broughtBy } = await received.own(write, file)
    const { id, mime, name, size, sha256 } = file
    const kept = { id, mime, name, size, sha256, path }
    await insertFile(write.db, write.orgId, { ...kept, broughtBy, createdAt: isoNow(clock) })
    return kept
  }

  const store: TemplateFiles['store'] = async (orgId, { name, body, broughtBy }, field) => {
    const came = await received.keep(orgId, limited(body, field), broughtBy)
    try {
      const mime = typeOf(came, field)
      return await inTransaction(databases, db => own({ db, orgId }, { ...came, mime, name }))
    } catch (error) {
      await received.discard(orgId, came.id)
      throw error
    }
  }

  return {
    store,
    async storeInline(orgId, { name = null as string | null, dataBase64, broughtBy }) {
      const bytes = bytesOfBase64(dataBase64)
      if (!bytes) throw fault('body.file.dataBase64', 'fileKind')
      if (bytes.length > maxInlineBytes)
        throw fault('body.file.dataBase64', 'fileTooLarge', { max: megabytes(maxInlineBytes) })
      const body = async function* () {
        for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
      }
      return store(orgId, { name: name || null, body: body(), broughtBy }, 'body.file.dataBase64')
    },
    async take(write, came) {
      const { id, size, sha256 } = came
      // A name is not needed: customers do not see it.
      const { mime } = readSentFile(came, { name: came.name ?? id })
      if (!formatOf(mime)) throw fault('body.file', 'fileKind')
      return own(write, { id, mime, name: came.name, size, sha256 })
    },
    async giveBack(write, file) {
      await deleteFile(write.db, write.orgId, file.id)
      await received.disown(write, file)
    },
    list: (orgId, wanted) => listFiles(databases.read, orgId, wanted),
    async markSent(orgId, ids, conversationId) {
      const now = clock.now().getTime()
      const news = ids.filter(id => {
        const known = marks.get(id)
        return !known || known.until < now || (known.sentIn !== '' && known.sentIn !== conversationId)
      })
      if (!news.length) return
      await markSent(databases.write, orgId, news, { conversationId, at: isoNow(clock) })
      if (marks.size >= maxMarks) marks.clear()
      for (const id of news) {
        const known = marks.get(id)
        const sentIn = known && known.sentIn !== conversationId ? '' : conversationId
        marks.set(id, { sentIn, until: now + markEveryMs })
      }
    },
    find: id => findFileAnywhere(databases.read, id),
    read: file => storage.read(file.path),
    withBlob: (file, use) => storage.withBlob(file.path, bytes => use(new Blob([bytes], { type: file.mime }))),
  }
}
