const initialsMax = 2

/** Up to two letters; for a number, its last two digits. */
export const initialsOf = (name: string): string => {
  const words = name.match(/(?![ºª])\p{L}[\p{L}\p{M}'’-]*/gu)
  if (!words?.length) return name.replace(/\D/g, '').slice(-initialsMax) || '?'
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : [words[0]]
  return picked.map(word => [...(word as string)][0]?.toUpperCase()).join('')
}
