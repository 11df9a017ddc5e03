import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '#server/platform/text/html.ts'

/** Returns the address of a document below `/docs`. Undefined: the manual does not have it. */
type AddressOf = (file: string) => string | undefined

export interface RenderedDocument {
  readonly title: string
  readonly html: string
}

/** The id of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const isElsewhere = (href: string) => /^(?:https?:\/\/|\/|#)/.test(href)

/**
 * Makes a page's content of a document. Links to documents of the manual lead to their pages; links to other files of
 * the repository become plain text. HTML in a document is shown as text.
 */
export function renderDocument(markdown: string, file: string, addressOf: AddressOf): RenderedDocument {
  let title = ''
  const targetOf = (href: string): string | undefined => {
    if (isElsewhere(href)) return href
    const [path = '', anchor] = href.split('#')
    const address = addressOf(posix.join(posix.dirname(file), path))
    return address && (anchor ? `${address}#${anchor}` : address)
  }
  const marked = new Marked({
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      heading({ depth, text, tokens }) {
        const content = this.parser.parseInline(tokens)
        if (depth === 1) title = text
        return `<h${depth} id="${escapeHtml(anchorOf(text))}">${content}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens)
        const target = targetOf(href)
        return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`
      },
      image({ href, text }) {
        const target = targetOf(href)
        return target === undefined ? escapeHtml(text) : `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}">`
      },
    },
  })
  // A wide table or block scrolls by itself, so it has to be reachable by the keyboard.
  const html = (marked.parse(markdown, { async: false }) as string)
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
  return { title, html }
}
