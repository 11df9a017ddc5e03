const hues = 4

/** The same person has the same colour everywhere in the simulator. */
export const hueOf = (key: string): number => {
  let sum = 0
  for (let i = 0; i < key.length; i += 1) sum = (sum * 31 + key.charCodeAt(i)) >>> 0
  return sum % hues
}
