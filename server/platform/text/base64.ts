const urlSigns = ['-', '_']

/**
 * Decodes base64, padded or not. Undefined: it is empty, cut off or has other characters. Node skips other characters, so
 * the result is then shorter than its length promises. Comparing lengths avoids a regular expression over megabytes, which
 * would block the event loop and could run out of stack.
 */
export function bytesOfBase64(text: string): Buffer | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  if (!digits || digits % 4 === 1 || urlSigns.some(sign => text.includes(sign))) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === Math.floor((digits * 3) / 4) ? bytes : undefined
}
