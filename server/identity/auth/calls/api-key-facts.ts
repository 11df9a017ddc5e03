import type { AllowedPath } from './allowed-routes.ts'
import { arraySchema, type CallFact, object, text, textOrNull } from './call-fact.ts'
import { CreateApiKey, DeleteApiKey } from './schemas.ts'

const ApiKeyReply = object({
  id: text,
  name: text,
  start: text,
  createdAt: text,
  lastRequest: textOrNull,
  expiresAt: textOrNull,
  scopes: { type: ['array', 'null'], items: text },
  networks: { type: ['array', 'null'], items: text },
  createdBy: textOrNull,
  state: { enum: ['active', 'expired', 'orphaned'] },
})
/** An organization's API keys. */
export const apiKeyFacts = {
  '/api-key/list': {
    access: 'integration:manage',
    summary: "The organization's API keys, newest first and masked.",
    query: { type: 'object', properties: { organizationId: text } },
    reply: object({
      apiKeys: arraySchema(ApiKeyReply),
      total: { type: 'integer' },
      address: { ...text, description: 'From which the caller asks.' },
    }),
  },
  '/api-key/create': {
    access: 'integration:manage',
    summary: 'Creates an API key of the organization; only this answer shows the key.',
    body: CreateApiKey,
    refuses: [409],
  },
  '/api-key/delete': {
    access: 'integration:manage',
    summary: 'Deletes an API key, which stops working at once.',
    body: DeleteApiKey,
    reply: object({ success: { type: 'boolean' } }),
  },
  '/api-key/delete-all-expired-api-keys': {
    access: 'integration:manage',
    summary: "Deletes the organization's API keys that have expired.",
    body: { type: 'object', properties: { organizationId: { type: 'string' } } },
    reply: object({ success: { type: 'boolean' }, error: { type: 'null' }, deleted: { type: 'integer' } }),
  },
} satisfies Partial<Record<AllowedPath, CallFact>>
