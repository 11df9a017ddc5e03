/** `$ 1.250,00` in the reader's way; a currency that is none is said as it came. */
export const priceText = ({ price, currency }: { price: number; currency: string }, language: string): string => {
  try {
    return new Intl.NumberFormat(language === 'es' ? 'es-AR' : 'en-GB', { style: 'currency', currency }).format(price)
  } catch {
    return `${currency} ${price}`
  }
}
