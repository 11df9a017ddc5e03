interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

const number = String.raw`(-?\d{1,3}(?:\.\d+)?)`
/**
 * People write a place as typed coordinates, or as a link of a map. A link's pin comes before the center of its view.
 */
const forms = [
  new RegExp(String.raw`^\s*${number}\s*[,; ]\s*${number}\s*$`),
  new RegExp(`!3d${number}!4d${number}`),
  new RegExp(String.raw`[?&](?:q|query|ll|destination|daddr|center)=(?:loc:)?${number}(?:,|%2C)\+?${number}`, 'i'),
  new RegExp(`[?&]mlat=${number}&mlon=${number}`),
  new RegExp(`@${number},${number}`),
  new RegExp(String.raw`#map=\d+/${number}/${number}`),
]

/** Reads the place in a typed or pasted text. Undefined: it has none, or its coordinates are out of range. */
export const readCoordinates = (typed: string): Coordinates | undefined => {
  for (const form of forms) {
    const found = form.exec(typed)
    if (!found) continue
    const [latitude, longitude] = [Number(found[1]), Number(found[2])]
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude }
  }
  return undefined
}
