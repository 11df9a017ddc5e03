/** `$ 1.250,00` in the reader's way; a currency that is none is said as it came. Null: no price came. */
export const priceText = (
  { price, currency }: { price?: number | undefined; currency: string },
  language: string,
): string | null => {
  if (price === undefined) return null
  try {
    return new Intl.NumberFormat(language === 'es' ? 'es-AR' : 'en-GB', { style: 'currency', currency }).format(price)
  } catch {
    return `${currency} ${price}`.trim()
  }
}

/** What all of it costs; undefined where a price is missing, or they are of several currencies. */
export const totalOf = (
  items: readonly { quantity: number; price?: number | undefined; currency: string }[],
): { price: number; currency: string } | undefined => {
  const [first] = items
  if (!first) return undefined
  const { currency } = first
  if (items.some(item => item.price === undefined || item.currency !== currency)) return undefined
  return { price: items.reduce((sum, { quantity, price = 0 }) => sum + quantity * price, 0), currency }
}
