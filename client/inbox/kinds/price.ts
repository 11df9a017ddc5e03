/** A price in the reader's format, `$ 1.250,00`. An unknown currency is shown as received. Null: no price. */
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

/** The total. Undefined: a price is missing, or currencies differ. */
export const totalOf = (
  items: readonly { quantity: number; price?: number | undefined; currency: string }[],
): { price: number; currency: string } | undefined => {
  const [first] = items
  if (!first) return undefined
  const { currency } = first
  if (items.some(item => item.price === undefined || item.currency !== currency)) return undefined
  return { price: items.reduce((sum, { quantity, price = 0 }) => sum + quantity * price, 0), currency }
}
