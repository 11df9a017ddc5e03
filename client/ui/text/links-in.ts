interface LinkPlace {
  readonly address: string
  readonly index: number
}

/**
 * The texts that WhatsApp turns into links: http and https addresses, words that begin with `www.`, and mail addresses.
 */
const addressPattern = /\b(?:https?:\/\/|www\.)[^\s<>"']+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi
const beginning = /^(?:https?:\/\/|www\.)/i
const endings = new Set('.,;:!?')
const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

const countOf = (text: string, sign: string) => text.split(sign).length - 1

/** Removes the punctuation that ends the sentence. A closing bracket stays if the address opened it. */
const withoutEnd = (found: string): string => {
  if (!/[.,:;!?)\]}]$/.test(found)) return found
  const surplus = Object.fromEntries(
    Object.entries(openers).map(([close, open]) => [close, countOf(found, close) - countOf(found, open)]),
  )
  let end = found.length
  for (; end > 0; end -= 1) {
    const last = found[end - 1] as string
    if (endings.has(last)) continue
    if (!Object.hasOwn(openers, last) || (surplus[last] ?? 0) <= 0) break
    surplus[last] = (surplus[last] ?? 0) - 1
  }
  return found.slice(0, end)
}

/** Most texts have no address and need no further search. */
const anyAddress = /@|www\.|:\/\//i
export const mayHaveLink = (text: string): boolean => anyAddress.test(text)

/** The first addresses in a text, and where they begin. */
export function linksIn(text: string, most = 250): LinkPlace[] {
  const places: LinkPlace[] = []
  if (!mayHaveLink(text)) return places
  for (const { 0: found, index } of text.matchAll(addressPattern)) {
    const begins = beginning.exec(found)?.[0].length
    const address = begins === undefined ? found : withoutEnd(found)
    if (begins === undefined || address.length > begins) places.push({ address, index })
    if (places.length >= most) break
  }
  return places
}
