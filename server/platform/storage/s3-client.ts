import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, fetch, type Response } from 'undici'
import type { S3Address } from './s3-address.ts'
import { oneOf } from './s3-xml.ts'

/** What the storage refused, or why it could not be asked. */
export class S3Error extends Error {
  override readonly name = 'S3Error'
  /** S3's own word, such as `NoSuchBucket`; `NETWORK` when there was no answer. */
  readonly code: string
  /** Of the answer; 0 when there was none. */
  readonly status: number
  constructor(code: string, status: number, cause?: unknown) {
    super(`the file storage answers ${status} ${code}`, { cause })
    this.code = code
    this.status = status
  }
}

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Of the object; empty: the bucket. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** Asking twice would not mean the same. */
  readonly isOnce?: boolean
}

export interface S3Client {
  /** Answers whatever is 2xx. @throws S3Error */
  request(request: S3Request): Promise<Response>
}

/** A part of a file takes its time on a slow line; nothing at all for so long is no line. */
const timeouts = { connect: { timeout: 5_000 }, headersTimeout: 30_000, bodyTimeout: 30_000 }
const shortPausesMs: readonly number[] = [100, 400]
const maxErrorChars = 20_000

/** The storage does not have the call at all. */
const notImplemented = 501

const isPassing = ({ status }: S3Error) =>
  status === 0 || status === 429 || (status >= 500 && status !== notImplemented)

/**
 * Requests to one bucket, signed (version 4) and addressed by path, as every maker of such storages understands. What
 * passes is asked again: a connection that was closed while it stood idle, a server that wants a moment.
 */
export function createS3Client(address: S3Address, pausesMs = shortPausesMs): S3Client {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = address
  const dispatcher = new Agent(timeouts)
  /** Keys of a day's signatures. */
  const cache = new Map<string, ArrayBuffer>()

  const ask = async ({ method, key = '', query = {}, headers = {}, body }: S3Request): Promise<Response> => {
    const url = new URL(`${endpoint}/${bucket}${key && `/${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', body ?? new Uint8Array())).toString('hex')
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      ...(body === undefined ? {} : { body }),
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region,
      cache,
    }).sign()
    const response = await fetch(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      redirect: 'manual',
      dispatcher,
      ...(body === undefined ? {} : { body }),
    }).catch((error: unknown) => {
      throw new S3Error('NETWORK', 0, error)
    })
    if (response.ok) return response
    const said = (await response.text().catch(() => '')).slice(0, maxErrorChars)
    throw new S3Error(oneOf(said, 'Code') ?? 'NO_CODE', response.status)
  }

  return {
    async request(request) {
      for (const pauseMs of request.isOnce ? [] : pausesMs)
        try {
          return await ask(request)
        } catch (error) {
          if (!(error instanceof S3Error && isPassing(error))) throw error
          await pause(pauseMs)
        }
      return ask(request)
    },
  }
}
