import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'
import { templateCategories, templateQualities } from '#shared/templates/words.ts'

/** Failures without a code of Meta. */
export const namedFaults = ['500', 'html', 'reset', 'hang', 'cut', 'noStatus', 'sentThenFailed'] as const
export type NamedFault = (typeof namedFaults)[number]

const sixDigitFaults = [
  '130403',
  '130429',
  '130472',
  '130497',
  '131000',
  '131005',
  '131008',
  '131009',
  '131016',
  '131021',
  '131026',
  '131030',
  '131031',
  '131042',
  '131045',
  '131047',
  '131048',
  '131049',
  '131050',
  '131051',
  '131053',
  '131056',
  '131057',
  '133010',
]
const shortFaults = ['0', '1', '2', '4', '10', '100', '190', '200', '368', '613', '80007']

/**
 * A send to an Argentine mobile (`549` and ten digits) that ends with `suffix` fails with `code`: six-digit codes as
 * they are, shorter ones as a 9 and five digits, so that consecutive ordinary numbers are not affected. Example:
 * `5491155131026`.
 */
export const testNumberFaults: readonly { readonly suffix: string; readonly code: string }[] = [
  ...sixDigitFaults.map(code => ({ suffix: code, code })),
  ...shortFaults.map(code => ({ suffix: `9${code.padStart(5, '0')}`, code })),
  { suffix: '900500', code: '500' },
  { suffix: '900502', code: 'html' },
  { suffix: '900601', code: 'reset' },
  { suffix: '900602', code: 'hang' },
  { suffix: '900603', code: 'cut' },
  { suffix: '900604', code: 'noStatus' },
  { suffix: '900605', code: 'sentThenFailed' },
]

const CustomerNumber = Type.String({
  pattern: '^\\+?[0-9 ()-]{6,24}$',
  description: "The simulated customer's number, any spelling.",
})

/**
 * An action of a simulated customer. `type` selects the kind, the other fields are its parameters. It is sent as a
 * signed webhook in Meta's serialization to the same route as Meta's.
 */
export const SandboxInbound = Type.Object(
  {
    from: CustomerNumber,
    name: Type.Optional(Type.String({ maxLength: 120 })),
    username: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'With it the number is withheld: a business-scoped id comes instead.',
      }),
    ),
    type: Type.Optional(Type.String({ maxLength: 40, default: 'text' })),
    text: Type.Optional(Type.String({ maxLength: 4096 })),
    caption: Type.Optional(Type.String({ maxLength: 1024 })),
    filename: Type.Optional(Type.String({ maxLength: 240 })),
    mime: Type.Optional(Type.String({ maxLength: 120 })),
    dataBase64: Type.Optional(
      Type.String({
        maxLength: 900_000,
        description: 'The file itself; without it a small sample of the kind is sent.',
      }),
    ),
    voice: Type.Optional(Type.Boolean()),
    latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
    longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
    locationName: Type.Optional(Type.String({ maxLength: 200 })),
    address: Type.Optional(Type.String({ maxLength: 300 })),
    contactName: Type.Optional(Type.String({ maxLength: 200 })),
    contactPhone: Type.Optional(Type.String({ maxLength: 30 })),
    emoji: Type.Optional(Type.String({ maxLength: 32 })),
    targetWamid: Type.Optional(
      Type.String({ maxLength: 256, description: 'The message reacted to, edited or removed.' }),
    ),
    replyToWamid: Type.Optional(Type.String({ maxLength: 256 })),
    choiceId: Type.Optional(Type.String({ maxLength: 256 })),
    choiceTitle: Type.Optional(Type.String({ maxLength: 256 })),
    newNumber: Type.Optional(CustomerNumber),
    forwarded: Type.Optional(Type.Boolean()),
    adHeadline: Type.Optional(
      Type.String({ maxLength: 200, description: 'Makes it the first message from an advertisement.' }),
    ),
    raw: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Extra keys of the message as Meta would send them.' }),
    ),
    at: Type.Optional(Timestamp),
    repeat: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, description: 'Deliver the same webhook this many times.' }),
    ),
  },
  { additionalProperties: false },
)
export type SandboxInbound = Static<typeof SandboxInbound>

