export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

const number = String.raw`(-?\d{1,3}(?:\.\d+)?)`
/** The forms in which a place is handed on: typed, or as a link of a map. The pin of a place before the middle of its view. */
const forms = [
  new RegExp(String.raw`^\s*${number}\s*[,; ]\s*${number}\s*$`),
  new RegExp(`!3d${number}!4d${number}`),
  new RegExp(String.raw`[?&](?:q|query|ll|destination|daddr|center)=(?:loc:)?${number}(?:,|%2C)\+?${number}`, 'i'),
  new RegExp(`[?&]mlat=${number}&mlon=${number}`),
  new RegExp(`@${number},${number}`),
  new RegExp(String.raw`#map=\d+/${number}/${number}`),
]

/** The place in what somebody typed or pasted; undefined where there is none on earth. */
export const readCoordinates = (typed: string): Coordinates | undefined => {
  for (const form of forms) {
    const found = form.exec(typed)
    if (!found) continue
    const [latitude, longitude] = [Number(found[1]), Number(found[2])]
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude }
  }
  return undefined
}
