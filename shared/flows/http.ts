import { readPath, valueAt } from './json-path.ts'
import type { HttpCall } from './nodes/http-fields.ts'
import type { NodeText } from './nodes/kind.ts'
import {
  type BuiltInValues,
  type FlowVariables,
  partsOf,
  variableMaxChars,
  variablesIn,
  variableValue,
} from './variables.ts'

/** What is put into a call in the moment it is made, and written down nowhere: `{{secret.NAME}}`. */
const secretPrefix = 'secret.'
const secretOf = (name: string): string | undefined =>
  name.startsWith(secretPrefix) ? name.slice(secretPrefix.length) : undefined
/** How texts name it. */
export const secretReference = (name: string): string => `${secretPrefix}${name}`
export const isSecretReference = (name: string): boolean => secretOf(name) !== undefined

/** A text whose secrets are not in place. */
type CallText = readonly (string | { readonly secret: string })[]

/** What leaves, as variables had it when the step was reached; kept so until it has left. */
export interface PreparedCall {
  readonly method: HttpCall['method']
  readonly url: CallText
  readonly headers: readonly { readonly name: string; readonly value: CallText }[]
  readonly body: CallText | null
  readonly bodyKind: HttpCall['send']
  readonly timeoutMs: number
  /** Made twice it does what it does once. */
  readonly isSafe: boolean
  /** It carries a key by which the service knows a repetition. */
  readonly isKeyed: boolean
}

/** Why a call came to nothing. */
export type CallFailure =
  | 'callAddress'
  | 'callTooLarge'
  | 'callSecret'
  | 'callTimedOut'
  | 'callNoAnswer'
  | 'callUnconfirmed'
export type CallResult = {
  /** From the first try to the end of the last. */
  readonly ms: number
  readonly tries: number
} & (
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | { readonly kind: 'failed'; readonly why: CallFailure }
)
/** What is kept of how it went. */
export interface CallFacts {
  readonly status: number | null
  readonly ms: number
  readonly tries: number
}

const bodyMaxChars = 100_000

const encodings = {
  url: (text: string) => encodeURIComponent(text.toWellFormed()),
  // A header is a line of plain letters.
  header: (text: string) => text.toWellFormed().replace(/[^\x20-\x7e]+/g, encodeURIComponent),
  json: (text: string) => JSON.stringify(text.toWellFormed()).slice(1, -1),
} as const
type Encoding = keyof typeof encodings

/** Where each part of a call stands, and how what is put there is written. */
const bodyEncoding = (kind: HttpCall['send']): Encoding => (kind === 'form' ? 'url' : 'json')

/** Where the path of an address begins and ends. */
const pathOf = (address: string): string => /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(address)?.[1] ?? ''
const isDots = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment)

/** The address as far as it can be known before: every variable a letter. */
const outlineOf = (url: string): string =>
  partsOf(url.trim())
    .map(part => (typeof part === 'string' ? part : 'x'))
    .join('')

/** Whom a step calls; undefined: that cannot be said, or is a variable. */
export const hostOf = (url: string): string | undefined => {
  const [first] = partsOf(url.trim())
  if (typeof first !== 'string' || !/^https:\/\/[^/?#]+[/?#]/.test(`${first}${first === url.trim() ? '/' : ''}`))
    return undefined
  const outline = outlineOf(url)
  return URL.canParse(outline) ? new URL(outline).hostname : undefined
}

/** Whether a secret stands where addresses are logged on their way: before the question mark. */
export const hasSecretInPath = (url: string): boolean =>
  variablesIn(url.split('?')[0] ?? '').some(name => isSecretReference(name))

/** The texts of a call. They may name secrets. */
export const callTexts = ({ url, headers, send, body, form }: HttpCall): NodeText[] => [
  { field: 'url', text: url },
  ...headers.map(({ value }, i) => ({ field: `headers.${i}`, text: value })),
  ...(send === 'json' ? [{ field: 'body', text: body }] : []),
  ...(send === 'form' ? form.map(({ value }, i) => ({ field: `form.${i}`, text: value })) : []),
]
const namesIn = (call: HttpCall): string[] => callTexts(call).flatMap(({ text }) => variablesIn(text))

export const secretsOf = (call: HttpCall): string[] => [...new Set(namesIn(call).flatMap(name => secretOf(name) ?? []))]
/** The flow's own variables that a call is made with. */
export const variablesInCall = (call: HttpCall): string[] => [
  ...new Set(namesIn(call).flatMap(name => (name.startsWith('flujo.') ? [name.slice('flujo.'.length)] : []))),
]

/** With what is known now in place; a string: why it cannot be. */
export function prepareCall(
  node: HttpCall,
  own: FlowVariables,
  builtIn: BuiltInValues,
): PreparedCall | 'callAddress' | 'callTooLarge' {
  const fill = (text: string, encoding: Encoding): CallText =>
    partsOf(text).map(part => {
      if (typeof part === 'string') return part
      const secret = secretOf(part.name)
      if (secret !== undefined) return { secret }
      return encodings[encoding]((variableValue(part.name, own, builtIn) || part.otherwise).trim())
    })
  const { method, send, form, timeoutMs, idempotencyKey = false } = node
  const url = fill(node.url.trim(), 'url')
  const known = url.map(part => (typeof part === 'string' ? part : 'x')).join('')
  // What a customer wrote leads to no other place than the one that was drawn.
  if (pathOf(known).split('/').some(isDots)) return 'callAddress'
  const body =
    send === 'json'
      ? fill(node.body, 'json')
      : send === 'form'
        ? form.flatMap(({ name, value }, i) => [`${i ? '&' : ''}${encodings.url(name)}=`, ...fill(value, 'url')])
        : null
  const length = [url, body ?? []].flat().reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0)
  if (length > bodyMaxChars) return 'callTooLarge'
  const isKeyed = idempotencyKey && (method === 'POST' || method === 'PATCH')
  return {
    method,
    url,
    headers: node.headers.map(({ name, value }) => ({ name: name.trim(), value: fill(value, 'header') })),
    body,
    bodyKind: send,
    timeoutMs,
    isSafe: isKeyed || method === 'GET' || method === 'PUT' || method === 'DELETE',
    isKeyed,
  }
}

const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  nothing: undefined,
} as const satisfies Record<HttpCall['send'], string | undefined>

