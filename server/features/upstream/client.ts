import type { AppError } from '#server/platform/http/errors.ts'
import type { Log } from '#server/platform/log/log.ts'
import { traceHeaders } from '#server/platform/log/trace.ts'
import { faultsIn, hasNeverLeft } from '#server/platform/outbound/faults.ts'
import {
  type Outbound,
  type OutboundAnswer,
  type OutboundCall,
  OutboundFailure,
  OutboundForm,
} from '#server/platform/outbound/outbound.ts'
import type { FileStorage } from '#server/platform/storage/storage.ts'
import { type Clock, isoNow, monotonicMs } from '#server/platform/time/clock.ts'
import { createConcurrencyByKey } from '#server/platform/work/concurrency-by-key.ts'
import type { EndpointShape, ReceivedFile } from '#shared/kernel/contract.ts'
import type { UpstreamFailure } from '#shared/upstream/api.ts'
import { answerCheck } from './answers.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import { capabilitiesCall, createCapabilities } from './capabilities.ts'
import { refusedBy, upstreamErrors } from './errors.ts'
import { type CallFigures, createFigures } from './figures.ts'
import { callUrl, formBody, type Input, messageIn, retryAfterIn } from './requests.ts'
import { foreignIn, type ShapeContext } from './shapes.ts'
import type { UpstreamCaller } from './token.ts'

const readDeadlineMs = 3_000
const writeDeadlineMs = 15_000
/** A file of a hundred megabytes takes longer than any other write. */
const uploadDeadlineMs = 120_000
/** Calls of one organization at a time. */
const ofOrg = { atOnce: 16, maxWaiting: 64 }
/** The largest answer: five thousand conversations to choose from have about one megabyte. */
const maxAnswerBytes = 4 * 2 ** 20

/** A call that the upstream answers. */
export interface AskedCall {
  /** Service and name, such as `templates.list`. */
  readonly name: string
  readonly endpoint: EndpointShape
  /** Fills in what the contract has beyond what an upstream has to answer. */
  complete(answer: unknown, context: ShapeContext): unknown
}

interface ClientParts {
  readonly upstreamUrl: string
  readonly outbound: Outbound
  readonly clock: Clock
  readonly log: Log
  readonly media: Pick<FileStorage, 'withBlob'>
  tokenOf(caller: UpstreamCaller): Promise<string>
  fileAddress(orgId: string, url: string): string | undefined
}

/** Thrown when an answer does not fit its contract. */
class Misfit extends Error {
  override readonly name = 'Misfit'
  readonly field: string
  constructor(field: string) {
    super(`the answer does not fit: ${field}`)
    this.field = field
  }
}

const checks = new WeakMap<object, ReturnType<typeof answerCheck>>()
const checkOf = ({ reply }: EndpointShape) => {
  const known = checks.get(reply)
  if (known) return known
  const made = answerCheck(reply)
  checks.set(reply, made)
  return made
}

/** @throws Misfit */
const jsonIn = ({ status, headers, body }: OutboundAnswer): unknown => {
  if (status === 204 || !body.length) return {}
  if (!/\bjson\b/i.test(headers.get('content-type') ?? '')) throw new Misfit('content-type')
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new Misfit('JSON')
  }
}

const isWorthRetrying = (answer: OutboundAnswer): boolean => [502, 503, 504].includes(answer.status)

/** A list cannot be missing, so 404 says that there is no such call. */
const isNotServed = ({ endpoint: { method, params } }: AskedCall, status: number): boolean =>
  status === 405 || status === 501 || (status === 404 && method === 'GET' && !params)

const notServed = ({ endpoint: { method, path } }: AskedCall): AppError =>
  upstreamErrors.NOT_OFFERED({ params: { call: `${method} ${path}` } })

