import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { randomHex } from '#server/platform/crypto/random.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { acceptRaw } from '#server/platform/http/plugins/parsers.ts'
import { verifySignature } from '#server/whatsapp/signature.ts'
import { answerHandshake } from '#server/whatsapp/webhook.ts'
import { webhookLimitBytes } from '#shared/kernel/limits.ts'
import { takeAtOnce } from './at-once.ts'
import { describeWebhookCalls } from './described-webhooks.ts'
import { intakeErrors } from './errors.ts'
import type { Journal } from './journal.ts'

/** What a webhook of one connection is checked against. */
export interface WebhookKeys {
  appSecret: string
  verifyToken: string
}

export interface IntakeRouteParts {
  journal: Journal
  /** The keys of a connection; undefined when there is none with this id. */
  keysOf(connectionId: string): Promise<WebhookKeys | undefined>
  /** The installation's shared app; without both values its address does not exist. */
  meta: { appSecret: string | undefined; verifyToken: string | undefined }
  /** Tells the deriving loop that something waits. */
  wake(): void
}

type Query = Readonly<Record<string, unknown>>

const shakeHands = (reply: FastifyReply, query: Query, verifyToken: string) => {
  const challenge = answerHandshake(query, verifyToken)
  if (challenge === undefined) throw intakeErrors.HANDSHAKE_REFUSED()
  return reply.type('text/plain; charset=utf-8').send(challenge)
}

/**
 * Meta's webhooks: verified over the raw bytes, written to the journal, answered 200; everything else is derived
 * afterwards. The hot path of the product: register it where no session hook and no request log runs.
 * @see Meta, "Webhooks › Validating payloads"
 */
export const intakeRoutes =
  (parts: IntakeRouteParts): FastifyPluginAsync =>
  async app => {
    const { journal, keysOf, meta, wake } = parts
    // An unknown connection is measured against a key nobody has: same work, same answer.
    const nobody: WebhookKeys = {
      appSecret: randomHex(32),
      verifyToken: randomHex(32),
    }
    const shared =
      meta.appSecret && meta.verifyToken ? { appSecret: meta.appSecret, verifyToken: meta.verifyToken } : undefined

    // The signature covers the bytes as sent, so no parser may touch them, whatever the content type says.
    acceptRaw(app)
    // Lines tell their request by themselves; a logger of its own for each costs more than its signature.
    const log = app.log.child({}, { level: 'warn' })
    app.setChildLoggerFactory(() => log)

    const accept = async (
      connectionId: string | null,
      keys: WebhookKeys,
      { headers }: FastifyRequest,
      body: unknown,
    ) => {
      const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      const signature = headers['x-hub-signature-256']
      const header = typeof signature === 'string' ? signature : undefined
      if (!verifySignature(raw, header, keys.appSecret)) throw intakeErrors.SIGNATURE_REFUSED()
      await journal.append({ connectionId, raw })
      wake()
      return 'ok'
    }

    const describeCalls = () => describeWebhookCalls(shared !== undefined)
    const options = { bodyLimit: webhookLimitBytes, config: { describeCalls } } as const

    app.get<{ Params: { connectionId: string }; Querystring: Query }>(
      '/webhooks/whatsapp/:connectionId',
      options,
      async (request, reply) =>
        shakeHands(reply, request.query, ((await keysOf(request.params.connectionId)) ?? nobody).verifyToken),
    )

    const takeOfConnection = async (request: FastifyRequest, body: unknown) => {
      const { connectionId } = request.params as { connectionId: string }
      return accept(connectionId, (await keysOf(connectionId)) ?? nobody, request, body)
    }
    app.post(
      '/webhooks/whatsapp/:connectionId',
      { ...options, onRequest: takeAtOnce(takeOfConnection) },
      async request => takeOfConnection(request, request.body),
    )

    app.get<{ Querystring: Query }>('/webhooks/whatsapp', options, async (request, reply) => {
      if (!shared) throw appErrors.NOT_FOUND()
      return shakeHands(reply, request.query, shared.verifyToken)
    })

    const takeOfShared = async (request: FastifyRequest, body: unknown) => {
      if (!shared) throw appErrors.NOT_FOUND()
      return accept(null, shared, request, body)
    }
    app.post('/webhooks/whatsapp', { ...options, onRequest: takeAtOnce(takeOfShared) }, async request =>
      takeOfShared(request, request.body),
    )
  }
