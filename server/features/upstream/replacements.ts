import { hasConnectedNumber } from '#server/identity/numbers/outside-number.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Replacement, Services } from '#server/platform/wiring/feature.ts'
import { type ApiServices, api } from '#shared/api.ts'
import type { EndpointShape } from '#shared/kernel/contract.ts'
import { contractOf, numberCall, passedCalls, refusedCalls } from './calls.ts'
import type { UpstreamClient } from './client.ts'
import { upstreamErrors } from './errors.ts'
import type { UpstreamInbox } from './inbox.ts'
import { createLastNumbers } from './last-numbers.ts'
import { orOwn } from './outcomes.ts'
import type { UpstreamCaller } from './token.ts'

interface Parts {
  readonly databases: Databases
  readonly client: UpstreamClient
  readonly inbox: UpstreamInbox
  readonly own: Services
}

/** Pages show no number, and offer to connect none. */
const unknownNumber = numberCall.complete({ phone: '' }, { orgId: '', fileAddress: () => undefined, now: '' })

const declared = Object.entries(api).flatMap(([service, calls]) =>
  Object.entries(calls as Readonly<Record<string, EndpointShape>>).map(([name, endpoint]) => ({
    service: service as keyof ApiServices,
    name,
    endpoint,
  })),
)

/** Calls about one chat, by its number: they need its row here. */
const ofChat = /^\/whatsapp\/(?:conversations|chats)\/:phone(?:\/|$)/

/**
 * Every call that an upstream changes: passed on, put together, refused, or ours about a chat that it has. Organizations
 * with a connected number of their own keep their own database.
 */
export function createReplacements({ databases, client, inbox: whole, own }: Parts): Replacement[] {
  const { setContentPermission, ensure, refresh: _, ...inbox } = whole
  const replaced = new Map<string, Replacement>()
  const ownCallOf = (service: keyof ApiServices, name: string) =>
    (own[service] as Readonly<Record<string, Replacement['run']>>)[name] as Replacement['run']
  const add = (service: keyof ApiServices, name: string, endpoint: EndpointShape, run: Replacement['run']) =>
    replaced.set(`${service}.${name}`, {
      service,
      name,
      endpoint: contractOf(endpoint),
      run: async (caller: UpstreamCaller, input: unknown) =>
        (await hasConnectedNumber(databases.read, caller.orgId))
          ? ownCallOf(service, name)(caller, input)
          : run(caller, input),
    })

  for (const call of passedCalls)
    add(call.service, call.call, call.endpoint, (caller, input) => client.ask(call, caller, input))
  const numbers = createLastNumbers()
  add('numbers', 'getWaba', api.numbers.getWaba, (caller: UpstreamCaller, input) =>
    numbers.orLast(
      caller.orgId,
      () => orOwn(client.ask(numberCall, caller, input), () => unknownNumber) as Promise<object>,
    ),
  )
  for (const call of refusedCalls)
    add(call.service, call.call, call.endpoint, () => {
      throw upstreamErrors.NOT_OFFERED({ params: { call: `${call.endpoint.method} ${call.endpoint.path}` } })
    })
  const inboxEndpoints = api.inbox as Readonly<Record<string, EndpointShape>>
  for (const [name, run] of Object.entries(inbox))
    add('inbox', name, inboxEndpoints[name] as EndpointShape, run as Replacement['run'])
  add('visibility', 'setContentPermission', api.visibility.setContentPermission, setContentPermission)

  for (const { service, name, endpoint } of declared) {
    if (replaced.has(`${service}.${name}`) || !ofChat.test(endpoint.path)) continue
    const ownCall = ownCallOf(service, name)
    add(service, name, endpoint, async (caller: UpstreamCaller, input: { params: { phone: string } }) => {
      await ensure(caller, input.params.phone)
      return ownCall(caller, input)
    })
  }
  return [...replaced.values()]
}
