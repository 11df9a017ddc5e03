import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { CallOrigin } from '#server/platform/http/http.ts'
import type { Backend } from '#server/wiring.ts'

type Input = Readonly<Partial<Record<'params' | 'query' | 'body', object>>>
type Call = (caller: OrgCaller, input: Input) => Promise<unknown>
type Services = Readonly<Record<string, Readonly<Record<string, Call>>>>

/** The story's people have neither address nor browser. */
const origin: CallOrigin = { address: '', device: undefined }

/** A backend whose calls are recorded in the audit log. Routes do this too, but the story calls services directly. */
export function withAudit(backend: Backend): Backend {
  const recorded =
    (name: string, run: Call): Call =>
    (caller, input) =>
      backend.audit.aroundCall(
        { name, caller, origin, given: { ...input.query, ...input.body, ...input.params } },
        async () => run(caller, input),
      )
  const services = Object.entries(backend.services as unknown as Services).map(([feature, calls]) => [
    feature,
    Object.fromEntries(Object.entries(calls).map(([name, run]) => [name, recorded(`${feature}.${name}`, run)])),
  ])
  return { ...backend, services: Object.fromEntries(services) as Backend['services'] }
}