/** An action of Meta's agent in a chat. */
export const SandboxAgent = Type.Object(
  {
    from: CustomerNumber,
    action: Type.Enum(['hold', 'answer', 'handOver', 'leave'], {
      description:
        '`hold`: it has the chat from now on · `answer`: it writes there · `handOver`: it gives the chat to the team · `leave`: it goes without a word.',
    }),
    text: Type.Optional(
      Type.String({ maxLength: 2000, description: 'What it writes; of `handOver`, what it says of the chat.' }),
    ),
  },
  { additionalProperties: false },
)
export type SandboxAgent = Static<typeof SandboxAgent>

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
    autoRead: Type.Boolean({ description: 'Customers open the chat by themselves.' }),
    skipDelivered: Type.Boolean({ description: 'The chat is open: read comes without delivered.' }),
    duplicate: Type.Boolean({ description: 'Every status comes twice.' }),
    reorder: Type.Boolean({ description: 'Delivered overtakes sent.' }),
    batch: Type.Boolean({ description: 'Statuses that are due together share one webhook.' }),
    statusDelayMs: Type.Integer({
      minimum: 0,
      maximum: 60_000,
      description: 'Until sent; the other statuses take 2 and 6 times as long.',
    }),
    webhookVersion: Type.String(),
    reengagement: Type.Enum(['async', 'sync']),
    throughputLimit: Type.Boolean({ description: 'More than 80 messages a second are refused with 130429.' }),
    pairLimit: Type.Boolean({ description: 'One message in 6 s to the same customer, 45 at once, else 131056.' }),
    messagingLimit: Type.Enum(messagingTiers, {
      description: 'People a day to whom it writes first; a template to one more fails with 131048.',
    }),
    allowListMode: Type.Boolean({
      description: "As Meta's test numbers: Argentine mobiles only in the spelling without the 9, else 131030.",
    }),
    quality: Type.Enum(qualityRatings),
    nameStatus: Type.Enum(nameStatuses),
    registered: Type.Boolean({ description: 'Off: the number is shown as not registered.' }),
    tokenDays: Type.Integer({
      minimum: 0,
      maximum: longestTokenDays,
      description: 'So many days the token is still good for, whenever asked; 0: for ever.',
    }),
    paymentFails: Type.Boolean({ description: "The account's payment is refused." }),
    accountUpdates: Type.Boolean({ description: 'The app hears of changes of the account.' }),
    agentFields: Type.Boolean({ description: "The app hears of chats that Meta's own agent has." }),
  }),
  armed: Type.Array(
    Type.Object({ code: Type.String(), mode: Type.Enum(['sync', 'async']), remaining: Type.Integer() }),
  ),
})
export type SandboxState = Static<typeof SandboxState>

/** A simulated customer with a phone. */
export const SandboxCustomer = Type.Object({
  waId: Type.String(),
  displayPhone: Type.String({ description: 'International format; empty when it cannot be parsed.' }),
  bsuid: Type.String(),
  name: Type.String(),
  username: Nullable(Type.String()),
  online: Type.Boolean(),
  blocked: Type.Boolean({ description: 'The customer blocked the number.' }),
  blockedByUs: Type.Boolean(),
  reads: Type.Boolean(),
  typingShown: Type.Boolean(),
  withAgent: Type.Boolean({ description: "Meta's own agent has the chat." }),
  windowClosesAt: Nullable(Timestamp),
  /** The last message on this phone. */
  last: Nullable(Type.Object({ text: Type.String(), type: Type.String(), mine: Type.Boolean(), at: Timestamp })),
})
export type SandboxCustomer = Static<typeof SandboxCustomer>

/** A button or row in a message of the business. `link` and `other` send no answer. */
export const PhoneChoice = Type.Object({
  kind: Type.Enum(['button', 'list', 'quickReply', 'link', 'other']),
  id: Type.String(),
  title: Type.String(),
  description: Type.Optional(Type.String()),
})
export type PhoneChoice = Static<typeof PhoneChoice>

const PhoneMedia = Type.Object({
  id: Nullable(Type.String({ description: 'Null for a link, which the simulator does not fetch.' })),
  name: Nullable(Type.String()),
})

