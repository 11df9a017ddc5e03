import { findCode, httpStatusOf } from './codes.ts'

interface GraphErrorFacts {
  message: string
  code: number
  type?: 'OAuthException' | 'GraphMethodException'
  subcode?: number
  details?: string
  status?: number
  /** Management endpoints add a text for people. */
  userTitle?: string
  userMessage?: string
}

/** An error of the Graph API; the plugin adds the trace id and sends it. */
export class GraphError extends Error {
  override readonly name = 'GraphError'
  readonly facts: GraphErrorFacts
  constructor(facts: GraphErrorFacts) {
    super(facts.message)
    this.facts = facts
  }
  get status(): number {
    return this.facts.status ?? httpStatusOf(this.facts.code)
  }
  /** The envelope; `error_data` only if there are details. */
  body(traceId: string) {
    const { message, code, type = 'OAuthException', subcode, details, userTitle, userMessage } = this.facts
    return {
      error: {
        message,
        type,
        code,
        ...(details === undefined ? {} : { error_data: { messaging_product: 'whatsapp', details } }),
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        ...(userTitle === undefined
          ? {}
          : { is_transient: false, error_user_title: userTitle, error_user_msg: userMessage }),
        fbtrace_id: traceId,
      },
    }
  }
}

/** An error from the table of codes, as `(#code) Title`, with its details or the given ones. */
export const codeError = (code: number, details?: string): GraphError => {
  const known = findCode(String(code))
  const said = details ?? known?.details
  return new GraphError({
    code,
    message: known?.message ?? `(#${code}) ${known?.title ?? 'Something went wrong'}`,
    ...(said === undefined || code === 190 ? {} : { details: said }),
    ...(known?.subcode === undefined ? {} : { subcode: known.subcode }),
  })
}

/** Code 100 with a specific text. */
export const paramError = (sentence: string, details?: string): GraphError =>
  new GraphError({ code: 100, message: `(#100) ${sentence}`, ...(details === undefined ? {} : { details }) })

/** The object does not exist, belongs to another token, or has no such edge. */
export const unknownObject = (method: string, id: string): GraphError =>
  new GraphError({
    code: 100,
    subcode: 33,
    type: 'GraphMethodException',
    message:
      `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, ` +
      'or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api',
  })

export const unknownPath = (path: string): GraphError =>
  new GraphError({ code: 2500, message: `Unknown path components: /${path}` })

/** There is no token. @see Meta, "Cloud API › Error codes" */
export const noToken = (): GraphError =>
  new GraphError({
    code: 104,
    message: '(#104) An access token is required to request this resource.',
    status: 401,
  })

export const badToken = (): GraphError =>
  new GraphError({ code: 190, message: 'Invalid OAuth access token - Cannot parse access token' })
