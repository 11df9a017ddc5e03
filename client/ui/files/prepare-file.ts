import { type FileKind, fileMaxBytes, fileMimes } from '#shared/media/sent-files.ts'

/** A file that can be sent, or the reason why it cannot. */
export type Prepared =
  | { file: File; kind: FileKind }
  | { problem: 'empty' | 'kind' | 'photo' | 'tooLarge'; limit: number }

const byExtension: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  heic: 'image/heic',
  heif: 'image/heif',
  avif: 'image/avif',
  mp4: 'video/mp4',
  '3gp': 'video/3gpp',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  amr: 'audio/amr',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
}
/** Other names that browsers use for these types. */
const otherNames: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/mp3': 'audio/mpeg',
  'image/jpg': 'image/jpeg',
}
/** The server looks into each; these are what people have, and know to be refused before it is uploaded. */
const documents =
  /^(?:application\/(?:pdf|msword|json|xml|vnd\.ms-(?:excel|powerpoint)|vnd\.openxmlformats-officedocument\.[\w.]+)|text\/(?!html).+)$/

const typeOf = (file: File): string => {
  const extension = file.name.split('.').pop()?.toLowerCase() ?? ''
  const type = (file.type.split(';')[0] ?? '').toLowerCase() || (byExtension[extension] ?? '')
  return otherNames[type] ?? type
}

const kindOf = (type: string): FileKind | undefined => {
  for (const kind of ['image', 'video', 'audio'] as const)
    if ((fileMimes[kind] as readonly string[]).includes(type)) return kind
  return type === '' || documents.test(type) ? 'document' : undefined
}

/** Long enough for a screen, and what WhatsApp itself makes of a photo. */
const longestSides = [2560, 1600, 1024]
const quality = 0.85

const drawn = async (bitmap: ImageBitmap, longest: number): Promise<Blob | null> => {
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return null
  // A picture without a ground gets a white one.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', quality))
}

/** A picture as JPEG that is small enough; undefined: this browser cannot read it. */
const asJpeg = async (file: File): Promise<File | undefined> => {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return undefined
  try {
    for (const longest of longestSides) {
      const blob = await drawn(bitmap, longest)
      if (blob && blob.size <= fileMaxBytes.image)
        return new File([blob], `${file.name.replace(/\.\w+$/, '') || 'foto'}.jpg`, { type: 'image/jpeg' })
    }
    return undefined
  } finally {
    bitmap.close()
  }
}

/** Looks at a file before it is uploaded. Pictures that WhatsApp would refuse for their format or size are encoded again. */
export async function prepareFile(file: File): Promise<Prepared> {
  const type = typeOf(file)
  if (file.size === 0) return { problem: 'empty', limit: 0 }
  const isStill = type.startsWith('image/') && type !== 'image/gif' && type !== 'image/svg+xml'
  const kind = kindOf(type)
  if (isStill && (kind !== 'image' || file.size > fileMaxBytes.image)) {
    const jpeg = await asJpeg(file)
    if (jpeg) return { file: jpeg, kind: 'image' }
  }
  if (/^image\/(?:hei[cf]|avif)/.test(type)) return { problem: 'photo', limit: 0 }
  if (!kind) return { problem: 'kind', limit: 0 }
  if (file.size > fileMaxBytes[kind]) return { problem: 'tooLarge', limit: fileMaxBytes[kind] }
  return { file: type === file.type ? file : new File([file], file.name, { type }), kind }
}
