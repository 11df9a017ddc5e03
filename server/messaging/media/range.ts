type Range = { start: number; end: number } | 'whole' | 'refused'

/**
 * The part of a file that a `range` header requests, both ends inclusive. Several parts, other units and invalid
 * headers get the whole file, as the RFC allows. A part beyond the end is refused. @see RFC 9110, 14.2
 */
export const readRange = (header: string | undefined, size: number): Range => {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return 'whole'
  const [, first = '', last = ''] = match
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length > 0 ? { start: size - length, end: size - 1 } : 'refused'
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size) return 'refused'
  return end < start ? 'whole' : { start, end }
}
