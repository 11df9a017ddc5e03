/** `US$ 1.234,50`: an amount in the reader's format. Small amounts show fractions of a cent. */
export const formatMoney = (amount: number, currency: string, language: string): string => {
  const places = amount !== 0 && Math.abs(amount) < 1 ? 4 : 2
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: 2,
    maximumFractionDigits: places,
  }).format(amount)
}
