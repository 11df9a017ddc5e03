import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, fetch, type Response } from 'undici'
import type { S3Address } from './s3-address.ts'
import { elementText } from './s3-xml.ts'

/** A refusal of the storage, or why there was no answer. */
export class S3Error extends Error {
  override readonly name = 'S3Error'
  /** S3's error code, such as `NoSuchBucket`; `NETWORK` without an answer. */
  readonly code: string
  /** HTTP status; 0 without an answer. */
  readonly status: number
  constructor(code: string, status: number, cause?: unknown) {
    super(`the file storage answers ${status} ${code}`, { cause })
    this.code = code
    this.status = status
  }
}

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Key of the object; empty: the bucket. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** The request must not be repeated. */
  readonly isOnce?: boolean
}

interface S3Client {
  /** Returns any 2xx. @throws S3Error */
  request(request: S3Request): Promise<Response>
}

/** A part may be slow, but silence for this long means that the connection is dead. */
const timeouts = { connect: { timeout: 5_000 }, headersTimeout: 30_000, bodyTimeout: 30_000 }
const shortPausesMs: readonly number[] = [100, 400]
const maxErrorChars = 20_000

/** The storage does not implement the call. */
const notImplemented = 501

const isPassing = ({ status }: S3Error) =>
  status === 0 || status === 429 || (status >= 500 && status !== notImplemented)

/**
 * Requests to one bucket with signature version 4 and path-style addresses, which every S3-compatible storage
 * understands. Temporary failures are retried: closed idle connections, and servers that ask to wait.
 */
export function createS3Client(address: S3Address, pausesMs = shortPausesMs): S3Client {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = address
  const dispatcher = new Agent(timeouts)
  /** Signing keys by day. */
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
    throw new S3Error(elementText(said, 'Code') ?? 'NO_CODE', response.status)
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
