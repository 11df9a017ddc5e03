import { Agent, Headers, fetch as undiciFetch } from 'undici'
import { endings } from './call-endings.ts'

/**
 * One connection pool for all numbers. Idle sockets do not keep the process alive. `headersTimeout` and `bodyTimeout`
 * limit silence, not duration.
 */
const agent = new Agent({
  connect: { timeout: 5_000 },
  headersTimeout: 20_000,
  bodyTimeout: 20_000,
  keepAliveTimeout: 4_000,
})
export const pooledFetch = ((url: URL, init: RequestInit) =>
  undiciFetch(url, { ...init, dispatcher: agent } as Parameters<typeof undiciFetch>[1])) as unknown as typeof fetch

const maxReplyBytes = 1024 * 1024

export const readBytes = async (body: AsyncIterable<Uint8Array> | null): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxReplyBytes) return Buffer.alloc(0)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export interface Reply {
  readonly status: number
  readonly headers: () => Response['headers']
  readonly bytes: Buffer
}

/** A parsed address, cached because each is called many times. */
export interface Address {
  readonly url: URL
  readonly origin: string
  readonly path: string
}

interface Post {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The timeout of the whole answer. */
  readonly ms: number
  readonly signal: AbortSignal | undefined
  readonly onWire: (() => void) | undefined
}

/** JSON is sent without `fetch`, whose streams double the cost of a call. */
export const postJson = (
  { origin, path }: Address,
  { method, headers, body, ms, signal, onWire }: Post,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    let call: { abort(reason: Error): void } | undefined
    let broken: Error | undefined
    const stop = (reason: Error) => {
      broken = reason
      call?.abort(reason)
    }
    const end = endings(stop, ms, signal)
    let status = 0
    let head: Record<string, string> = {}
    let size = 0
    let chunks: Uint8Array[] = []
    agent.dispatch(
      { origin, path, method, headers, body },
      {
        onRequestStart(controller) {
          call = controller
          if (broken) controller.abort(broken)
          else onWire?.()
        },
        onResponseStart(_controller, statusCode, given) {
          status = statusCode
          head = given as Record<string, string>
        },
        onResponseData(_controller, chunk) {
          size += chunk.byteLength
          if (size > maxReplyBytes) chunks = []
          else chunks.push(chunk)
        },
        onResponseEnd() {
          end()
          const headers = () => new Headers(head) as unknown as Response['headers']
          resolve({
            status,
            headers,
            bytes: chunks.length === 1 ? Buffer.from(chunks[0] as Buffer) : Buffer.concat(chunks),
          })
        },
        onResponseError(_controller, error) {
          end()
          reject(error)
        },
      },
    )
  })
