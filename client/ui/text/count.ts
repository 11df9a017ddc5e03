/** `1.234`, or `10.000+` if counting stopped there. */
export const countText = (count: number, most: number, language: string): string =>
  `${new Intl.NumberFormat(language === 'es' ? 'es-AR' : 'en-GB').format(Math.min(count, most))}${count > most ? '+' : ''}`
