import { paths } from '#shared/kernel/paths.ts'

/** The beginning of a new template. */
interface Beginning {
  /** The template to copy. */
  readonly from?: string
  /** `language`: the same name in another language. */
  readonly as: 'copy' | 'language'
  /** Key of a starting point. */
  readonly start?: string
}

export const copyPath = (slug: string, id: string): string =>
  `${paths.templateCreate(slug)}?from=${encodeURIComponent(id)}`
export const languagePath = (slug: string, id: string): string => `${copyPath(slug, id)}&as=language`
export const startPath = (slug: string, key: string): string =>
  `${paths.templateCreate(slug)}?start=${encodeURIComponent(key)}`

/** Reads any address. */
export const readBeginning = (query: URLSearchParams): Beginning => {
  const from = query.get('from')
  const start = query.get('start')
  return {
    ...(from && /^[A-Za-z0-9_-]{1,64}$/.test(from) ? { from } : {}),
    ...(start ? { start } : {}),
    as: query.get('as') === 'language' ? 'language' : 'copy',
  }
}
