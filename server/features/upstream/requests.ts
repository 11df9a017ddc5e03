import { OutboundForm } from '#server/platform/outbound/outbound.ts'
import type { EndpointShape } from '#shared/kernel/contract.ts'

export interface Input {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>>
}

const searchOf = (query: Readonly<Record<string, unknown>>): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, String(one))
  const text = search.toString()
  return text && `?${text}`
}

/** The address of a call at the upstream. Parameters cannot leave their segment. */
export const callUrl = (
  base: string,
  { path }: Pick<EndpointShape, 'path'>,
  { params = {}, query = {} }: Input,
): string => {
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => {
    const value = params[name] ?? ''
    // `encodeURIComponent` keeps dots, and `..` would be a step up.
    return /^\.+$/.test(value) ? value.replaceAll('.', '%2E') : encodeURIComponent(value)
  })
  return `${base}${filled}${searchOf(query)}`
}

/** A body with its file as a form. The blob is read from disk while it is sent. */
export const formBody = (
  body: Readonly<Record<string, unknown>>,
  file: { blob: Blob; name: string | null },
): OutboundForm => {
  const form = new OutboundForm()
  for (const [name, value] of Object.entries(body))
    if (value !== undefined && value !== null)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  form.append('file', file.blob, file.name ?? 'file')
  return form
}

/** Seconds of a `retry-after` header, by count or by date; undefined: none, or none that makes sense. */
export const retryAfterIn = (headers: Headers, now: Date): number | undefined => {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000
  return seconds >= 0 && seconds <= 86_400 ? Math.ceil(seconds) : undefined
}

const maxMessageChars = 300

/** The message of an error, in the shapes that backends use; undefined: there is none. */
export const messageIn = (body: Buffer): string | undefined => {
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch {
    return undefined
  }
  const { message, error } = (value ?? {}) as { message?: unknown; error?: unknown }
  const said = [message, error, (error as { message?: unknown } | undefined)?.message].find(
    one => typeof one === 'string',
  )
  const text = (said as string | undefined)?.replace(/\p{Cc}+/gu, ' ').trim()
  return text ? text.toWellFormed().slice(0, maxMessageChars).toWellFormed() : undefined
}
