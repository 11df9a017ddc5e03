import type { SampleRequest } from './samples.ts'

/** A first step, as a request that can be copied. Title and text are `docs:starts.NAME.*`. */
interface QuickStart {
  readonly name: 'send' | 'receive' | 'template' | 'bulk' | 'hook' | 'agents'
  /** Absent: the step is a command. */
  readonly request?: SampleRequest
  readonly command?: string
  readonly links: readonly { readonly href: string; readonly text: string }[]
}

const key = { name: 'x-api-key', text: '', variable: 'KEY' }
const json = { name: 'content-type', text: 'application/json' }

const post = (url: string, body: unknown, headers: SampleRequest['headers']): SampleRequest => ({
  method: 'POST',
  url,
  headers: [...headers, json],
  body: { json: body },
  answer: 'text',
})

/** `base`: the address of the product. */
export const quickStarts = (base: string): readonly QuickStart[] => [
  {
    name: 'send',
    request: post(
      `${base}/api/whatsapp/messages`,
      { type: 'text', numberTel: '5491155550100', message: 'Tu pedido está en camino' },
      [key, { name: 'idempotency-key', text: 'order-4711' }],
    ),
    links: [
      { href: '/api/docs/messages#inbox.sendMessage', text: 'POST /api/whatsapp/messages' },
      { href: '/docs/api#rules-of-every-call', text: 'docs:links.rules' },
    ],
  },
  {
    name: 'receive',
    request: post(
      `${base}/api/whatsapp/outgoing-webhooks`,
      { name: 'orders', url: 'https://shop.example/recado', events: ['message.received'] },
      [key],
    ),
    links: [
      { href: '/docs/api#receive-and-answer', text: 'docs:links.receivers' },
      { href: '/api/docs/events', text: 'docs:links.events' },
      { href: '/docs/recipes', text: 'n8n, Make, Zapier' },
    ],
  },
  {
    name: 'template',
    request: post(
      `${base}/api/whatsapp/messages`,
      {
        type: 'template',
        numberTel: '5491155550100',
        phones: ['5491155550100'],
        template: 'order_ready',
        language: 'es_AR',
        bodyExample: ['Ana'],
      },
      [key, { name: 'idempotency-key', text: 'order-4712' }],
    ),
    links: [
      { href: '/api/docs/templates#templates.list', text: 'GET /api/whatsapp/template' },
      { href: '/api/docs/messages#inbox.sendMessage', text: 'POST /api/whatsapp/messages' },
    ],
  },
  {
    name: 'bulk',
    request: post(
      `${base}/api/whatsapp/messages_template`,
      {
        phones: ['5491155550100', '5491155550101'],
        template: 'order_ready',
        language: 'es_AR',
        bodyExample: ['cliente'],
      },
      [key, { name: 'idempotency-key', text: 'news-2026-11' }],
    ),
    links: [
      { href: '/api/docs/bulkSends#bulkSends.sendTemplate', text: 'POST /api/whatsapp/messages_template' },
      { href: '/api/docs/bulkSends#bulkSends.plan', text: 'POST /api/whatsapp/bulk-sends/plan' },
    ],
  },
  {
    name: 'hook',
    request: post(
      `${base}/hooks/in/SECRET`,
      { customer: { phone: '+54 9 11 5555-0100', name: 'Ana' }, order: { id: 'A-17' } },
      [{ name: 'idempotency-key', text: 'order-17' }],
    ),
    links: [
      { href: '/docs/api#incoming-webhooks', text: 'docs:links.hooks' },
      { href: '/api/docs/incomingHooks#flowHooks.beginByHook', text: 'POST /hooks/SECRET' },
    ],
  },
  {
    name: 'agents',
    command: `claude mcp add --transport http recado ${base}/mcp --header "Authorization: Bearer $KEY"`,
    links: [{ href: '/docs/api#agents-mcp', text: 'docs:links.agents' }],
  },
]
