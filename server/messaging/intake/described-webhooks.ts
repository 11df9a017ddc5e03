import type { CallList, DescribedCall } from '#server/platform/http/described-calls.ts'

const text = { type: 'string' }
const id = { type: 'object', properties: { connectionId: text }, required: ['connectionId'] }
const challenge = {
  type: 'object',
  properties: { 'hub.mode': { const: 'subscribe' }, 'hub.verify_token': text, 'hub.challenge': text },
  required: ['hub.mode', 'hub.verify_token', 'hub.challenge'],
}
const common = { service: 'webhooks' } as const

const callsOf = (name: string, where: string, url: string, params?: unknown): DescribedCall[] => {
  const missing = params ? [] : [404]
  return [
    {
      ...common,
      name: `verify${name}`,
      method: 'GET',
      url,
      params,
      summary: `Meta's handshake for ${where}: answers the challenge.`,
      access: 'verifyToken',
      query: challenge,
      reply: text,
      replyType: 'text/plain',
      refuses: [403, 500, ...missing],
    },
    {
      ...common,
      name: `receive${name}`,
      method: 'POST',
      url,
      params,
      summary: `Receives Meta's webhooks for ${where}. 200: stored on disk, whatever it contains. 503: Meta should send it again later.`,
      access: 'signature',
      body: { type: 'object', description: "Meta's notification; the signature covers its bytes." },
      reply: { type: 'string', const: 'ok' },
      replyType: 'text/plain',
      refuses: [401, 413, 500, 503, ...missing],
    },
  ]
}

/** The webhooks on the API page. `shared`: the installation has an app of its own. */
export const describeWebhookCalls = (shared: boolean): CallList => ({
  calls: [
    ...callsOf('Connection', 'one connection', '/webhooks/whatsapp/:connectionId', id),
    ...(shared ? callsOf('Shared', "the installation's own app", '/webhooks/whatsapp') : []),
  ],
})
