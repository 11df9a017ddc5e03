/** Files of templates that are kept here: how calls name them, and where members see them. */

const prefix = 'media:'
const folder = '/api/whatsapp/template/media/'

/** What a handle looks like, as part of a pattern. */
export const fileHandlePattern = `${prefix}[A-Za-z0-9_-]{1,64}`
const wholeHandle = new RegExp(`^${fileHandlePattern}$`)

export const handleOf = (id: string): string => prefix + id
/** The file a handle stands for; undefined: it is Meta's own handle, or an address. */
export const fileIdOf = (handle: string): string | undefined =>
  handle.startsWith(prefix) ? handle.slice(prefix.length) : undefined
/** Whether a value names a file that is kept here. */
export const isFileHandle = (value: string): boolean => wholeHandle.test(value)

/** Where members see it. */
export const fileAddressOf = (id: string): string => folder + id
/** Whether an address is that of a file kept here. */
export const isFileAddress = (url: string): boolean => url.startsWith(folder)
