const secretWord = /(token|secret|password|passwd|otp|authorization|cookie|api[-_]?key|signature|code_verifier)/i
const hidden = '[redacted]'

/** Matches secrets inside a text: bearer tokens, Meta's access tokens, `name=value` pairs, credentials in addresses, signed cookies. */
const redactText = (text: string): string =>
  text
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${hidden}`)
    .replace(/\bEAA[A-Za-z0-9]{8,}/g, hidden)
    .replace(/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, hidden)
    .replace(/(:\/\/[^/\s:@]*:)[^@\s/]+@/g, `$1${hidden}@`)
    .replace(
      /("?\b[\w-]*(?:token|secret|password|otp|authorization|cookie|api[-_]?key)[\w-]*"?\s*[=:]\s*)("(?:[^"\\]|\\.)*"|[^\s,;&}]+)/gi,
      (whole, name: string, value: string) => (value.startsWith(hidden) ? whole : `${name}${hidden}`),
    )

interface ErrorFacts {
  type: string
  message: string
  stack?: string
  code?: string
  facts?: Record<string, string | number | boolean>
  cause?: ErrorFacts
  errors?: ErrorFacts[]
}

const deepestCause = 5
/** Statements and payloads contain people's texts, which are not logged. */
const neverLogged = /^(sql|query|parameters|body|payload|text|data|headers|config|request|response)$/i

/** Results of this function: the log's serializer passes them a second time. */
const made = new WeakSet<object>()
const isMade = (value: unknown): value is ErrorFacts => typeof value === 'object' && value !== null && made.has(value)

/** An error for the log: complete, with its causes, without secrets and without people's texts. */
export function errorFacts(error: unknown, depth = 0): ErrorFacts {
  if (isMade(error)) return error
  const facts = readError(error, depth)
  made.add(facts)
  return facts
}

function readError(error: unknown, depth: number): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: redactText(String(error)) }
  const facts: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(error)) {
    if (name === 'code' || neverLogged.test(name)) continue
    if (secretWord.test(name)) facts[name] = hidden
    else if (typeof value === 'string') facts[name] = redactText(value)
    else if (typeof value === 'number' || typeof value === 'boolean') facts[name] = value
  }
  const { code } = error as { code?: unknown }
  const inner = error instanceof AggregateError ? error.errors : []
  return {
    type: error.name,
    message: redactText(error.message),
    ...(error.stack ? { stack: redactText(error.stack) } : {}),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(Object.keys(facts).length ? { facts } : {}),
    ...(error.cause !== undefined && depth < deepestCause ? { cause: errorFacts(error.cause, depth + 1) } : {}),
    ...(inner.length && depth < deepestCause
      ? { errors: inner.slice(0, 10).map((one: unknown) => errorFacts(one, depth + 1)) }
      : {}),
  }
}
