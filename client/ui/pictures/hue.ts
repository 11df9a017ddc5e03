const hues = 8

/** One of the palette's eight hues (`.hue-N`). The same name or number has the same color everywhere. */
export const hueOfKey = (key: string): number => {
  let sum = 0
  for (let i = 0; i < key.length; i += 1) sum = (sum * 31 + key.charCodeAt(i)) >>> 0
  return sum % hues
}
