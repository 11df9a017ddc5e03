/** Other valid names of a type: audio in video containers, and older names. */
const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  'image/heic': ['image/heif'],
  'image/heif': ['image/heic'],
  'audio/ogg': ['audio/opus'],
  'audio/mpeg': ['audio/mp3', 'audio/aac'],
  'audio/mp4': ['audio/aac', 'audio/x-m4a', 'audio/m4a'],
  'video/mp4': ['audio/mp4', 'audio/aac', 'audio/x-m4a', 'audio/m4a', 'video/3gpp'],
  'video/3gpp': ['audio/3gpp', 'video/mp4'],
  'video/webm': ['audio/webm'],
}

/** Shown inline, because they contain no scripts. SVG and HTML are excluded, whatever their declared type. */
const shown = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'audio/ogg',
  'audio/opus',
  'audio/amr',
  'audio/mpeg',
  'audio/mp3',
  'audio/aac',
  'audio/mp4',
  'audio/x-m4a',
  'audio/3gpp',
  'audio/wav',
  'audio/webm',
  'video/mp4',
  'video/3gpp',
  'video/webm',
  'video/quicktime',
  'application/pdf',
])

/** Downloaded only, with the type people know. */
const kept = /^(application\/(msword|rtf|zip|json|vnd\.[\w.+-]{1,100})|text\/(plain|csv|vcard))$/

export const anyFile = 'application/octet-stream'

/**
 * The type a file is stored and served as: the declared type if the bytes agree or it is harmless, the detected type if
 * that is more precise, otherwise a neutral one. @param found detected type: @see detectType
 */
export const servedType = (declared: string, found: string | undefined): string => {
  const said = declared.split(';')[0]?.trim().toLowerCase() ?? ''
  const isMedia = found === 'application/pdf' || /^(?:image\/(?!svg)|audio\/|video\/)/.test(found ?? '')
  if (found && isMedia) return alsoCalled[found]?.includes(said) ? said : found
  return kept.test(said) ? said : anyFile
}

export const isShown = (mime: string): boolean => shown.has(mime)

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/avif': 'avif',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/amr': 'amr',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/aac': 'aac',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/wav': 'wav',
  'audio/webm': 'weba',
  'audio/3gpp': '3gp',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'text/csv': 'csv',
  'application/zip': 'zip',
}

/**
 * `content-disposition` of a file: inline only if it cannot contain scripts. The customer chose the name, so control
 * characters, paths and quotes are removed. @see RFC 6266
 */
export const dispositionOf = (facts: { id: string; mime: string; name: string | null }): string => {
  const clean = (facts.name ?? '')
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must go, with what turns a name's direction
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/["\\/:*?<>|;%]/g, '_')
    .replace(/^\.+/, '')
    .trim()
    .slice(-120)
  const name = clean || `whatsapp-${facts.id.slice(-8)}.${extensions[facts.mime] ?? 'bin'}`
  const ascii = name.normalize('NFD').replace(/[^\x20-\x7e]/g, '') || 'file'
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${isShown(facts.mime) ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** May not be framed nor lead elsewhere. */
const closed = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
/** A file opened on its own is a page of this site: nothing in it may run or load anything. */
export const filePolicy = `default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox; ${closed}`
