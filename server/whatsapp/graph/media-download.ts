import { classify } from '../errors/errors.ts'
import { type MediaFile, WhatsAppError } from '../provider.ts'
import { asNumber } from '../scalars.ts'
import type { Graph } from './graph.ts'
import { MediaInfo } from './wire.ts'

/** Meta's hosts that serve files with the token. */
const tokenHosts = new Set(['graph.facebook.com', 'lookaside.fbsbx.com'])
/** Meta's hosts that redirects may lead to, without the token. */
const contentHost = /(^|\.)(fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/
const maxHops = 3

const refused = (code: 'TOO_LARGE' | 'MEDIA_HOST', message: string) =>
  new WhatsAppError({ code, retry: 'never', message })

/** The token is sent only to Meta's hosts over TLS, or to the configured Graph origin (the simulator). */
const mayCarryToken = (url: URL, graph: Graph): boolean =>
  url.origin === graph.baseUrl.origin || (url.protocol === 'https:' && tokenHosts.has(url.hostname))

export const mayFollow = (url: URL, graph: Graph): boolean =>
  url.origin === graph.baseUrl.origin || (url.protocol === 'https:' && contentHost.test(url.hostname))

const parsed = (address: string, base?: URL): URL | undefined =>
  URL.canParse(address, base) ? new URL(address, base) : undefined

export const discard = async (response: Response): Promise<void> => {
  // An unread body would hold its socket. Errors while cancelling do not matter.
  await response.body?.cancel().catch(() => undefined)
}

/** Follows redirects without the token, and only to Meta's hosts. */
const openFile = async (graph: Graph, address: string, signal: AbortSignal | undefined): Promise<Response> => {
  let url = parsed(address)
  if (url === undefined || !mayCarryToken(url, graph))
    throw refused('MEDIA_HOST', `no token for the host ${url?.hostname ?? 'of no address'}`)
  for (let hop = 0; hop <= maxHops; hop += 1) {
    const response = await graph.open(url, { token: hop === 0, call: 'media', signal })
    if (response.status < 300 || response.status >= 400) return response
    await discard(response)
    const next = parsed(response.headers.get('location') ?? '', url)
    if (next === undefined || !mayFollow(next, graph))
      throw refused('MEDIA_HOST', `a redirect to the host ${next?.hostname ?? 'of no address'}`)
    url = next
  }
  throw refused('MEDIA_HOST', 'redirected without end')
}

/** Meta answers an expired or unsigned address with an error, or with its login page. */
const isExpired = (response: Response, mime: string | undefined): boolean =>
  [401, 403, 404, 410].includes(response.status) ||
  (response.ok && /^text\/html/i.test(response.headers.get('content-type') ?? '') && !/^text\/html/i.test(mime ?? ''))

/** The bytes of an answer; rejects with `TOO_LARGE` beyond `maxBytes`. */
export async function* capped(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  const chunks = response.body?.[Symbol.asyncIterator]()
  try {
    for (;;) {
      let step: IteratorResult<Uint8Array> | undefined
      try {
        step = await chunks?.next()
      } catch (fault) {
        throw classify({ call: 'media', fault })
      }
      if (step === undefined || step.done) return
      size += step.value.byteLength
      if (size > maxBytes) throw refused('TOO_LARGE', `more than ${maxBytes} bytes`)
      yield step.value
    }
  } finally {
    await chunks?.return?.()
  }
}

/**
 * Streams the file of a media id. Its address is valid for five minutes; if it is refused, a new one is requested once.
 * The caller must read the body or end its iteration; otherwise the connection stays open.
 * @see Meta, "Media › Download media"
 */
export async function downloadMedia(
  graph: Graph,
  where: { providerId: string; phoneNumberId: string },
  { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal },
): Promise<MediaFile> {
  const ask = () =>
    graph.request({
      call: 'media',
      method: 'GET',
      path: `/${encodeURIComponent(where.providerId)}`,
      query: { phone_number_id: where.phoneNumberId },
      reply: MediaInfo,
      signal,
    })
  let info = await ask()
  let size = asNumber(info.file_size) ?? null
  if (size !== null && size > maxBytes) throw refused('TOO_LARGE', `${size} bytes, more than ${maxBytes}`)
  let response = await openFile(graph, info.url, signal)
  if (isExpired(response, info.mime_type)) {
    await discard(response)
    info = await ask()
    response = await openFile(graph, info.url, signal)
  }
  if (!response.ok || isExpired(response, info.mime_type)) {
    await discard(response)
    const httpStatus = response.ok ? 404 : response.status
    throw classify({ call: 'media', httpStatus, body: undefined, headers: response.headers })
  }
  size ??= asNumber(response.headers.get('content-length')) ?? null
  if (size !== null && size > maxBytes) {
    await discard(response)
    throw refused('TOO_LARGE', `${size} bytes, more than ${maxBytes}`)
  }
  const mime = info.mime_type ?? response.headers.get('content-type') ?? 'application/octet-stream'
  return {
    body: capped(response, maxBytes),
    mime: mime.toLowerCase(),
    size,
    sha256: info.sha256?.toLowerCase() ?? null,
  }
}
