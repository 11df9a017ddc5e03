/** Files of templates that are stored here: their handles and addresses. */

const prefix = 'media:'
const folder = '/api/whatsapp/template/media/'

/** Pattern of a handle, for use in other patterns. */
export const fileHandlePattern = `${prefix}[A-Za-z0-9_-]{1,64}`
const wholeHandle = new RegExp(`^${fileHandlePattern}$`)

export const handleOf = (id: string): string => prefix + id
/** The file of a handle. Undefined: Meta's own handle, or an address. */
export const fileIdOf = (handle: string): string | undefined =>
  handle.startsWith(prefix) ? handle.slice(prefix.length) : undefined
/** True if the whole value is the handle of a stored file. */
export const isFileHandle = (value: string): boolean => wholeHandle.test(value)

/** The address for members. */
export const fileAddressOf = (id: string): string => folder + id
export const isFileAddress = (url: string): boolean => url.startsWith(folder)