/** Asks the upstream: with a token, a deadline, a bounded number at a time, and one more try of a read. */
export function createUpstreamClient(parts: ClientParts) {
  const { upstreamUrl, outbound, clock, log } = parts
  const breaker: Breaker = createBreaker(clock)
  const figures = createFigures()
  const pool = createConcurrencyByKey(ofOrg)

  const fail = (call: AskedCall, caller: UpstreamCaller, reason: UpstreamFailure, detail: string): void => {
    const key = `${caller.orgId} ${call.name}`
    breaker.failed(key)
    figures.failed(key, { at: isoNow(clock), reason, detail })
    log.warn(
      { upstream: call.name, reason, detail, orgId: caller.orgId, reqId: caller.request?.id },
      'the upstream did not answer a call as it should',
    )
  }

  /** The error of an answer with 400 or more, or a redirect. */
  const refusalOf = (call: AskedCall, caller: UpstreamCaller, answer: OutboundAnswer): AppError => {
    const { status, headers, body } = answer
    const retryAfterSeconds = retryAfterIn(headers, clock.now())
    const message = messageIn(body)
    if (status === 401) {
      fail(call, caller, 'token', '401')
      return upstreamErrors.TOKEN_REFUSED()
    }
    if (status >= 500 && status !== 501) fail(call, caller, 'error', String(status))
    if (isNotServed(call, status)) return notServed(call)
    if (status === 403) return upstreamErrors.FORBIDDEN({ params: { message: message ?? call.endpoint.access } })
    if (status === 503) return upstreamErrors.UNREACHABLE(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
    return refusedBy(status, message, retryAfterSeconds)
  }

  const misfit = (call: AskedCall, caller: UpstreamCaller, field: string): AppError => {
    fail(call, caller, 'misfit', field)
    return upstreamErrors.MISFIT({ params: { path: call.endpoint.path, field } })
  }

  const request = async (
    call: AskedCall,
    caller: UpstreamCaller,
    input: Input,
    payload: OutboundForm | string | undefined,
  ) => {
    const { method } = call.endpoint
    const isRead = method === 'GET'
    const deadlineMs = isRead ? readDeadlineMs : payload instanceof OutboundForm ? uploadDeadlineMs : writeDeadlineMs
    const { idempotencyKey, id } = caller.request ?? {}
    const until = monotonicMs() + deadlineMs
    const address = callUrl(upstreamUrl, call.endpoint, input)
    const key = idempotencyKey ?? (input.body?.clientKey as string | undefined)
    const headers = {
      accept: 'application/json',
      'accept-language': caller.language,
      authorization: `Bearer ${await parts.tokenOf(caller)}`,
      ...(typeof payload === 'string' ? { 'content-type': 'application/json' } : {}),
      ...traceHeaders(),
      ...(id === undefined ? {} : { 'x-request-id': id }),
      ...(isRead || key === undefined ? {} : { 'idempotency-key': key }),
    }
    const remainingMs = () => Math.round(until - monotonicMs())
    const once = () => {
      const sent: OutboundCall = { method, headers, timeoutMs: Math.max(1, remainingMs()), maxBytes: maxAnswerBytes }
      return outbound.call(address, payload === undefined ? sent : { ...sent, body: payload })
    }
    if (!isRead) return once()
    try {
      const answer = await once()
      return isWorthRetrying(answer) && !answer.headers.has('retry-after') ? await once() : answer
    } catch (error) {
      // After a timeout no time is left for a second try.
      if (error instanceof OutboundFailure && error.reason === 'network' && remainingMs() > 0) return once()
      throw error
    }
  }

  const unreachable = (call: AskedCall, caller: UpstreamCaller, error: OutboundFailure) => {
    if (error.reason === 'tooLarge') return misfit(call, caller, 'size')
    fail(call, caller, error.reason === 'timeout' ? 'timeout' : 'unreachable', error.reason)
    const facts = { retryAfterSeconds: 5, cause: error }
    // Nobody knows whether a write took place that left and got no answer.
    return call.endpoint.method === 'GET' || faultsIn(error).some(hasNeverLeft)
      ? upstreamErrors.UNREACHABLE(facts)
      : upstreamErrors.UNREACHABLE({ ...facts, textCode: 'UPSTREAM_UNCERTAIN' })
  }

  const exchange = async (
    call: AskedCall,
    caller: UpstreamCaller,
    input: Input,
    payload: OutboundForm | string | undefined,
  ) => {
    const began = monotonicMs()
    let answer: OutboundAnswer
    try {
      answer = await request(call, caller, input, payload)
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error
      throw unreachable(call, caller, error)
    }
    if (answer.status >= 300 && answer.status < 400) throw misfit(call, caller, 'location')
    if (answer.status >= 400) throw refusalOf(call, caller, answer)
    try {
      const value = jsonIn(answer)
      const foreign = foreignIn(value, caller.orgId)
      if (foreign) throw new Misfit(foreign)
      const complete = call.complete(value, {
        orgId: caller.orgId,
        fileAddress: url => parts.fileAddress(caller.orgId, url),
        now: isoNow(clock),
      })
      const fault = checkOf(call.endpoint)(complete)
      if (fault) throw new Misfit(fault.field)
      breaker.succeeded(`${caller.orgId} ${call.name}`)
      figures.answered(`${caller.orgId} ${call.name}`, monotonicMs() - began)
      return complete
    } catch (error) {
      if (error instanceof Misfit) throw misfit(call, caller, error.field)
      throw error
    }
  }

  const capabilities = createCapabilities(clock, async caller => {
    const answer = await request(capabilitiesCall, caller, {}, undefined)
    return answer.status === 200 ? jsonIn(answer) : undefined
  })

  return {
    /**
     * The answer, checked by the contract.
     * @throws UPSTREAM_…
     */
    async ask(call: AskedCall, caller: UpstreamCaller, input: Input & { file?: ReceivedFile }): Promise<unknown> {
      const { file, body } = input
      if (!capabilities.has(caller, call.endpoint)) throw notServed(call)
      const work = async () => {
        // After the wait for a place: others may have found out meanwhile.
        const retryAfterSeconds = breaker.waitSeconds(`${caller.orgId} ${call.name}`)
        if (retryAfterSeconds) throw upstreamErrors.RESTING({ retryAfterSeconds })
        if (!file) return exchange(call, caller, input, body === undefined ? undefined : JSON.stringify(body))
        return parts.media.withBlob(file.path, blob =>
          exchange(
            call,
            caller,
            input,
            formBody({ ...body, mime_type: file.mime, size: file.size }, { blob, name: file.name }),
          ),
        )
      }
      const answer = await pool.run(caller.orgId, work)
      if (answer === 'full') throw upstreamErrors.BUSY({ retryAfterSeconds: 1 })
      if (answer === 'missing') throw new Error('the file of a call is gone')
      return answer
    },
    /** The outcomes of this call for an organization. Undefined: it was not asked. */
    figuresOf(orgId: string, { name }: AskedCall): (CallFigures & { resting: boolean }) | undefined {
      const key = `${orgId} ${name}`
      const found = figures.of(key)
      return found && { ...found, resting: breaker.isResting(key) }
    },
  }
}

export type UpstreamClient = ReturnType<typeof createUpstreamClient>
