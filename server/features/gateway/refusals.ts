import type { AppError } from '#server/platform/http/errors.ts'
import { refusalIn, retryAfterOf, type Say, toWireError } from '#server/platform/http/refusals.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import { metaCodes } from '#server/whatsapp/serving/codes.ts'
import { badToken, codeError, GraphError, noToken, paramError } from '#server/whatsapp/serving/graph-error.ts'

/** Meta's codes for refusals of the product. */
const codes: Readonly<Record<string, number>> = {
  APP_FORBIDDEN: metaCodes.notPermitted,
  APP_PEOPLE_ONLY: metaCodes.notPermitted,
  APP_KEY_ELSEWHERE: metaCodes.notPermitted,
  APP_UNAVAILABLE: metaCodes.serviceDown,
  INBOX_WINDOW_CLOSED: metaCodes.windowClosed,
  INBOX_NOT_CONNECTED: metaCodes.numberNotRegistered,
  INBOX_CHAT_NOT_FOUND: metaCodes.accessDenied,
  INBOX_MESSAGE_NOT_FOUND: metaCodes.invalidValue,
  INBOX_REACTION_IMPOSSIBLE: metaCodes.invalidValue,
  TEMPLATES_NOT_CONNECTED: metaCodes.numberNotRegistered,
  TEMPLATES_NOT_FOUND: metaCodes.templateMissing,
  TEMPLATES_NOT_APPROVED: metaCodes.templateMissing,
  TEMPLATES_PAUSED: metaCodes.templatePaused,
  TEMPLATES_DISABLED: metaCodes.templateDisabled,
  MEDIA_NO_ROOM: metaCodes.mediaNotUploaded,
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
  if (!fault) return metaCodes.invalidValue
  return valueCounts.has(fault.code) ? metaCodes.parameterCount : metaCodes.parameterFormat
}

const ofApp = (error: AppError, say: Say): GraphError => {
  if (error.code === 'APP_KEY_INVALID') return badToken()
  if (error.code === 'APP_SIGN_IN_REQUIRED') return noToken()
  const { message, details } = toWireError(error, '', say)
  if (error.code === 'APP_TOO_MANY_REQUESTS')
    return new GraphError({ ...codeError(metaCodes.accountRateLimit, message).facts, status: error.status })
  const code = codes[error.code]
  // The window has Meta's own words, which programs may look for.
  if (code === metaCodes.windowClosed) return codeError(code)
  if (code !== undefined) return codeError(code, message)
  if (error instanceof InvalidInput)
    return codeError(
      codeOfFaults(error),
      (details ?? []).map(one => `${fieldName(one.field)}: ${one.message}`).join(' '),
    )
  if (error.status >= 500) return codeError(metaCodes.unknownError)
  return new GraphError({ ...paramError('Invalid parameter', message).facts, status: error.status })
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
    : codeError(metaCodes.serviceDown)

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
