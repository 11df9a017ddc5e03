/** Reads what another program says, which may be of any type. */
export type JsonObject = Readonly<Record<string, unknown>>

const textMaxChars = 256 * 1024
/** Twice what Chatwoot says at once. */
const rowsAtMost = 2_000

export const jsonObjectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

/** Undefined: it is no list, or one of more rows than Chatwoot says. */
export const readObjects = (value: unknown): JsonObject[] | undefined =>
  Array.isArray(value) && value.length <= rowsAtMost ? value.map(jsonObjectOf) : undefined

export const readText = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, textMaxChars)
    : null

/** The id of a row. Some proxies and forks write numbers as texts. */
export const idOf = (value: unknown): number | undefined => {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : undefined
}

/** The years that a database writes with four digits, since 1970. */
const latestMs = Date.UTC(9999, 11, 31)

/** A time in seconds, or as ISO 8601. Undefined: it is none, or none of a message. */
export const readSourceTime = (value: unknown): number | undefined => {
  const seconds = idOf(value)
  const ms = seconds !== undefined ? seconds * 1_000 : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return ms >= 0 && ms <= latestMs ? ms : undefined
}
