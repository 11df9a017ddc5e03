import type { CallList, DescribedCall } from '#server/platform/http/described-calls.ts'

const text = { type: 'string' }
const success = { type: 'object', properties: { success: { type: 'boolean' } }, required: ['success'] }
const anything = { type: 'object', additionalProperties: true }

/** Graph's error envelope. */
const refusal = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        message: text,
        type: text,
        code: { type: 'integer' },
        error_subcode: { type: 'integer' },
        error_data: { type: 'object', properties: { messaging_product: text, details: text } },
        fbtrace_id: text,
      },
      required: ['message', 'type', 'code', 'fbtrace_id'],
    },
  },
  required: ['error'],
}

interface Edge {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the version. */
  readonly path: string
  readonly summary: string
  readonly query?: unknown
  readonly body?: unknown
  readonly bodyType?: string
  readonly reply?: unknown
}

const fields = { type: 'object', properties: { fields: { ...text, description: 'Names, separated by commas.' } } }
const input = { type: 'object', properties: { input_token: text }, required: ['input_token'] }
const message = {
  type: 'object',
  properties: { messaging_product: { const: 'whatsapp' }, to: text, type: text },
  required: ['messaging_product'],
  additionalProperties: true,
}
const upload = {
  type: 'object',
  properties: { messaging_product: { const: 'whatsapp' }, type: text, file: { type: 'string', format: 'binary' } },
}

const edges: readonly Edge[] = [
  { name: 'getPhone', method: 'GET', path: ':phoneNumberId', summary: 'The number.', query: fields },
  {
    name: 'renamePhone',
    method: 'POST',
    path: ':phoneNumberId',
    summary: 'Changes the name that customers see.',
    body: { type: 'object', properties: { new_display_name: text }, required: ['new_display_name'] },
    reply: success,
  },
  {
    name: 'sendMessage',
    method: 'POST',
    path: ':phoneNumberId/messages',
    summary: 'Sends a message, or marks one as read.',
    body: message,
  },
  {
    name: 'uploadMedia',
    method: 'POST',
    path: ':phoneNumberId/media',
    summary: 'Uploads a file to send.',
    body: upload,
    bodyType: 'multipart/form-data',
    reply: { type: 'object', properties: { id: text } },
  },
  {
    name: 'openUpload',
    method: 'POST',
    path: ':appId/uploads',
    summary: 'Begins the upload of a file for the header of a template.',
    query: {
      type: 'object',
      properties: { file_name: text, file_length: { type: 'integer', minimum: 1 }, file_type: text },
      required: ['file_length', 'file_type'],
    },
    reply: {
      type: 'object',
      properties: { id: { ...text, description: 'With its signature: a path below the version.' } },
    },
  },
  {
    name: 'fillUpload',
    method: 'POST',
    path: 'upload::session',
    summary: 'Sends the bytes of an upload; answers the handle for the template.',
    body: { type: 'string', format: 'binary' },
    bodyType: 'application/octet-stream',
    reply: { type: 'object', properties: { h: text } },
  },
  {
    name: 'getUpload',
    method: 'GET',
    path: 'upload::session',
    summary: 'How many bytes of an upload have arrived.',
    reply: { type: 'object', properties: { id: text, file_offset: { type: 'integer' } } },
  },
  {
    name: 'controlThread',
    method: 'POST',
    path: ':phoneNumberId/thread_control',
    summary: "Takes a chat over from Meta's own agent, or returns it to the agent.",
    body: message,
    reply: success,
  },
  { name: 'listBlocked', method: 'GET', path: ':phoneNumberId/block_users', summary: 'The blocked customers.' },
  {
    name: 'block',
    method: 'POST',
    path: ':phoneNumberId/block_users',
    summary: 'Blocks customers.',
    body: anything,
  },
  {
    name: 'unblock',
    method: 'DELETE',
    path: ':phoneNumberId/block_users',
    summary: 'Unblocks customers.',
    body: anything,
  },
  {
    name: 'listPhones',
    method: 'GET',
    path: ':wabaId/phone_numbers',
    summary: 'The numbers of the account.',
    query: fields,
  },
  {
    name: 'listCatalogues',
    method: 'GET',
    path: ':wabaId/product_catalogs',
    summary: 'The catalogues of the account.',
  },
  {
    name: 'getSubscription',
    method: 'GET',
    path: ':wabaId/subscribed_apps',
    summary: 'The apps that receive the webhooks.',
  },
  {
    name: 'subscribe',
    method: 'POST',
    path: ':wabaId/subscribed_apps',
    summary: 'Subscribes to the webhooks of the account.',
    reply: success,
  },
  {
    name: 'unsubscribe',
    method: 'DELETE',
    path: ':wabaId/subscribed_apps',
    summary: 'Unsubscribes from the webhooks of the account.',
    reply: success,
  },
  {
    name: 'getProfile',
    method: 'GET',
    path: ':phoneNumberId/whatsapp_business_profile',
    summary: 'The business profile that customers see.',
    query: fields,
  },
  {
    name: 'changeProfile',
    method: 'POST',
    path: ':phoneNumberId/whatsapp_business_profile',
    summary: 'Changes the business profile that customers see.',
    body: message,
    reply: success,
  },
  {
    name: 'getAppSubscriptions',
    method: 'GET',
    path: ':appId/subscriptions',
    summary: 'The webhook address of an app and the fields it is subscribed to.',
  },
  {
    name: 'deleteMedia',
    method: 'DELETE',
    path: ':mediaId',
    summary: 'Deletes a file.',
    reply: success,
  },
  {
    name: 'exchangeCode',
    method: 'GET',
    path: 'oauth/access_token',
    summary:
      'Exchanges a code of embedded signup for a token of the business; authenticated by the app secret instead of a token.',
    query: {
      type: 'object',
      properties: { client_id: text, client_secret: text, code: text },
      required: ['client_id', 'client_secret', 'code'],
    },
    reply: { type: 'object', properties: { access_token: text, token_type: text } },
  },
  { name: 'debugToken', method: 'GET', path: 'debug_token', summary: 'The permissions of a token.', query: input },
  {
    name: 'download',
    method: 'GET',
    path: 'whatsapp_business/attachments',
    summary: 'The bytes of a file, at the signed address returned for its id.',
    reply: { type: 'string', format: 'binary' },
  },
]

const paramsOf = (path: string) => {
  const names = ['version', ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)]
  return { type: 'object', properties: Object.fromEntries(names.map(name => [name, text])), required: names }
}

interface DescribedAt extends Pick<DescribedCall, 'service' | 'access' | 'takesKeys'> {
  readonly mountedAt: string
  /** Names of calls that are not served there. */
  readonly without?: readonly string[]
}

/** Describes a Graph API for the API page. Paths of accounts and files have the form of a number's. */
export const describeGraphCalls = ({ mountedAt, without = [], ...at }: DescribedAt): CallList => ({
  calls: edges
    .filter(({ name }) => !without.includes(name))
    .map(
      ({ path, ...edge }): DescribedCall => ({
        ...edge,
        ...at,
        url: `${mountedAt}/:version/${path}`,
        params: paramsOf(path),
        reply: edge.reply ?? anything,
        refuses: [400, 401, 403, 404, 413, 429, 500, 503],
        refusal,
      }),
    ),
})
