import { pino } from 'pino'
import { inboxCalls, numberCall, passedCalls } from '#server/features/upstream/calls.ts'
import type { AskedCall } from '#server/features/upstream/client.ts'
import { connectUpstream } from '#server/features/upstream/connection.ts'
import { findStream, type StoredStream } from '#server/features/upstream/events/stream-store.ts'
import { listKeys } from '#server/features/upstream/key-store.ts'
import type { UpstreamCaller } from '#server/features/upstream/token.ts'
import type { Config } from '#server/platform/config/config.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createKeyedHash, createVault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { openFolders } from '#server/platform/storage/open.ts'
import { type Clock, monotonicMs } from '#server/platform/time/clock.ts'
import type { ConversationPage } from '#shared/inbox/conversations.ts'
import { type Finding, ill, messageOf, type Verdict, well } from './finding.ts'

const readOn = 'see server/docs/product-api.md'
/** Tokens live a minute, and most libraries tolerate no difference. */
const maxClockDifferenceMs = 30_000

/** An owner, as whom the calls are made. Undefined: there is no organization yet that the product API answers for. */
const anOwner = (databases: Databases) =>
  databases.read
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['member.userId', 'organization.id', 'organization.slug'])
    .where('member.role', '=', 'owner')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('wa_connection')
            .select('id')
            .whereRef('wa_connection.org_id', '=', 'organization.id')
            .where('disconnected_at', 'is', null),
        ),
      ),
    )
    .orderBy('organization.createdAt')
    .limit(1)
    .executeTakeFirst()

/** Such as "self-signed certificate": what is around it says only that there was no answer. */
const deepest = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? deepest(error.cause) : messageOf(error)

const said = (error: unknown): string => {
  if (!(error instanceof AppError)) return messageOf(error)
  const { code, params } = error
  if (code === 'UPSTREAM_MISFIT') return `the answer does not fit: ${params.field}`
  if (code === 'UPSTREAM_TOKEN_REFUSED') return 'the token is not accepted'
  if (code === 'UPSTREAM_UNREACHABLE') return `no answer: ${deepest(error.cause)}`
  return `${code} ${params.status ?? ''} ${params.message ?? ''}`.trim()
}

const fixOf = (error: unknown, { publicUrl }: Config): string =>
  error instanceof AppError && error.code === 'UPSTREAM_TOKEN_REFUSED'
    ? `the backend must reach ${publicUrl}/.well-known/jwks.json and accept iss "${publicUrl}"`
    : readOn

/** The state of the stream, as the running server stored it. */
const streamVerdict = (stream: StoredStream | undefined): Verdict => {
  if (!stream) return ill('the events were not read yet', 'npm start, and run npm run doctor again')
  const { state, changedAt, detail, refused, refusedField } = stream
  const skipped = refused ? `; ${refused} events did not fit and were skipped, the last one by ${refusedField}` : ''
  if (state === 'absent') return well(`not served (${detail}): pages show news when they are loaded again`)
  return state === 'open' && !refused
    ? well(`open since ${changedAt}`)
    : ill(`${state} since ${changedAt}${detail ? `: ${detail}` : ''}${skipped}`, readOn)
}

/** Asks the product API each reading call once, as the owner of the oldest organization. */
export async function* examineUpstream(
  config: Config,
  databases: Databases,
  clock: Clock,
  secrets: readonly string[],
): AsyncGenerator<Finding> {
  const { upstreamUrl } = config
  if (upstreamUrl === undefined) return
  const name = 'Product API'
  const owner = await anOwner(databases)
  const [secret, ...previous] = secrets
  if (!owner || !secret || !(await listKeys(databases.read)).length) {
    yield { name, ...ill('it was not asked anything yet', 'npm start, open the inbox, and run npm run doctor again') }
    return
  }
  const { client, outbound, events } = connectUpstream(upstreamUrl, {
    config,
    databases,
    clock,
    ids: newId,
    log: pino({ level: 'silent' }),
    vault: createVault(secret, previous),
    hashes: { hash: createKeyedHash(secret) },
    storages: openFolders(config),
  })
  const { userId, id: orgId, slug } = owner
  const caller = { kind: 'person', userId, orgId, orgSlug: slug, role: 'owner', language: 'es' } as UpstreamCaller

  const examineClocks = async (): Promise<Verdict> => {
    const { headers } = await outbound.call(upstreamUrl, { timeoutMs: 3_000, maxBytes: 0 })
    const differenceMs = Date.parse(headers.get('date') ?? '') - clock.now().getTime()
    return Math.abs(differenceMs) > maxClockDifferenceMs
      ? ill(`its clock differs by ${Math.round(differenceMs / 1000)} seconds`, 'set both clocks by NTP')
      : well(upstreamUrl)
  }
  yield { name, ...(await examineClocks().catch(error => ill(`${upstreamUrl}: ${deepest(error)}`, readOn))) }

  const examineCall = async (call: AskedCall, params: Record<string, string>): Promise<[Finding, unknown]> => {
    const label = `  GET ${call.endpoint.path}`
    const began = monotonicMs()
    try {
      const answer = await client.ask(call, caller, { params })
      return [{ name: label, ...well(`${Math.round(monotonicMs() - began)} ms`) }, answer]
    } catch (error) {
      if (error instanceof AppError && error.code === 'UPSTREAM_NOT_OFFERED')
        return [{ name: label, ...well('not served') }, undefined]
      return [{ name: label, ...ill(said(error), fixOf(error, config)) }, undefined]
    }
  }
  const reads = passedCalls.filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.params)
  for (const call of [numberCall, ...reads, inboxCalls.allConversations]) yield (await examineCall(call, {}))[0]
  if (config.upstreamSecret === undefined)
    yield { name: '  GET /sse', ...streamVerdict(await findStream(databases.read, events.address)) }
  const [list, page] = await examineCall(inboxCalls.conversations, {})
  yield list
  const phone = (page as ConversationPage | undefined)?.items[0]?.phone
  if (phone === undefined) return
  for (const call of [inboxCalls.chatName, inboxCalls.messages]) yield (await examineCall(call, { phone }))[0]
}
