import { Readable } from 'node:stream'
import { AppError } from '#server/platform/http/errors.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import type { FileStorage, WrittenFile } from '#server/platform/storage/storage.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { WhatsAppError, type WhatsAppNumber } from '#server/whatsapp/provider.ts'
import { detectType } from './content-type.ts'
import { servedType } from './kind.ts'
import { addressOfLinked } from './linked-file.ts'
import { mediaPath } from './path.ts'
import type { FileQuota } from './quota.ts'
import type { PendingMedia } from './store.ts'

export interface DownloadParts {
  readonly clock: Clock
  readonly numbers: {
    findClient(
      orgId: string,
      connectionId: string,
    ): Promise<{ number: WhatsAppNumber; connection: { status: string } } | undefined>
  }
  readonly storage: FileStorage
  readonly quota: FileQuota
  /** Fetches files from addresses that came with messages. */
  readonly outbound: Pick<Outbound, 'call'>
}

const maxMediaBytes = 100 * 1024 * 1024
const fetchMs = 10 * 60 * 1000
/** Images of advertisements are small. */
const maxLinkedBytes = 5 * 1024 * 1024
const linkedMs = 20_000
/** Meta keeps customers' files for seven days. */
const idLifeMs = 7 * 24 * 60 * 60 * 1000

/** The number of the file is not connected. */
export const notConnected = 'NOT_CONNECTED'

/** The organization's quota is full. After freeing space a member fetches the file again. */
export const noRoom = 'NO_ROOM'

/** Why a file was not stored. The code is stored in its row. */
class MediaFault extends Error {
  override readonly name = 'MediaFault'
  readonly code: string
  constructor(code: string, cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}

const checkFile = (file: WrittenFile, expected: { size: number | null; hashes: readonly (string | null)[] }) => {
  if (expected.size !== null && file.size !== expected.size) throw new MediaFault('SIZE_MISMATCH')
  for (const hash of expected.hashes) if (hash && hash !== file.sha256) throw new MediaFault('HASH_MISMATCH')
}

/** The code that is stored for a download that failed. */
export const downloadCodeOf = (error: unknown): string =>
  error instanceof WhatsAppError || error instanceof MediaFault ? error.code : 'STORAGE'

/**
 * Returns the function that downloads a customer's file from Meta or from a public address, checks it, and stores it.
 * It throws a WhatsAppError or a MediaFault.
 */
export function createDownload({ clock, numbers, storage, quota, outbound }: DownloadParts) {
  const store = async (
    media: PendingMedia,
    body: AsyncIterable<Uint8Array>,
    check?: (file: WrittenFile) => void,
  ): Promise<WrittenFile> => {
    try {
      return await quota.store(media.orgId, body, bytes =>
        storage.write(mediaPath(media.orgId, media.id), bytes, check),
      )
    } catch (error) {
      if (error instanceof AppError && error.code === 'MEDIA_NO_ROOM') throw new MediaFault(noRoom, error)
      throw error
    }
  }

  /** An image at a public address. Other types are not kept. */
  const downloadLinked = async (media: PendingMedia, address: string, signal: AbortSignal) => {
    const { status, body } = await outbound
      .call(address, { timeoutMs: linkedMs, maxBytes: maxLinkedBytes, maxRedirects: 2, signal })
      .catch(error => {
        throw new MediaFault('LINK', error)
      })
    if (status !== 200) throw new MediaFault('LINK')
    const mime = servedType('application/octet-stream', await detectType(body.subarray(0, 1024)))
    if (!mime.startsWith('image/')) throw new MediaFault('NO_PICTURE')
    const stored = await store(media, Readable.from([body]))
    return { ...stored, mime }
  }

  return async (media: PendingMedia, stop: AbortSignal): Promise<WrittenFile & { mime: string }> => {
    if (clock.now().getTime() - Date.parse(media.createdAt) > idLifeMs) throw new MediaFault('EXPIRED')
    const address = addressOfLinked(media.providerId)
    if (address !== undefined) return downloadLinked(media, address, stop)
    const client = await numbers.findClient(media.orgId, media.connectionId)
    if (!client || client.connection.status === 'reauthorise') throw new MediaFault(notConnected)
    const signal = AbortSignal.any([stop, AbortSignal.timeout(fetchMs)])
    const file = await client.number.fetchMedia(media.providerId, { maxBytes: maxMediaBytes, signal })
    if (!(await quota.hasRoom(media.orgId, file.size))) throw new MediaFault(noRoom)
    const stored = await store(media, file.body, written =>
      checkFile(written, { size: file.size, hashes: [media.sha256, file.sha256] }),
    )
    return { ...stored, mime: servedType(media.mime || file.mime, await detectType(stored.head)) }
  }
}
