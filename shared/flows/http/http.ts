import type { HttpCall } from '../nodes/http-fields.ts'
import type { NodeText } from '../nodes/kind.ts'
import {
  type BuiltInValues,
  type FlowVariables,
  partsOf,
  variableMaxChars,
  variablesIn,
  variableValue,
} from '../variables.ts'
import { readPath, valueAt } from './json-path.ts'

/** A secret is inserted when the call is made, and stored nowhere else: `{{secret.NAME}}`. */
const secretPrefix = 'secret.'
const secretOf = (name: string): string | undefined =>
  name.startsWith(secretPrefix) ? name.slice(secretPrefix.length) : undefined
/** The reference to a secret in texts. */
export const secretReference = (name: string): string => `${secretPrefix}${name}`
export const isSecretReference = (name: string): boolean => secretOf(name) !== undefined

/** A text with references to secrets not yet replaced. */
type CallText = readonly (string | { readonly secret: string })[]

/** A call with the variables' values of when the step was reached; stored until it is made. */
export interface PreparedCall {
  readonly method: HttpCall['method']
  readonly url: CallText
  readonly headers: readonly { readonly name: string; readonly value: CallText }[]
  readonly body: CallText | null
  readonly bodyKind: HttpCall['send']
  readonly timeoutMs: number
  /** Repeating the call is harmless. */
  readonly isSafe: boolean
  /** The call has an idempotency key by which the service recognizes a repetition. */
  readonly isKeyed: boolean
}

/** Why a call failed. */
export type CallFailure =
  | 'callAddress'
  | 'callTooLarge'
  | 'callSecret'
  | 'callTimedOut'
  | 'callNoAnswer'
  | 'callUnconfirmed'
export type CallResult = {
  /** The time from the first attempt to the end of the last. */
  readonly ms: number
  readonly tries: number
} & (
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | { readonly kind: 'failed'; readonly why: CallFailure }
)
/** The stored facts about a call. */
export interface CallFacts {
  readonly status: number | null
  readonly ms: number
  readonly tries: number
}

const bodyMaxChars = 100_000

const encodings = {
  url: (text: string) => encodeURIComponent(text.toWellFormed()),
  // A header is a line of ASCII characters.
  header: (text: string) => text.toWellFormed().replace(/[^\x20-\x7e]+/g, encodeURIComponent),
  json: (text: string) => JSON.stringify(text.toWellFormed()).slice(1, -1),
} as const
type Encoding = keyof typeof encodings

/** The encoding of values in each part of a call. */
const bodyEncoding = (kind: HttpCall['send']): Encoding => (kind === 'form' ? 'url' : 'json')

/** Extracts the path of an address. */
const pathOf = (address: string): string => /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(address)?.[1] ?? ''
const isDots = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment)

/** The address with every variable replaced by a letter. */
const outlineOf = (url: string): string =>
  partsOf(url.trim())
    .map(part => (typeof part === 'string' ? part : 'x'))
    .join('')

/** The host that a step calls; undefined if it is invalid or contains a variable. */
export const hostOf = (url: string): string | undefined => {
  const [first] = partsOf(url.trim())
  if (typeof first !== 'string' || !/^https?:\/\/[^/?#]+[/?#]/.test(`${first}${first === url.trim() ? '/' : ''}`))
    return undefined
  const outline = outlineOf(url)
  return URL.canParse(outline) ? new URL(outline).hostname : undefined
}

/** True if a secret is in the path, which proxies and servers log. */
export const hasSecretInPath = (url: string): boolean =>
  variablesIn(url.split('?')[0] ?? '').some(name => isSecretReference(name))

/** The texts of a call. They may refer to secrets. */
export const callTexts = ({ url, headers, send, body, form }: HttpCall): NodeText[] => [
  { field: 'url', text: url },
  ...headers.map(({ value }, i) => ({ field: `headers.${i}`, text: value })),
  ...(send === 'json' ? [{ field: 'body', text: body }] : []),
  ...(send === 'form' ? form.map(({ value }, i) => ({ field: `form.${i}`, text: value })) : []),
]
const namesIn = (call: HttpCall): string[] => callTexts(call).flatMap(({ text }) => variablesIn(text))

export const secretsInCall = (call: HttpCall): string[] => [
  ...new Set(namesIn(call).flatMap(name => secretOf(name) ?? [])),
]
/** The flow's own variables that a call uses. */
export const variablesInCall = (call: HttpCall): string[] => [
  ...new Set(namesIn(call).flatMap(name => (name.startsWith('flujo.') ? [name.slice('flujo.'.length)] : []))),
]

/** The call with current values filled in; a string: the reason why it cannot be made. */
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
  // A customer's text must not change the path's directory.
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

/** The secrets that a call needs. */
export const namedIn = ({ url, headers, body }: PreparedCall): string[] => [
  ...new Set(
    [url, ...headers.map(({ value }) => value), body ?? []]
      .flat()
      .flatMap(part => (typeof part === 'string' ? [] : [part.secret])),
  ),
]

/** The final request with secrets, only for the network. `key`: the idempotency key. */
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

/** Removes secrets that a response repeats. */
export const withoutSecrets = (text: string, secrets: Iterable<string>): string => {
  let plain = text
  for (const secret of secrets)
    for (const spelt of new Set([secret, ...Object.values(encodings).map(encode => encode(secret))]))
      plain = plain.replaceAll(spelt, '•••')
  return plain
}

/** The response defined by the author for simulations. */
export const mockedResult = ({ mock }: HttpCall): CallResult => ({
  kind: 'answered',
  status: mock.status,
  text: mock.body,
  ms: 0,
  tries: 1,
})

interface ReadCall {
  readonly output: string
  readonly why: 'callAnswered' | 'callRefused' | 'callRejected' | 'callNotJson' | CallFailure
  readonly values: FlowVariables
  readonly facts: CallFacts
}

/** The effect of a call's result on its step: the output and the variables. */
export function readCall(node: HttpCall, result: CallResult): ReadCall {
  const { ms, tries } = result
  const facts = (status: number | null): CallFacts => ({ status, ms, tries })
  if (result.kind === 'failed') return { output: 'error', why: result.why, values: {}, facts: facts(null) }
  const { status, text } = result
  const isOk = status >= 200 && status < 300
  const isRefused = status >= 400 && status < 500
  const failed = (why: 'callRefused' | 'callRejected' | 'callNotJson', output = 'error'): ReadCall => ({
    output,
    why,
    values: {},
    facts: facts(status),
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
    // A plain text is the answer as a whole.
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
