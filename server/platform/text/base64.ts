const urlSigns = ['-', '_']

/**
 * The bytes of a text in base64, padded or not; undefined: it is empty, cut off or has anything else in it. Node passes
 * over what does not belong, so that less comes out than so many digits stand for: that costs a text of megabytes no
 * pattern, which would hold the loop and may run out of stack.
 */
export function bytesOfBase64(text: string): Buffer | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  if (!digits || digits % 4 === 1 || urlSigns.some(sign => text.includes(sign))) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === Math.floor((digits * 3) / 4) ? bytes : undefined
}
