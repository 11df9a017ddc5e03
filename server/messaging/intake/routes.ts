import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { randomHex } from '#server/platform/crypto/random.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { acceptRaw } from '#server/platform/http/plugins/parsers.ts'
import { verifySignature } from '#server/whatsapp/webhooks/signature.ts'
import { answerHandshake } from '#server/whatsapp/webhooks/webhook.ts'
import { webhookLimitBytes } from '#shared/kernel/limits.ts'
import { takeAtOnce } from './at-once.ts'
import { describeWebhookCalls } from './described-webhooks.ts'
import { intakeErrors } from './errors.ts'
import type { Journal } from './journal.ts'

/** The secrets that webhooks of a connection are checked with. */
interface WebhookKeys {
  appSecret: string
  verifyToken: string
}

interface IntakeRouteParts {
  journal: Journal
  /** Undefined: there is no connection with this id. */
  keysOf(connectionId: string): Promise<WebhookKeys | undefined>
  /** The installation's shared app. Without both values its address does not exist. */
  meta: { appSecret: string | undefined; verifyToken: string | undefined }
  /** Starts applying the journal. */
  wake(): void
}

type Query = Readonly<Record<string, unknown>>

const shakeHands = (reply: FastifyReply, query: Query, verifyToken: string) => {
  const challenge = answerHandshake(query, verifyToken)
  if (challenge === undefined) throw intakeErrors.HANDSHAKE_REFUSED()
  return reply.type('text/plain; charset=utf-8').send(challenge)
}

/**
 * Meta's webhooks: checked over the raw bytes, stored in the journal and answered 200. They are applied afterwards.
 * This is the hottest path of the product; register it without session hook and request log.
 * @see Meta, "Webhooks › Validating payloads"
 */
export const intakeRoutes =
  (parts: IntakeRouteParts): FastifyPluginAsync =>
  async app => {
    const { journal, keysOf, meta, wake } = parts
    // For an unknown connection: random secrets, so that it takes the same time and gives the same answer.
    const unknownKeys: WebhookKeys = {
      appSecret: randomHex(32),
      verifyToken: randomHex(32),
    }
    const shared =
      meta.appSecret && meta.verifyToken ? { appSecret: meta.appSecret, verifyToken: meta.verifyToken } : undefined

    // The signature covers the bytes as sent, so no parser may touch them, whatever the content type.
    acceptRaw(app)
    // A logger for each request would cost more than checking the signature.
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
        shakeHands(reply, request.query, ((await keysOf(request.params.connectionId)) ?? unknownKeys).verifyToken),
    )

    const takeOfConnection = async (request: FastifyRequest, body: unknown) => {
      const { connectionId } = request.params as { connectionId: string }
      return accept(connectionId, (await keysOf(connectionId)) ?? unknownKeys, request, body)
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