/** A message as the customer's phone shows it, with later effects. */
export const PhoneMessage = Type.Object({
  seq: Type.Integer(),
  wamid: Type.String(),
  mine: Type.Boolean({ description: 'The customer wrote it.' }),
  type: Type.String({
    description: "Meta's word; `choice` for a tap, `form` for a filled form, `voice` for a recording.",
  }),
  text: Type.String(),
  at: Timestamp,
  status: Type.String({
    description: 'Of the customer: `received`, `read`; of the business: `delivered`, `read`, `played`.',
  }),
  header: Type.Optional(Type.String()),
  footer: Type.Optional(Type.String()),
  media: Type.Optional(PhoneMedia),
  location: Type.Optional(
    Type.Object({
      latitude: Type.Number(),
      longitude: Type.Number(),
      name: Type.Optional(Type.String()),
      address: Type.Optional(Type.String()),
    }),
  ),
  contacts: Type.Optional(Type.Array(Type.Object({ name: Type.String(), phone: Type.String() }))),
  choices: Type.Optional(Type.Array(PhoneChoice)),
  cards: Type.Optional(
    Type.Array(
      Type.Object({
        text: Type.String(),
        media: Type.Optional(PhoneMedia),
        choices: Type.Array(PhoneChoice),
      }),
      { description: 'Of a carousel.' },
    ),
  ),
  /** Label of the button that opens a list. */
  listTitle: Type.Optional(Type.String()),
  replyTo: Type.Optional(
    Type.Object({ wamid: Type.String(), text: Type.String(), type: Type.String(), mine: Type.Boolean() }),
  ),
  forwarded: Type.Optional(Type.Boolean()),
  edited: Type.Optional(Type.Boolean()),
  revoked: Type.Optional(Type.Boolean()),
  reactions: Type.Optional(Type.Array(Type.Object({ emoji: Type.String(), mine: Type.Boolean() }))),
})
export type PhoneMessage = Static<typeof PhoneMessage>

export const SandboxThread = Type.Object({
  customer: SandboxCustomer,
  items: Type.Array(PhoneMessage),
  /** Cursor of the previous page; null: this is the first message. */
  before: Nullable(Type.Integer()),
})
export type SandboxThread = Static<typeof SandboxThread>

/** What the simulated Meta can decide about a template on request. */
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
      { appId: Type.String({ pattern: '^[0-9]{1,32}$', description: 'The app that asks.' }) },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      code: Type.String({ description: 'Good once, for half a minute.' }),
      phoneNumberId: Type.String(),
      wabaId: Type.String(),
    }),
    refuses: [409],
    summary:
      "Acts as a business that lets our app use its account, on the simulator's likeness of Meta's page (embedded signup).",
  }),
  getState: endpoint({
    method: 'GET',
    path: '/sandbox',
    access: 'sandbox:use',
    wholeInbox: true,
    reply: SandboxState,
    refuses: [409],
    summary: 'The simulator as it is set.',
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
      status: Type.Integer({ description: 'What the webhook answered; 0: nothing went out, or nobody answered.' }),
    }),
    summary: 'Acts as a customer.',
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
    summary: "Acts as Meta's own agent: while it has a chat, everything there comes as `standby`.",
  }),
  getToken: endpoint({
    method: 'GET',
    path: '/sandbox/token',
    access: 'connection:manage',
    reply: Type.Object({
      token: Type.String({ description: 'As bearer token.' }),
      graphUrl: Type.String({ description: 'The version goes behind it.' }),
      appId: Type.String(),
      phoneNumberId: Type.String(),
      wabaId: Type.String(),
    }),
    refuses: [409],
    summary: "The token of the simulated Cloud API, for programs that are tried with it; never a real number's.",
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
          description: 'A code of Meta, or `500`, `html`, `reset`, `hang`, `cut`, `noStatus`, `sentThenFailed`.',
        }),
        mode: Type.Optional(Type.Enum(['sync', 'async'])),
        count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1 })),
      },
      { additionalProperties: false },
    ),
    reply: SandboxState,
    refuses: [409],
    summary: 'The next sends fail with a code.',
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
              "What the address book of the business's phone calls the customer; empty takes them out of it.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Done,
    refuses: [409],
    summary:
      'A customer appears, goes off line, comes back, blocks the number, opens the chat, takes a username or is put into an address book.',
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
    summary: 'Lets time pass: everything in the simulator and its conversations becomes that much older.',
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
  /** As JSON, like the simulator's other calls. */
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
    summary: 'A file that went through the simulator.',
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
    summary: 'What the simulated WhatsApp received, newest first.',
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
    summary: 'The simulated Meta decides about a template now, and tells it by webhook.',
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/sandbox',
    access: 'sandbox:use',
    wholeInbox: true,
    reply: Done,
    refuses: [409],
    summary: 'Forgets simulated customers, faults and deliveries; conversations stay.',
  }),
} as const
