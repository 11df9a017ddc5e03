import type { AccountNews } from '#server/whatsapp/fields/account-news.ts'
import { newsCodes } from '#server/whatsapp/fields/news-codes.ts'

type CodeKind = keyof typeof newsCodes

type Say = (key: string, params?: Record<string, string | number>) => string
type Words = (kind: CodeKind, code: string) => string

/** `EVENT (DETAIL, DETAIL)`, the form in which account news is stored. */
const accountForm = /^([^ ]+)(?: \((.*)\))?$/

const detailsOf = (text: string, words: Words): string =>
  text
    .split(', ')
    .map(one => (/^[A-Z][A-Z_]*$/.test(one) ? words('detail', one) : one))
    .join(', ')

/** Per kind of news: the text's parameters, with codes translated. */
const placesOf: Readonly<Record<string, (params: Record<string, string>, words: Words) => Record<string, string>>> = {
  account({ detail = '' }, words) {
    const [, event = detail, details] = accountForm.exec(detail) ?? []
    const said = words('event', event).replace(/^./u, first => first.toLocaleUpperCase())
    return { detail: said + (details ? ` (${detailsOf(details, words)})` : '') }
  },
  alert: ({ type = '', says = '' }, words) => ({
    // An alert without a text of its own shows its type.
    says: says === type ? '' : `: ${says}`,
    type: words('alert', type),
  }),
  payment: ({ status = '' }, words) => ({ status: words('payment', status) }),
  settings: ({ names = '' }, words) => ({
    names: names
      .split(', ')
      .map(name => words('setting', name))
      .join(', '),
  }),
  form: ({ event = '' }, words) => ({ event: words('form', event) }),
  username: ({ status = '' }, words) => ({ status: words('username', status) }),
  templateCategory: ({ category = '' }, words) => ({ category: words('category', category) }),
  groupStatus: ({ status = '' }, words) => ({ status: words('group', status) }),
  review: ({ decision = '' }, words) => ({ decision: words('decision', decision) }),
}

/** The text of a news item in the reader's language. Unknown codes are shown as they are. */
export function newsText({ key, params }: Pick<AccountNews, 'key' | 'params'>, say: Say): string {
  const words: Words = (kind, code) => {
    if (code === '—') return code
    const known = code.trim().toUpperCase().replaceAll(' ', '_')
    return (newsCodes[kind] as readonly string[]).includes(known)
      ? say(`newsCode.${kind}.${known}`)
      : say('newsCode.unknown', { code })
  }
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
  return say(`news.${key}`, {
    ...params,
    ...placesOf[key === 'alertOver' ? 'alert' : key]?.(texts, words),
  })
}
