/** A picture that browsers show, recognized by its bytes; its name and type are ignored. */
export interface Picture {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly extension: 'png' | 'jpg' | 'webp'
  readonly width: number
  readonly height: number
}

const startsWith = (bytes: Buffer, at: number, text: string) => bytes.toString('latin1', at, at + text.length) === text

/** @see PNG (W3C) §5.2 and §11.2.1: the signature, then IHDR with two 32-bit sides. */
const png = (bytes: Buffer): Picture | undefined => {
  if (bytes.length < 33 || !startsWith(bytes, 0, '\x89PNG\r\n\x1a\n') || !startsWith(bytes, 12, 'IHDR'))
    return undefined
  return { type: 'image/png', extension: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** @see ITU-T T.81 §B.2: segments up to the frame header (SOF), which holds the sides. */
const jpeg = (bytes: Buffer): Picture | undefined => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] as number
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame)
      return {
        type: 'image/jpeg',
        extension: 'jpg',
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
      }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

const readUInt24 = (bytes: Buffer, at: number) => bytes.readUIntLE(at, 3)

/** @see RFC 9649 §2.5 to §2.7: lossy (VP8), lossless (VP8L) and extended (VP8X). */
const webp = (bytes: Buffer): Picture | undefined => {
  if (bytes.length < 30 || !startsWith(bytes, 0, 'RIFF') || !startsWith(bytes, 8, 'WEBP')) return undefined
  const of = (width: number, height: number): Picture => ({ type: 'image/webp', extension: 'webp', width, height })
  if (startsWith(bytes, 12, 'VP8X')) return of(readUInt24(bytes, 24) + 1, readUInt24(bytes, 27) + 1)
  if (startsWith(bytes, 12, 'VP8L')) {
    const bits = bytes.readUInt32LE(21)
    return bytes[20] === 0x2f ? of((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1) : undefined
  }
  if (startsWith(bytes, 12, 'VP8 ') && bytes.readUIntBE(23, 3) === 0x9d012a)
    return of(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
  return undefined
}

/** Undefined: not a PNG, JPEG or WebP, or without dimensions. */
export const pictureOf = (bytes: Buffer): Picture | undefined => {
  const found = png(bytes) ?? jpeg(bytes) ?? webp(bytes)
  return found && found.width > 0 && found.height > 0 ? found : undefined
}
