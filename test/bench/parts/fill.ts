/** As many units as fit into `bytes`, separated by commas. */
export const fill = (unit: (i: number) => string, bytes: number, most = Number.POSITIVE_INFINITY): string => {
  const parts: string[] = []
  for (let i = 0, size = 0; i < most; i += 1) {
    const part = unit(i)
    size += part.length + 1
    if (size > bytes) break
    parts.push(part)
  }
  return parts.join(',')
}