/** Secrets that a call waits for. */
export const namedIn = ({ url, headers, body }: PreparedCall): string[] => [
  ...new Set(
    [url, ...headers.map(({ value }) => value), body ?? []]
      .flat()
      .flatMap(part => (typeof part === 'string' ? [] : [part.secret])),
  ),
]

/** As it is sent: for the network alone. `key`: by which the service knows a repetition. */
export function completeCall(call: PreparedCall, secrets: ReadonlyMap<string, string>, key: string) {
  const join = (text: CallText, encoding: Encoding): string =>
    text.map(part => (typeof part === 'string' ? part : encodings[encoding](secrets.get(part.secret) ?? ''))).join('')
  const contentType = contentTypes[call.bodyKind]
  return {
    address: join(call.url, 'url'),
    headers: {
      accept: 'application/json',
      ...(contentType ? { 'content-type': contentType } : {}),
      ...Object.fromEntries(call.headers.map(({ name, value }) => [name.toLowerCase(), join(value, 'header').trim()])),
      ...(call.isKeyed ? { 'idempotency-key': key } : {}),
    },
    ...(call.body ? { body: join(call.body, bodyEncoding(call.bodyKind)) } : {}),
  }
}

/** An answer that names what it was asked with does not tell it on. */
export const withoutSecrets = (text: string, secrets: Iterable<string>): string => {
  let plain = text
  for (const secret of secrets)
    for (const spelt of new Set([secret, ...Object.values(encodings).map(encode => encode(secret))]))
      plain = plain.replaceAll(spelt, '•••')
  return plain
}

/** What the author says the service would answer. */
export const mockedResult = ({ mock }: HttpCall): CallResult => ({
  kind: 'answered',
  status: mock.status,
  text: mock.body,
  ms: 0,
  tries: 1,
})

export interface ReadCall {
  readonly output: string
  readonly why: 'callAnswered' | 'callRefused' | 'callRejected' | 'callNotJson' | CallFailure
  readonly values: FlowVariables
  readonly facts: CallFacts
}

/** What a step makes of how its call ended: where it goes on, and with which variables. */
export function readCall(node: HttpCall, result: CallResult): ReadCall {
  const { ms, tries } = result
  const facts = (status: number | null): CallFacts => ({ status, ms, tries })
  if (result.kind === 'failed') return { output: 'error', why: result.why, values: {}, facts: facts(null) }
  const { status, text } = result
  const isOk = status >= 200 && status < 300
  const isRefused = status >= 400 && status < 500
  const failed = (why: 'callRefused' | 'callRejected' | 'callNotJson', output = 'error'): ReadCall => ({
    ...{ output, why, values: {}, facts: facts(status) },
  })
  if (!isOk && isRefused) return failed('callRefused', node.refusals ? 'refused' : 'error')
  if (!isOk) return failed('callRejected')
  const wanted = node.map.flatMap(({ variable, path }) => {
    const keys = readPath(path)
    return variable && keys ? [{ variable, keys }] : []
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // A plain text is an answer as a whole.
    if (wanted.some(({ keys }) => keys.length)) return failed('callNotJson')
    json = text
  }
  return {
    output: 'next',
    why: 'callAnswered',
    values: Object.fromEntries(
      wanted.map(({ variable, keys }) => [variable, valueAt(json, keys).slice(0, variableMaxChars)]),
    ),
    facts: facts(status),
  }
}
