import { timingSafeEqual } from 'node:crypto'
import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { dispositionOf, filePolicy, servedType } from '#server/messaging/media/kind.ts'
import type { KeyedHash } from '#server/platform/crypto/secrets.ts'
import { admit } from '#server/platform/http/access.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { isPublicAddress, publicLookup } from '#server/platform/outbound/address.ts'
import type { IsAllowed } from '#server/platform/outbound/allowed.ts'
import { mediaFile } from '#shared/media/api.ts'
import { upstreamErrors } from './errors.ts'
import type { UpstreamCaller } from './token.ts'

const prefix = '/api/whatsapp/upstream-files'
/** The path and query at the upstream, then the organization and the seal, which we appended. */
const form = /^\/api\/whatsapp\/upstream-files(\/[^#]*?)[?&]org=([\w-]+)&seal=([\w-]+)$/
const maxAddressChars = 2_000
/** Headers of the upstream that a file keeps. The others are ours. */
const passedHeaders = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified']
const passedStatuses = [200, 206, 304, 416]

interface FilesParts {
  readonly upstreamUrl: string
  readonly hashes: { readonly hash: KeyedHash }
}

/** Undefined: it is wrongly encoded. */
const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Compares in constant time, so that no seal can be found character by character. */
const isSame = (given: string | undefined, expected: string): boolean => {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const sealOf = (hash: KeyedHash, orgId: string, address: string) => hash(`upstream file\n${orgId}\n${address}`)

/**
 * The address here of a file of the upstream. It is sealed, so that a member reaches only files that an answer named.
 * Undefined: the file is not on the upstream's host, or its path is wrongly encoded, which no route of ours matches.
 */
export const createFileAddresses =
  ({ upstreamUrl, hashes }: FilesParts) =>
  (orgId: string, url: string): string | undefined => {
    const base = `${upstreamUrl}/`
    if (url.length > maxAddressChars || !URL.canParse(url, base)) return undefined
    const { origin, pathname, search } = new URL(url, base)
    if (origin !== new URL(base).origin || decoded(pathname) === undefined) return undefined
    const address = pathname + search
    const more = `${search ? '&' : '?'}org=${orgId}&seal=${sealOf(hashes.hash, orgId, address)}`
    return prefix + address + more
  }

interface ProxiedResponse {
  readonly stream: NodeJS.ReadableStream
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | undefined>>
}

interface RouteParts extends FilesParts {
  readonly isAllowed: IsAllowed
  tokenOf(caller: UpstreamCaller): Promise<string>
}

/** Streams files of the upstream to members. Nothing of the browser's goes along but a byte range and an etag. */
export function mountUpstreamFiles(
  app: FastifyInstance,
  { upstreamUrl, hashes, isAllowed, tokenOf }: RouteParts,
): void {
  const tokens = new WeakMap<object, string>()
  const admits = (ip: string) => isPublicAddress(ip) || isAllowed(ip)

  /** Checks the seal and the member's rights, and keeps a token for the request. @throws NOT_FOUND or a refusal of access */
  const authorizeRead = async (request: FastifyRequest): Promise<void> => {
    const [, address = '', orgId = '', seal] = form.exec(request.url) ?? []
    const isSealed = isSame(seal, sealOf(hashes.hash, orgId, address))
    const caller = (await admit(mediaFile, request.caller, orgId || undefined)) as OrgCaller
    if (!address || caller.orgId !== orgId || !isSealed) throw appErrors.NOT_FOUND()
    tokens.set(request.raw, await tokenOf({ ...caller, request: { id: request.id } }))
  }

  app.register(httpProxy, {
    upstream: new URL(upstreamUrl).origin,
    prefix,
    rewritePrefix: '',
    httpMethods: ['GET'],
    proxyPayloads: false,
    undici: {
      connections: 32,
      connect: { lookup: publicLookup(undefined, admits), timeout: 10_000 },
      headersTimeout: 10_000,
      bodyTimeout: 30_000,
    } as never,
    preHandler: ((request: FastifyRequest, _reply: unknown, done: (error?: Error) => void) => {
      authorizeRead(request).then(() => done(), done)
    }) as never,
    replyOptions: {
      queryString: (_search, url) => (form.exec(url)?.[1] ?? '').split('?')[1] ?? '',
      rewriteRequestHeaders: (request, headers) => ({
        authorization: `Bearer ${tokens.get(request.raw)}`,
        accept: '*/*',
        'accept-encoding': 'identity',
        ...(headers.range ? { range: headers.range } : {}),
        ...(headers['if-none-match'] ? { 'if-none-match': headers['if-none-match'] } : {}),
      }),
      rewriteHeaders: (headers, request) => {
        const type = servedType(
          String(headers['content-type'] ?? ''),
          String(headers['content-type'] ?? '').split(';')[0],
        )
        const name = decoded(/([^/?]*)(?:\?|$)/.exec(request?.url ?? '')?.[1] ?? '') || null
        return {
          ...Object.fromEntries(
            passedHeaders.flatMap(one => (headers[one] === undefined ? [] : [[one, headers[one]]])),
          ),
          'content-type': type,
          'content-disposition': dispositionOf({ id: 'file', mime: type, name }),
          'content-security-policy': filePolicy,
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, max-age=300',
        }
      },
      onResponse: (_request, reply, response) => {
        const { stream, statusCode, headers } = response as unknown as ProxiedResponse
        // We asked for none: what is compressed anyway would be saved as it came.
        const isPlain = ['identity', undefined].includes(headers['content-encoding'])
        if (passedStatuses.includes(statusCode) && isPlain) return void reply.send(stream)
        ;(stream as unknown as { destroy(): void }).destroy()
        reply.headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
        for (const name of ['content-length', 'etag', 'last-modified', 'content-disposition']) reply.removeHeader(name)
        return void reply.send(statusCode === 404 ? appErrors.NOT_FOUND() : upstreamErrors.UNREACHABLE())
      },
      onError: (reply, { error }) => void reply.send(upstreamErrors.UNREACHABLE({ cause: error })),
    },
  })
}
