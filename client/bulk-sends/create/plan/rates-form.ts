import { type RateCard, type RatedCategory, ratedCategories } from '#shared/bulk-sends/rates.ts'

/** The fields of one line of prices. */
export interface TypedRate {
  /** Identifies lines while they are edited. */
  readonly key: string
  readonly country: string
  readonly prices: Readonly<Record<RatedCategory, string>>
}

const noPrices = Object.fromEntries(ratedCategories.map(name => [name, ''])) as TypedRate['prices']

/** @param added number of lines added before */
export const newRate = (country: string, added: number): TypedRate => ({
  key: `new ${added}`,
  country,
  prices: noPrices,
})

/** `0.00001` has five decimals, although its shortest form is `1e-5`. */
const decimalsOf = (price: number): number => {
  const [digits = '', exponent = '0'] = String(price).split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}

/** With a decimal comma or point. */
const shown = (price: number | undefined, decimals: number, language: string): string =>
  price === undefined ? '' : price.toFixed(decimals).replace('.', language === 'es' ? ',' : '.')

const mostDecimals = (rates: RateCard['rates']): number =>
  Math.max(0, ...rates.flatMap(({ prices }) => Object.values(prices).map(decimalsOf)))

/** The stored lines, all prices with as many decimals so that they line up. If none are stored, two empty ones: Argentina and all other countries. */
export const typedFrom = ({ rates }: Pick<RateCard, 'rates'>, language: string): TypedRate[] => {
  if (!rates.length) return [newRate('AR', 0), newRate('*', 1)]
  const decimals = mostDecimals(rates)
  return rates.map(({ country, prices }) => ({
    key: country,
    country,
    prices: Object.fromEntries(
      ratedCategories.map(name => [name, shown(prices[name], decimals, language)]),
    ) as TypedRate['prices'],
  }))
}

/** Null: empty. Undefined: not a price. */
export const priceOf = (typed: string): number | null | undefined => {
  const text = typed.trim()
  if (!text) return null
  return /^\d{1,6}([.,]\d{1,6})?$/.test(text) ? Number(text.replace(',', '.')) : undefined
}

/** The prices to store, without empty lines. Undefined: a field is invalid, or a country occurs twice. */
export const ratesOf = (typed: readonly TypedRate[]): RateCard['rates'] | undefined => {
  const read = typed.map(({ country, prices }) => ({
    country,
    prices: ratedCategories.map(name => [name, priceOf(prices[name])] as const),
  }))
  if (read.some(({ prices }) => prices.some(([, price]) => price === undefined))) return undefined
  if (new Set(read.map(({ country }) => country)).size < read.length) return undefined
  return read
    .map(({ country, prices }) => ({
      country,
      prices: Object.fromEntries(prices.filter(([, price]) => price !== null)) as RateCard['rates'][number]['prices'],
    }))
    .filter(({ prices }) => Object.keys(prices).length > 0)
}

interface TypedCard {
  readonly currency: string
  readonly validFrom: string
  readonly rates: readonly TypedRate[]
}

const contentOf = ({ currency, validFrom, rates }: TypedCard) =>
  JSON.stringify([currency.trim().toUpperCase(), validFrom, rates.map(({ country, prices }) => [country, prices])])

/** True if the typed prices equal the stored ones. */
export const isSameCard = (card: RateCard, typed: TypedCard, language: string): boolean =>
  contentOf(typed) === contentOf({ ...card, rates: typedFrom(card, language) })
