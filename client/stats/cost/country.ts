/** The server and the browser may spell a name differently. */
export const countryName = (code: string, language: string, unknown: string): string =>
  code === '??' ? unknown : (new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code)
