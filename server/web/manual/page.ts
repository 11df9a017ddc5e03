import { createHash } from 'node:crypto'
import type { Translate } from '#server/platform/http/plugins/error-reply.ts'
import { escapeHtml } from '#server/platform/text/html.ts'
import type { Language } from '#shared/kernel/language.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import type { RenderedDocument } from './render.ts'

/** The colours are those of `client/ui/styles/tokens.css`. */
const style = `
:root{color-scheme:light dark;--ink:light-dark(#1d211f,#e8ecea);--soft:light-dark(#545c58,#a7b0ac);--line:light-dark(#e7e5e0,#2a322f);--brand:light-dark(#0b6b50,#4ccb9f);--tint:light-dark(#e6f2ec,#12352a);--surface:light-dark(#fff,#171c1a)}
*{box-sizing:border-box}
body{margin:0;font:16px/1.6 system-ui,sans-serif;color:var(--ink);background:light-dark(#fbfaf8,#101413)}
.frame{display:grid;grid-template-columns:13rem minmax(0,46rem);gap:3rem;justify-content:center;padding:2rem 1rem}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:.4rem .75rem;border-radius:8px;color:inherit;text-decoration:none}
nav a:hover{background:var(--line)}
nav a[aria-current]{background:var(--tint);color:var(--brand);font-weight:600}
nav hr{border:0;border-top:1px solid var(--line);margin:.75rem}
.note{color:var(--soft);margin:0 0 1.5rem}
h1{margin:0 0 1rem;line-height:1.2}h2{margin:2.5rem 0 .75rem;line-height:1.3}h3{margin:2rem 0 .5rem}
main a{color:var(--brand)}
img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:8px}
code,pre{font:.875em/1.5 ui-monospace,monospace}
code{background:var(--tint);border-radius:4px;padding:.1em .3em;overflow-wrap:anywhere}
pre{background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:.75rem 1rem;overflow:auto}pre code{background:none;padding:0;overflow-wrap:normal}
.wide{overflow:auto}.wide table{min-width:34rem}td:first-child code{white-space:nowrap}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;border-bottom:1px solid var(--line);padding:.4rem .75rem .4rem 0}
@media(max-width:50rem){.frame{grid-template-columns:minmax(0,1fr);gap:1.5rem}nav ul{display:flex;flex-wrap:wrap}nav hr{display:none}}
`

/** A page of the manual has one style and pictures of this host, and runs nothing. */
export const manualPolicy = `default-src 'none'; img-src 'self'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

interface ManualParts {
  readonly document: RenderedDocument
  /** Address of this page. */
  readonly address: string
  readonly pages: readonly { readonly address: string; readonly title: string }[]
  readonly language: Language
  readonly translate: Translate
}

/** A document of the manual in its frame. The documents are in English; the frame is in the reader's language. */
export function manualPage({ document, address, pages, language, translate }: ManualParts): string {
  const say = (key: string) => escapeHtml(translate(language, key, { product: PRODUCT_NAME }))
  const links = pages.map(
    page =>
      `<li><a href="${page.address}"${page.address === address ? ' aria-current="page"' : ''} lang="en">${escapeHtml(page.title)}</a></li>`,
  )
  const note = language === 'en' ? '' : `<p class="note">${say('docs:manual.inEnglish')}</p>`
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(document.title)} · ${say('docs:manual.title')}</title><link rel="icon" href="/favicon.svg"><style>${style}</style></head>
<body><div class="frame"><nav aria-label="${say('docs:manual.title')}"><ul>${links.join('')}</ul><hr>
<ul><li><a href="/api/docs">${say('docs:manual.api')}</a></li><li><a href="/">${say('docs:manual.open')}</a></li></ul></nav>
<main>${note}<article lang="en">
${document.html}</article></main></div></body></html>`
}
