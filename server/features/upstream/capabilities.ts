import { Type } from 'typebox'
import type { Clock } from '#server/platform/time/clock.ts'
import { type EndpointShape, endpoint } from '#shared/kernel/contract.ts'
import { answerCheck } from './answers.ts'
import type { UpstreamCaller } from './token.ts'

/** An answer is used this long before it is asked for again. */
const keptMs = 10 * 60_000
/** The same time if there was no useful answer. */
const retryMs = 60_000
/** Organizations whose answer is kept. */
const maxOrgs = 10_000

const Capabilities = Type.Object({ calls: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1_000 }) })
const check = answerCheck(Capabilities)

/**
 * The optional call with which an upstream lists the calls that it serves. Without it, all are assumed to be served.
 */
export const capabilitiesCall = {
  name: 'upstream.capabilities',
  endpoint: endpoint({
    method: 'GET',
    path: '/capabilities',
    access: 'member',
    reply: Capabilities,
    summary: 'The calls that the product API serves.',
  }) as EndpointShape,
  complete: (answer: unknown) => answer,
}

/** `GET /whatsapp/chats/{phone}` and `GET /whatsapp/chats/:phone` are one call. */
const keyOf = (call: string) => call.trim().replace(/:\w+|\{\w+\}/g, '*')

/** @param ask the answer as it came; undefined: there was none */
export function createCapabilities(clock: Clock, ask: (caller: UpstreamCaller) => Promise<unknown>) {
  const known = new Map<string, { until: number; calls: ReadonlySet<string> | undefined }>()

  const refresh = async (caller: UpstreamCaller): Promise<void> => {
    const before = known.get(caller.orgId)?.calls
    const keep = (ms: number, calls: ReadonlySet<string> | undefined) => {
      known.delete(caller.orgId)
      known.set(caller.orgId, { until: clock.now().getTime() + ms, calls })
      if (known.size > maxOrgs) known.delete(known.keys().next().value as string)
    }
    // Nobody else asks meanwhile.
    keep(retryMs, before)
    const answer = await ask(caller).catch(() => undefined)
    if (answer !== undefined && !check(answer)) keep(keptMs, new Set((answer as { calls: string[] }).calls.map(keyOf)))
  }

  return {
    /** A call counts as served until the upstream has told which calls it serves. */
    has(caller: UpstreamCaller, { method, path }: Pick<EndpointShape, 'method' | 'path'>): boolean {
      const found = known.get(caller.orgId)
      if (!found || found.until <= clock.now().getTime()) void refresh(caller)
      return found?.calls?.has(keyOf(`${method} ${path}`)) ?? true
    },
  }
}
