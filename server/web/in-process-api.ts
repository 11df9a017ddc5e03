import type { ApiClient } from '#client/app/calls/api.ts'
import { ApiError } from '#client/app/calls/api-error.ts'
import type { PrintAnswer } from '#client/app/rendering/query-stream.ts'
import { scriptSafe } from '#client/app/rendering/script-safe.ts'
import { admit, type Caller, narrowCaller } from '#server/platform/http/access.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { type AnyService, factsKey, isSameForSeveral } from '#server/platform/http/http.ts'
import type { LargeAnswers } from '#server/platform/http/large-answers.ts'
import { type Print, printerOf } from '#server/platform/http/printing.ts'
import { refusalIn, retryAfterOf, toWireError } from '#server/platform/http/refusals.ts'
import { type EndpointReader, endpointReader } from '#server/platform/http/validate.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Translate } from '#server/platform/text/i18n.ts'
import type { AsOf, Memo } from '#server/platform/work/memo.ts'
import { type ApiServices, api } from '#shared/api.ts'
import type { EndpointMap, EndpointShape } from '#shared/kernel/contract.ts'

export type Services = { readonly [R in keyof ApiServices]: AnyService }
/** The calls of each service; `shared/api.ts`, unless a feature answers some of them instead. */
type Contracts = Readonly<Record<string, EndpointMap>>

/** The caller, and the language of error texts. */
interface Asking {
  readonly caller: Caller
  readonly requestId: string
  readonly translate: Translate
  readonly log: Log
  /** A cached answer must not be older than this. */
  readonly asOf?: AsOf
}

export interface InProcessApi {
  /**
   * The API of one page view: validates input, checks access, calls the service. Answers and refusals are as over HTTP:
   * what the reply schema does not have reaches no page, and refusals are `ApiError`.
   */
  open(asking: Asking): (org?: string) => ApiClient
  /** An answer as JSON by its reply schema; fields that the schema does not have are left out. */
  readonly print: PrintAnswer
}

interface Prepared {
  readonly endpoint: EndpointShape
  readonly reader: EndpointReader
  readonly print: Print
  readonly run: AnyService[string]
}

/** A refusal keeps everything it has over HTTP. Any other error is logged in full and answered with one sentence. */
const apiErrorOf = (error: unknown, name: string, { translate, requestId, log }: Asking): ApiError => {
  const refusal = refusalIn(error) ?? appErrors.INTERNAL()
  if (refusal !== error && refusal.status >= 500)
    log.error({ err: error, endpoint: name, reqId: requestId }, 'a page could not get its data')
  const { statusCode: status, ...wire } = toWireError(refusal, requestId, translate)
  return new ApiError({ ...wire, status, retryAfterSeconds: retryAfterOf(refusal) })
}

/** Bytes that an object takes in memory for each character of its JSON, roughly. */
const bytesPerCharacter = 4

/**
 * Builds the in-process twin of the HTTP API. An answer is printed once, for the page to render and to carry for the
 * browser. With a memo, one that is the same for several callers is read and printed once between two commits.
 */
export function createInProcessApi(
  services: Services,
  memo?: Memo,
  contracts: Contracts = api,
  largeAnswers?: LargeAnswers,
): InProcessApi {
  /** JSON of answers; the entry goes with the answer. */
  const printed = new WeakMap<object, string>()
  const prepared = new Map<string, Prepared>()
  for (const [service, endpoints] of Object.entries(contracts))
    for (const [name, endpoint] of Object.entries(endpoints as Record<string, EndpointShape>)) {
      const run = services[service as keyof Services]?.[name]
      if (!run) throw new Error(`The service of "${service}" has no "${name}"`)
      const print = printerOf(endpoint.reply)
      prepared.set(`${service}.${name}`, {
        endpoint,
        run,
        reader: endpointReader(endpoint),
        print: answer => scriptSafe(print(answer)),
      })
    }

  const call = async (
    name: string,
    { endpoint, reader, print, run }: Prepared,
    asking: Asking,
    org: string | undefined,
    input: { query?: object },
  ) => {
    try {
      const actor = await admit(endpoint, asking.caller, org)
      const caller = narrowCaller(endpoint, actor, { id: asking.requestId })
      const work = async () => (await run(caller, reader.read(input))) as object
      const isShared = memo !== undefined && isSameForSeveral(endpoint, input.query ?? {})
      const about = { caller: actor as OrgCaller, service: name.split('.')[0] as string, isShared }
      const answer = () => (endpoint.large && largeAnswers ? largeAnswers.make(about, work) : work())
      const make = async () => {
        const json = print(await answer())
        const made = JSON.parse(json) as object
        printed.set(made, json)
        return { made, length: json.length * bytesPerCharacter }
      }
      if (!isShared) return (await make()).made
      const key = `page\n${name}\n${factsKey(caller)}\n${JSON.stringify(input)}`
      return (await memo.recall(key, make, asking.asOf)).made
    } catch (error) {
      throw apiErrorOf(error, name, asking)
    }
  }

  // Features are looked up when they are used: building those of all services for each page view would cost more than using three.
  const bind = (asking: Asking, org: string | undefined): ApiClient =>
    new Proxy({} as ApiClient, {
      get: (_target, service) =>
        new Proxy(
          {},
          {
            get: (_service, endpoint) => {
              const name = `${String(service)}.${String(endpoint)}`
              const found = prepared.get(name)
              return found && ((input: { query?: object } = {}) => call(name, found, asking, org, input))
            },
          },
        ),
    })

  return {
    open: asking => org => bind(asking, org),
    print: (key, answer) => {
      const found = prepared.get(String(key[1]))
      if (!found) return undefined
      const print = (one: unknown) => printed.get(one as object) ?? found.print(one)
      if (key.at(-1) !== 'pages') return print(answer)
      const { pages, pageParams } = answer as { pages: unknown[]; pageParams: unknown[] }
      return `{"pages":[${pages.map(print).join(',')}],"pageParams":${scriptSafe(JSON.stringify(pageParams))}}`
    },
  }
}
