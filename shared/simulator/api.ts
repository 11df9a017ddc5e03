import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'
import { templateCategories, templateQualities } from '#shared/templates/words.ts'
import { CustomerNumber, SandboxAgent, SandboxInbound } from './inbound.ts'
import { SandboxCustomer, SandboxThread } from './phone.ts'

/** Armed faults per organization. */
export const maxFaultsArmed = 100

/** Meta's words for a number's quality, and for the review of its name. */
const qualityRatings = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const
const nameStatuses = ['APPROVED', 'PENDING_REVIEW', 'DECLINED'] as const
const longestTokenDays = 3650

/** Meta's tiers of the messaging limit. */
const messagingTiers = ['TIER_250', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'] as const

export const SandboxState = Type.Object({
  phone: Type.String(),
  phoneNumberId: Type.String(),
  wabaId: Type.String(),
  graphUrl: Type.String(),
  behaviour: Type.Object({
    autoRead: Type.Boolean({ description: 'Customers open the chat without an extra call.' }),
    skipDelivered: Type.Boolean({ description: 'The chat is open: the status read comes without delivered.' }),
    duplicate: Type.Boolean({ description: 'Every status webhook is sent twice.' }),
    reorder: Type.Boolean({ description: 'The status delivered arrives before sent.' }),
    batch: Type.Boolean({ description: 'Statuses due at the same time share one webhook.' }),
    statusDelayMs: Type.Integer({
      minimum: 0,
      maximum: 60_000,
      description: 'Milliseconds until sent; the other statuses take 2 and 6 times as long.',
    }),
    webhookVersion: Type.String(),
    reengagement: Type.Enum(['async', 'sync']),
    throughputLimit: Type.Boolean({ description: 'More than 80 messages a second fail with 130429.' }),
    pairLimit: Type.Boolean({
      description: 'One message per 6 s to the same customer, bursts of 45; more fail with 131056.',
    }),
    messagingLimit: Type.Enum(messagingTiers, {
      description: 'Customers it may message first per day; a template to one more fails with 131048.',
    }),
    allowListMode: Type.Boolean({
      description: "Like Meta's test numbers: Argentine mobile numbers are accepted only without the 9, else 131030.",
    }),
    quality: Type.Enum(qualityRatings),
    nameStatus: Type.Enum(nameStatuses),
    registered: Type.Boolean({ description: 'False: the number is reported as not registered.' }),
    tokenDays: Type.Integer({
      minimum: 0,
      maximum: longestTokenDays,
      description: 'Days until the token expires, counted from each query; 0: never.',
    }),
    paymentFails: Type.Boolean({ description: "The account's payments fail." }),
    accountUpdates: Type.Boolean({ description: 'The app is subscribed to account updates.' }),
    agentFields: Type.Boolean({ description: "The app is subscribed to the webhook fields of Meta's own agent." }),
  }),
  armed: Type.Array(
    Type.Object({ code: Type.String(), mode: Type.Enum(['sync', 'async']), remaining: Type.Integer() }),
  ),
})
export type SandboxState = Static<typeof SandboxState>

/** The decisions about a template that the simulated Meta can be asked for. */
export const sandboxVerdicts = ['APPROVED', 'REJECTED', 'PAUSED', 'DISABLED'] as const
/** Meta's reasons for rejecting. */
export const rejectionReasons = [
  'ABUSIVE_CONTENT',
  'INVALID_FORMAT',
  'INCORRECT_CATEGORY',
  'PROMOTIONAL',
  'SCAM',
  'TAG_CONTENT_MISMATCH',
] as const

export const sandboxApi = {
  signUp: endpoint({
    method: 'POST',
    path: '/sandbox/signup',
    access: 'connection:manage',
    body: Type.Object(
      { appId: Type.String({ pattern: '^[0-9]{1,32}$', description: 'The app that requests access.' }) },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      code: Type.String({ description: 'Valid once, within 30 seconds.' }),
      phoneNumberId: Type.String(),
      wabaId: Type.String(),
    }),
    refuses: [409],
    summary: "Acts as a business that lets our app use its account, on the simulated page of Meta's embedded signup.",
  }),
  getState: endpoint({
    method: 'GET',
    path: '/sandbox',
    access: 'sandbox:use',
    wholeInbox: true,
    reply: SandboxState,
    refuses: [409],
    summary: 'The settings of the simulator.',
  }),
  /** @see outside, "The simulator, for people and for tests" */
  inbound: endpoint({
    method: 'POST',
    path: '/sandbox/inbound',
    access: 'sandbox:use',
    wholeInbox: true,
    body: SandboxInbound,
    // A file in base64 with its other fields.
    bodyLimit: 1024 * 1024,
    idempotent: true,
    reply: Type.Object({
      wamid: Nullable(Type.String()),
      status: Type.Integer({
        description: "HTTP status of the webhook's answer; 0: nothing was sent, or there was no answer.",
      }),
    }),
    summary: 'Acts as a customer: sends a message, taps a button, and the like.',
  }),
  actAsAgent: endpoint({
    method: 'POST',
    path: '/sandbox/agent',
    access: 'sandbox:use',
    wholeInbox: true,
    body: SandboxAgent,
    idempotent: true,
    reply: Type.Object({ wamid: Nullable(Type.String()) }),
    refuses: [409],
    summary: "Acts as Meta's own agent. While it has a chat, all webhooks of the chat come as `standby`.",
  }),
  getToken: endpoint({
    method: 'GET',
    path: '/sandbox/token',
    access: 'connection:manage',
    reply: Type.Object({
      token: Type.String({ description: 'As bearer token.' }),
      graphUrl: Type.String({ description: 'The version is appended to it.' }),
      appId: Type.String(),
      phoneNumberId: Type.String(),
      wabaId: Type.String(),
    }),
    refuses: [409],
    summary: 'The token of the simulated Cloud API, for testing programs; never the token of a real number.',
  }),
  configure: endpoint({
    method: 'PATCH',
    path: '/sandbox',
    access: 'sandbox:use',
    wholeInbox: true,
    body: Type.Object(
      {
        autoRead: Type.Optional(Type.Boolean()),
        skipDelivered: Type.Optional(Type.Boolean()),
        duplicate: Type.Optional(Type.Boolean()),
        reorder: Type.Optional(Type.Boolean()),
        batch: Type.Optional(Type.Boolean()),
        statusDelayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
        webhookVersion: Type.Optional(Type.String({ pattern: '^v2[0-9]\\.0$' })),
        reengagement: Type.Optional(Type.Enum(['async', 'sync'])),
        throughputLimit: Type.Optional(Type.Boolean()),
        pairLimit: Type.Optional(Type.Boolean()),
        messagingLimit: Type.Optional(Type.Enum(messagingTiers)),
        allowListMode: Type.Optional(Type.Boolean()),
        quality: Type.Optional(Type.Enum(qualityRatings)),
        nameStatus: Type.Optional(Type.Enum(nameStatuses)),
        registered: Type.Optional(Type.Boolean()),
        tokenDays: Type.Optional(Type.Integer({ minimum: 0, maximum: longestTokenDays })),
        paymentFails: Type.Optional(Type.Boolean()),
        accountUpdates: Type.Optional(Type.Boolean()),
        agentFields: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
    reply: SandboxState,
    refuses: [409],
    summary: 'Changes how the simulator behaves.',
  }),
  arm: endpoint({
    method: 'POST',
    path: '/sandbox/fail',
    access: 'sandbox:use',
    wholeInbox: true,
    body: Type.Object(
      {
        code: Type.String({
          maxLength: 20,
          description: 'An error code of Meta, or `500`, `html`, `reset`, `hang`, `cut`, `noStatus`, `sentThenFailed`.',
        }),
        mode: Type.Optional(Type.Enum(['sync', 'async'])),
        count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1 })),
      },
      { additionalProperties: false },
    ),
    reply: SandboxState,
    refuses: [409],
    summary: 'Makes the next sends fail with the given code.',
  }),
  setPresence: endpoint({
    method: 'POST',
    path: '/sandbox/presence',
    access: 'sandbox:use',
    wholeInbox: true,
    body: Type.Object(
      {
        from: CustomerNumber,
        online: Type.Optional(Type.Boolean()),
        blocked: Type.Optional(Type.Boolean()),
        reads: Type.Optional(Type.Boolean()),
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })),
        username: Type.Optional(
          Type.String({
            maxLength: 40,
            pattern: '^@?[A-Za-z0-9._]*$',
            description: 'Hides the number from the next message on; empty shows it again.',
          }),
        ),
        addressBook: Type.Optional(
          Type.String({
            maxLength: 120,
            description:
              "The customer's name in the address book of the business's phone; empty removes the customer from it.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Done,
    refuses: [409],
    summary:
      'Changes a customer: appears, goes offline, comes back, blocks the number, opens the chat, takes a username or is added to an address book.',
  }),
  moveClock: endpoint({
    method: 'POST',
    path: '/sandbox/clock',
    access: 'sandbox:use',
    wholeInbox: true,
    body: Type.Object(
      { advanceMs: Type.Integer({ minimum: 1, maximum: 90 * 24 * 3600 * 1000 }) },
      { additionalProperties: false },
    ),
    reply: Done,
    refuses: [409],
    summary: 'Lets time pass: everything in the simulator and its conversations becomes older by the given time.',
  }),
  listCustomers: endpoint({
    method: 'GET',
    path: '/sandbox/customers',
    access: 'sandbox:use',
    wholeInbox: true,
    reply: Type.Object({ items: Type.Array(SandboxCustomer) }),
    refuses: [409],
    summary: 'The simulated customers, latest first, at most 200.',
  }),
  /** The messages on this customer's phone. */
  getThread: endpoint({
    method: 'GET',
    path: '/sandbox/customers/:phone/messages',
    access: 'sandbox:use',
    wholeInbox: true,
    params: Type.Object({ phone: CustomerNumber }, { additionalProperties: false }),
    query: Type.Object({ before: Type.Optional(Type.Integer({ minimum: 1 })) }, { additionalProperties: false }),
    reply: SandboxThread,
    refuses: [409],
    summary: "The chat as a customer's phone shows it, oldest first, at most 50 messages.",
  }),
  /** Returns the file as JSON, like the simulator's other calls. */
  getFile: endpoint({
    method: 'GET',
    path: '/sandbox/media/:id',
    access: 'sandbox:use',
    wholeInbox: true,
    params: Type.Object({ id: Type.String({ pattern: '^[0-9]{1,32}$' }) }, { additionalProperties: false }),
    reply: Type.Object({
      mime: Type.String(),
      name: Nullable(Type.String()),
      size: Type.Integer({ description: 'Bytes' }),
      dataBase64: Nullable(Type.String({ description: 'Null for a file of more than 4 MB.' })),
    }),
    refuses: [409],
    summary: 'A file sent through the simulator.',
  }),
  listOutbox: endpoint({
    method: 'GET',
    path: '/sandbox/outbox',
    access: 'sandbox:use',
    wholeInbox: true,
    query: Type.Object(
      {
        to: Type.Optional(Type.String({ maxLength: 140 })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      items: Type.Array(
        Type.Object({
          wamid: Type.String(),
          to: Type.String(),
          type: Type.String(),
          body: Type.String({ description: 'The request as JSON.' }),
          callback: Nullable(Type.String()),
          status: Type.String(),
          at: Timestamp,
        }),
      ),
      total: Type.Integer(),
    }),
    refuses: [409],
    summary: 'The messages that the simulated WhatsApp received, newest first.',
  }),
  decideTemplate: endpoint({
    method: 'POST',
    path: '/sandbox/template/:id',
    access: 'sandbox:use',
    wholeInbox: true,
    params: Type.Object({ id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) }, { additionalProperties: false }),
    body: Type.Object(
      {
        status: Type.Optional(Type.Enum(sandboxVerdicts)),
        reason: Type.Optional(Type.Enum(rejectionReasons, { description: 'With `REJECTED`.' })),
        category: Type.Optional(Type.Enum(templateCategories)),
        quality: Type.Optional(Type.Enum(templateQualities)),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    reply: Done,
    refuses: [404, 409],
    summary: 'Makes the simulated Meta decide about a template now and send the webhook.',
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/sandbox',
    access: 'sandbox:use',
    wholeInbox: true,
    reply: Done,
    refuses: [409],
    summary: 'Deletes simulated customers, faults and deliveries; conversations stay.',
  }),
} as const
