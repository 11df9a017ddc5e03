import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that work belongs to. Other systems get it in headers, so that their logs can be matched with ours. */
interface Trace {
  readonly requestId: string
  /** The header as received. @see https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent: string | undefined
}

const traces = new AsyncLocalStorage<Trace | undefined>()

export const runWithTrace = <T>(trace: Trace | undefined, work: () => T): T => traces.run(trace, work)

/** The trace as one text, for a row of work that waits. Null: no request began it. */
export const traceText = (): string | null => {
  const trace = traces.getStore()
  return trace ? [trace.requestId, trace.traceparent ?? []].flat().join(' ') : null
}

/** Reads what `traceText` gives. */
export const traceOf = (text: string | null): Trace | undefined => {
  if (text === null) return undefined
  const [requestId = '', traceparent] = text.split(' ')
  return { requestId, traceparent }
}

/** Headers for a call to another system. */
export const traceHeaders = (): Readonly<Record<string, string>> => {
  const trace = traces.getStore()
  if (!trace) return {}
  const { requestId, traceparent } = trace
  return { 'x-request-id': requestId, ...(traceparent === undefined ? {} : { traceparent }) }
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** The id that a proxy or a program gave the request; undefined: none that can stand in a log. */
export const requestIdIn = (headers: Headers): string | undefined => {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[\w.:-]{8,64}$/.test(id) ? id : undefined
}

/** All zeros are no id of a trace or a span. */
const isTraceparent = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

export const traceparentIn = (headers: Headers): string | undefined => {
  const { traceparent } = headers
  return typeof traceparent === 'string' && isTraceparent.test(traceparent) ? traceparent : undefined
}
