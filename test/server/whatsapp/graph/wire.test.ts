import t from 'tap'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import {
  ErrorEnvelope,
  MediaInfo,
  PhoneNumberList,
  PhoneNumberNode,
  SendReply,
  SuccessReply,
} from '#server/whatsapp/graph/wire.ts'
import {
  Health,
  InboundMessage,
  MessagesValue,
  messageParts,
  StatusReport,
  WebhookContact,
  WebhookEnvelope,
  WebhookError,
} from '#test/helpers/documented-shapes.ts'
import { payload, webhookNames } from '#test/helpers/payloads.ts'

const json = (name: string) => JSON.parse(payload(name).toString())

/** Payloads that violate the schemas; the receiver must accept them. */
const broken = new Set([
  'without-field',
  'without-type',
  'without-field-status',
  'without-field-template',
  'bad-timestamps',
  'batch-with-malformed',
  'interactive-unknown',
  'order-without-price',
  'interactive-without-body',
  'system-changed-number-old',
  'status-unknown',
  'unknown-object',
  'value-errors-old',
  'unsupported-too-big',
])

type Change = { field: string; value: { messages?: { type: string }[]; statuses?: unknown[]; contacts?: unknown[] } }
const changesOf = (name: string): Change[] => json(name).entry.flatMap((entry: { changes: Change[] }) => entry.changes)

t.test('all well-formed payloads fit the envelope, and their messages the parts of their type', async t => {
  for (const name of webhookNames().filter(name => !broken.has(name))) {
    t.ok(Check(WebhookEnvelope, json(name)), name)
    for (const { field, value } of changesOf(name).filter(change => change.field === 'messages')) {
      t.ok(Check(MessagesValue, value), `${name}: ${field}`)
      for (const message of value.messages ?? []) {
        const part: TSchema | undefined = Object.hasOwn(messageParts, message.type)
          ? messageParts[message.type as keyof typeof messageParts]
          : undefined
        if (part) t.ok(Check(part, (message as Record<string, unknown>)[message.type]), `${name}: ${message.type}`)
      }
    }
  }
})

t.test('every type with a part has a payload', async t => {
  const seen = new Set(
    webhookNames().flatMap(name =>
      name === 'unknown-object'
        ? []
        : changesOf(name).flatMap(({ value }) => (value.messages ?? []).map(message => message?.type)),
    ),
  )
  for (const type of Object.keys(messageParts)) t.ok(seen.has(type), type)
})

t.test('broken payloads violate the schemas', async t => {
  t.notOk(Check(WebhookEnvelope, json('unknown-object')))
  const fits = (name: string) =>
    changesOf(name).every(
      ({ value }) =>
        Check(MessagesValue, value) &&
        (value.messages ?? []).every(message =>
          Check(
            messageParts[message.type as keyof typeof messageParts] as TSchema,
            (message as Record<string, unknown>)[message.type],
          ),
        ),
    )
  for (const name of [
    'bad-timestamps',
    'batch-with-malformed',
    'interactive-unknown',
    'interactive-without-body',
    'status-unknown',
    'unsupported-too-big',
  ])
    t.notOk(fits(name), name)
})

t.test('replies of the Graph API fit their schemas', async t => {
  const fits: [TSchema, string[]][] = [
    [SendReply, ['send', 'send-by-user-id']],
    [SuccessReply, ['success']],
    [MediaInfo, ['media', 'media-text-size']],
    [PhoneNumberNode, ['number']],
    [PhoneNumberList, ['numbers']],
    [Health, ['health']],
    [ErrorEnvelope, ['error-throughput', 'error-management', 'error-text-data', 'error-token', 'error-missing-object']],
  ]
  for (const [schema, names] of fits) for (const name of names) t.ok(Check(schema, json(`graph/${name}`)), name)
})

t.test('unknown fields are allowed; fields that we read are strict', async t => {
  t.ok(Check(SendReply, { ...json('graph/send'), new_thing: 1 }))
  for (const [schema, value] of [
    [SendReply, { messages: [] }],
    [SendReply, { messages: [{}] }],
    [SendReply, { messages: [{ id: 7 }] }],
    [SendReply, {}],
    [SuccessReply, { success: false }],
    [SuccessReply, {}],
    [MediaInfo, { id: '1' }],
    [MediaInfo, { url: '' }],
    [MediaInfo, { url: 'https://x', file_size: -1 }],
    [PhoneNumberNode, { id: '1' }],
    [PhoneNumberList, { data: [{}] }],
    [ErrorEnvelope, { error: { message: 'x' } }],
    [ErrorEnvelope, { error: 'x' }],
    [StatusReport, { id: 'w', status: 'gone', timestamp: '1795179600' }],
    [InboundMessage, { id: 'w', timestamp: 1795179600, type: 'text' }],
    [WebhookError, { title: 'x' }],
    [WebhookContact, { wa_id: 7 }],
  ] as [TSchema, unknown][])
    t.notOk(Check(schema, value), JSON.stringify(value))
})
