import { createWriteStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { randomHex } from '#server/platform/crypto/random.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import type { S3Address } from './s3-address.ts'
import { createS3Client, S3Error, type S3Request } from './s3-client.ts'
import { elementText, listElementTexts } from './s3-xml.ts'
import { createMeter, type FileStorage, requirePath } from './storage.ts'

/** The smallest part that S3 accepts, except for the last one. An upload holds one part in memory. */
export const partBytes = 5 * 1024 * 1024
const retryAfterSeconds = 10
const deletedAtOnce = 16

/** Pieces of `partBytes`; the last one may be smaller. */
async function* partsOf(body: AsyncIterable<Uint8Array>, onChunk: (chunk: Uint8Array) => void) {
  let pieces: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    onChunk(chunk)
    for (let at = 0; at < chunk.byteLength; ) {
      const piece = chunk.subarray(at, at + partBytes - size)
      pieces.push(piece)
      size += piece.byteLength
      at += piece.byteLength
      if (size < partBytes) continue
      yield Buffer.concat(pieces)
      pieces = []
      size = 0
    }
  }
  yield Buffer.concat(pieces)
}

/** Files in a bucket, below `folder/`. Temporary failures are retried after each of the pauses. */
export function createS3Storage(address: S3Address, folder: string, pausesMs?: readonly number[]): FileStorage {
  const client = createS3Client(address, pausesMs)
  const root = `${address.prefix}${folder}/`
  const keyOf = (path: string) => root + requirePath(path)
  /** Uploads of this process; its own cleanup skips them. */
  const own = new Set<string>()

  const request = async (wanted: S3Request) => {
    try {
      return await client.request(wanted)
    } catch (error) {
      throw appErrors.UNAVAILABLE({ retryAfterSeconds, cause: error })
    }
  }
  const requestText = async (wanted: S3Request): Promise<string> => {
    const response = await request(wanted)
    return response.text().catch(error => {
      throw appErrors.UNAVAILABLE({ retryAfterSeconds, cause: new S3Error('NETWORK', 0, error) })
    })
  }
  const unlessMissing = (error: unknown): undefined => {
    const { cause } = error as { cause?: unknown }
    if (!(cause instanceof S3Error && cause.status === 404 && cause.code !== 'NoSuchBucket')) throw error
  }

  /** Some storages or keys do not allow listing unfinished uploads: then a rule of the bucket must delete them. */
  const unlessRefused = (error: unknown): undefined => {
    const { cause } = error as { cause?: unknown }
    const isRefused = cause instanceof S3Error && (cause.status === 501 || (cause.status >= 400 && cause.status < 500))
    if (!isRefused || cause.status === 429 || cause.code === 'NoSuchBucket') throw error
  }

  const removeKey = async (key: string) => void (await requestText({ method: 'DELETE', key }).catch(unlessMissing))
  const abort = async (key: string, uploadId: string) =>
    void (await requestText({ method: 'DELETE', key, query: { uploadId } }).catch(unlessMissing))

  const complete = async (key: string, uploadId: string, etags: readonly string[]) => {
    const parts = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    const answer = await requestText({ method: 'POST', key, query: { uploadId }, body, isOnce: true })
    // S3 answers 200 before it has joined the parts; an error may follow in the body.
    if (elementText(answer, 'ETag') !== undefined) return
    const cause = new S3Error(elementText(answer, 'Code') ?? 'NO_CODE', 200)
    throw appErrors.UNAVAILABLE({ retryAfterSeconds, cause })
  }

  const begin = async (key: string): Promise<string> => {
    const uploadId = elementText(await requestText({ method: 'POST', key, query: { uploads: '' } }), 'UploadId')
    if (!uploadId) throw appErrors.UNAVAILABLE({ retryAfterSeconds, cause: new S3Error('NO_UPLOAD_ID', 200) })
    return uploadId
  }

  const list = async function* (prefix: string) {
    for (let from: string | undefined = ''; from !== undefined; ) {
      const query = { 'list-type': '2', prefix, ...(from ? { 'continuation-token': from } : {}) }
      const xml = await requestText({ method: 'GET', query })
      const page = listElementTexts(xml, 'Contents').map(entry => ({
        key: elementText(entry, 'Key') ?? '',
        modifiedMs: Date.parse(elementText(entry, 'LastModified') ?? ''),
      }))
      if (page.length) yield page
      from = elementText(xml, 'NextContinuationToken')
    }
  }

  return {
    async write(path, body, check) {
      const key = keyOf(path)
      const meter = createMeter()
      let uploadId: string | undefined
      const etags: string[] = []
      try {
        for await (const part of partsOf(body, meter.take)) {
          const isWhole = part.length < partBytes && uploadId === undefined
          if (isWhole) {
            const file = meter.facts(path)
            await check?.(file)
            await requestText({ method: 'PUT', key, body: part })
            return file
          }
          if (part.length === 0) break
          if (uploadId === undefined) {
            uploadId = await begin(key)
            own.add(uploadId)
          }
          const query = { partNumber: String(etags.length + 1), uploadId }
          const response = await request({ method: 'PUT', key, query, body: part })
          await response.text()
          etags.push(response.headers.get('etag') ?? '')
        }
        const file = meter.facts(path)
        await check?.(file)
        await complete(key, uploadId as string, etags)
        return file
      } catch (error) {
        // If the storage itself has failed, the cleanup finds the parts later.
        if (uploadId !== undefined) await abort(key, uploadId).catch(() => undefined)
        throw error
      } finally {
        if (uploadId !== undefined) own.delete(uploadId)
      }
    },
    async read(path, range) {
      const part = range && { headers: { range: `bytes=${range.start}-${range.end}` } }
      const response = await request({ method: 'GET', key: keyOf(path), ...part }).catch(unlessMissing)
      return response && Readable.fromWeb(response.body as never)
    },
    async withBlob(path, use) {
      const bytes = await this.read(path)
      if (!bytes) return 'missing'
      const copy = join(tmpdir(), `recado-${randomHex(16)}`)
      try {
        await pipeline(bytes, createWriteStream(copy, { flags: 'wx', mode: 0o600 })).catch(cause => {
          throw appErrors.UNAVAILABLE({ retryAfterSeconds, cause })
        })
        return await use(await openAsBlob(copy))
      } finally {
        await rm(copy, { force: true })
      }
    },
    remove: async path => removeKey(keyOf(path)),
    async removeBelow(path) {
      for await (const page of list(`${keyOf(path)}/`))
        for (let at = 0; at < page.length; at += deletedAtOnce)
          await Promise.all(page.slice(at, at + deletedAtOnce).map(({ key }) => removeKey(key)))
    },
    async *list() {
      for await (const page of list(root))
        yield page.map(({ key, modifiedMs }) => ({ path: key.slice(root.length), modifiedMs }))
    },
    async sweep(beforeMs = Number.POSITIVE_INFINITY) {
      const xml = await requestText({ method: 'GET', query: { uploads: '', prefix: root } }).catch(unlessRefused)
      if (xml === undefined) return
      for (const entry of listElementTexts(xml, 'Upload')) {
        const uploadId = elementText(entry, 'UploadId') ?? ''
        const isOld = Date.parse(elementText(entry, 'Initiated') ?? '') < beforeMs
        if (isOld && !own.has(uploadId)) await abort(elementText(entry, 'Key') ?? '', uploadId)
      }
    },
  }
}
