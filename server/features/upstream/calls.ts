import { Type } from 'typebox'
import { type ApiServices, api } from '#shared/api.ts'
import { maxConversationsAtOnce } from '#shared/inbox/conversations.ts'
import type { EndpointShape } from '#shared/kernel/contract.ts'
import type { AskedCall } from './client.ts'
import { upstreamStatuses } from './errors.ts'
import * as shapes from './shapes.ts'
import { type Complete, isObject, listShape } from './shapes.ts'

/** The contract of a call that the upstream answers. Nothing of it is cached, and it has more errors. */
export const contractOf = (endpoint: EndpointShape): EndpointShape => {
  const { sameFor: _, exceptWith: _with, refuses = [], ...rest } = endpoint
  return { ...rest, refuses: [...new Set([...refuses, ...upstreamStatuses])], withRequest: true }
}

/** Items of one page of an upstream. */
const maxPageItems = 200

const one =
  (complete: Complete): AskedCall['complete'] =>
  (answer, context) =>
    isObject(answer) ? complete(answer, context) : answer

const call = <S extends keyof ApiServices>(
  service: S,
  name: keyof ApiServices[S] & string,
  complete: AskedCall['complete'] = answer => answer,
): AskedCall & { readonly service: S; readonly call: string } => ({
  service,
  call: name,
  name: `${service}.${name}`,
  endpoint: (api[service] as Readonly<Record<string, EndpointShape>>)[name] as EndpointShape,
  complete,
})

/** The number that the sidebar shows. */
export const numberCall = call('numbers', 'getWaba', one(shapes.waba))

/** Answered by the upstream as they are. */
export const passedCalls = [
  call('numbers', 'confirmNumber', one(shapes.connection)),
  call('numbers', 'addNumber', one(shapes.addedNumber)),
  call('numbers', 'setVerifiedName', one(shapes.verifiedName)),
  call('templates', 'list', listShape(shapes.template, maxPageItems)),
  call('templates', 'get', one(shapes.templateWithLanguages)),
  call('templates', 'getByName', one(shapes.templateWithLanguages)),
  call('templates', 'create', one(shapes.template)),
  call('templates', 'update', one(shapes.template)),
  call('templates', 'remove', one(shapes.removedTemplates)),
  call('templates', 'migrate', one(shapes.migration)),
  call('bulkSends', 'sendTemplate', one(shapes.bulk)),
]

/** Calls whose upstream answer is combined with data that is stored here. */
export const inboxCalls = {
  conversations: call('inbox', 'listConversations', listShape(shapes.conversation, maxPageItems)),
  allConversations: call('inbox', 'listAllConversations', listShape(shapes.lean, maxConversationsAtOnce)),
  chatName: call('inbox', 'getChatName', one(shapes.chatName)),
  messages: call('inbox', 'listMessages', listShape(shapes.message, maxPageItems)),
  send: call('inbox', 'sendMessage', one(shapes.message)),
  // The answer is ours; an upstream may answer with anything.
  archive: { ...call('inbox', 'archiveChat'), endpoint: { ...api.inbox.archiveChat, reply: Type.Unknown() } },
  grant: {
    ...call('visibility', 'setContentPermission'),
    endpoint: { ...api.visibility.setContentPermission, reply: Type.Unknown() },
  },
} as const satisfies Record<string, AskedCall>

/**
 * Calls that change our own numbers, messages and sends. An upstream has no call for them, so they are refused instead
 * of being half done here.
 */
export const refusedCalls = [
  call('numbers', 'connect'),
  call('numbers', 'connectSandbox'),
  call('inbox', 'reactToMessage'),
  call('inbox', 'retryMessage'),
  call('inbox', 'cancelMessage'),
  call('windowTemplates', 'send'),
  call('templates', 'sync'),
  call('bulkSends', 'create'),
  call('bulkSends', 'sendTest'),
  call('flows', 'publish'),
  call('flows', 'start'),
]
