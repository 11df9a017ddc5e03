import type { AppError } from '#server/platform/http/errors.ts'
import { refusalIn, retryAfterOf, type Say, toWireError } from '#server/platform/http/refusals.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import { badToken, codeError, GraphError, noToken } from '#server/whatsapp/serving/graph-error.ts'

/** Meta's codes for refusals of the product. */
const codes: Readonly<Record<string, number>> = {
  APP_FORBIDDEN: 10,
  APP_PEOPLE_ONLY: 10,
  APP_KEY_ELSEWHERE: 10,
  APP_UNAVAILABLE: 2,
  INBOX_WINDOW_CLOSED: 131047,
  INBOX_NOT_CONNECTED: 133010,
  INBOX_CHAT_NOT_FOUND: 131005,
  INBOX_MESSAGE_NOT_FOUND: 131009,
  INBOX_REACTION_IMPOSSIBLE: 131009,
  TEMPLATES_NOT_CONNECTED: 133010,
  TEMPLATES_NOT_FOUND: 132001,
  TEMPLATES_NOT_APPROVED: 132001,
  TEMPLATES_PAUSED: 132015,
  TEMPLATES_DISABLED: 132016,
  MEDIA_NO_ROOM: 131053,
}

/** The product's names of fields, as the program wrote them. */
const fieldNames: readonly (readonly [RegExp, string])[] = [
  [/^body\.numberTel$/, 'to'],
  [/^body\.replyToMessageId$/, "context['message_id']"],
  [/^body\.(bodyExample)/, 'body'],
  [/^body\.(headerExample|image|location)/, 'header'],
  [/^body\.buttonExample/, 'button'],
  [/^body\.cardExample/, 'carousel'],
  [/^body\./, ''],
]
const fieldName = (field: string): string => {
  const [pattern, name] = fieldNames.find(([one]) => one.test(field)) ?? [/^/, '']
  return field.replace(pattern, name)
}

const valueCounts: ReadonlySet<string> = new Set(['maxItems', 'valueRequired', 'fileRequired'])
const isOfTemplate = ({ field }: { field: string }) =>
  /^body\.(?:bodyExample|headerExample|image|buttonExample|cardExample|offerEndsAt|template)/.test(field)

const codeOfFaults = ({ faults }: InvalidInput): number => {
  const fault = faults.find(isOfTemplate)
  if (!fault) return 131009
  return valueCounts.has(fault.code) ? 132000 : 132012
}

const ofApp = (error: AppError, say: Say): GraphError => {
  if (error.code === 'APP_KEY_INVALID') return badToken()
  if (error.code === 'APP_SIGN_IN_REQUIRED') return noToken()
  const { message, details } = toWireError(error, '', say)
  if (error.code === 'APP_TOO_MANY_REQUESTS')
    return new GraphError({ ...codeError(80007, message).facts, status: error.status })
  const code = codes[error.code]
  // The window has Meta's own words, which programs may look for.
  if (code === 131047) return codeError(code)
  if (code !== undefined) return codeError(code, message)
  if (error instanceof InvalidInput)
    return codeError(
      codeOfFaults(error),
      (details ?? []).map(one => `${fieldName(one.field)}: ${one.message}`).join(' '),
    )
  if (error.status >= 500) return codeError(131000)
  return new GraphError({ code: 100, message: '(#100) Invalid parameter', details: message, status: error.status })
}

/** An error of Meta, as Meta returned it. */
const ofMeta = ({ code, message, detail, subcode, httpStatus, forPeople }: WhatsAppError): GraphError =>
  /^\d+$/.test(code)
    ? new GraphError({
        code: Number(code),
        message,
        ...(detail === undefined || forPeople ? {} : { details: detail }),
        ...(forPeople ? { userTitle: forPeople.title, userMessage: forPeople.message } : {}),
        ...(subcode === undefined ? {} : { subcode: Number(subcode) }),
        ...(httpStatus === undefined ? {} : { status: httpStatus }),
      })
    : codeError(2)

interface Refusal {
  readonly error: GraphError
  /** The error in the key's list of calls. Undefined: the error is Meta's. */
  readonly refusedAs: AppError | undefined
  readonly retryAfterSeconds: number | undefined
}

/** An error in Meta's words. Undefined: an unexpected failure. */
export function metaRefusalOf(error: unknown, say: Say): Refusal | undefined {
  if (error instanceof GraphError) return { error, refusedAs: undefined, retryAfterSeconds: undefined }
  if (error instanceof WhatsAppError)
    return { error: ofMeta(error), refusedAs: undefined, retryAfterSeconds: undefined }
  const refusal = refusalIn(error)
  return refusal && { error: ofApp(refusal, say), refusedAs: refusal, retryAfterSeconds: retryAfterOf(refusal) }
}
