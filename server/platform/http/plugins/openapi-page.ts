import { createHash } from 'node:crypto'
import type { Language } from '#shared/kernel/language.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { escapeHtml } from '../../text/html.ts'
import type { DescribedCall, Gate } from '../described-calls.ts'
import type { Translate } from './error-reply.ts'
import { rolesFor, toOpenApiSchema } from './openapi-document.ts'
import { curlOf, exampleOf } from './openapi-example.ts'

const style = `
:root{color-scheme:light dark;--line:#8885;--soft:#8882}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:2rem 1rem}
h1{margin-top:0}h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;padding:.25rem .75rem}
summary{cursor:pointer;padding:.5rem 0;min-height:1.5rem}
summary b{display:inline-block;min-width:4.5rem}
code,pre{font:13px/1.5 ui-monospace,monospace}
pre{background:var(--soft);border-radius:.5rem;padding:.75rem;overflow:auto;max-height:30rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dt{font-weight:600}dd{margin:0}
table{border-collapse:collapse;width:100%}td,th{text-align:left;border-bottom:1px solid var(--line);padding:.25rem .5rem .25rem 0}
`
/** The page has one style, no scripts and no other resources. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const json = (value: unknown) => escapeHtml(JSON.stringify(value, null, 2))

type Say = (key: string, params?: Record<string, string | number>) => string

const gateTexts: { readonly [G in Gate]?: string } = {
  anyone: 'docs:access.anyone',
  person: 'docs:access.person',
  member: 'docs:access.member',
  siteAdmin: 'docs:access.siteAdmin',
  signature: 'docs:access.signature',
  verifyToken: 'docs:access.verifyToken',
  graphToken: 'docs:access.graphToken',
}
const whoMay = (say: Say, { access }: DescribedCall): string => {
  const text = gateTexts[access]
  if (text) return say(text)
  return say('docs:access.roles', { capability: access, roles: (rolesFor(access) ?? []).join(', ') })
}

const facts = (say: Say, call: DescribedCall): string => {
  const rows: [string, string][] = [[say('docs:call.whoMay'), escapeHtml(whoMay(say, call))]]
  if (call.idempotent) rows.push([say('docs:call.repeat'), escapeHtml(say('docs:call.idempotent'))])
  rows.push([say('docs:call.success'), String(call.status ?? 200)])
  rows.push([say('docs:call.refusals'), call.refuses.toSorted((a, b) => a - b).join(', ')])
  return `<dl>${rows.map(([term, text]) => `<dt>${escapeHtml(term)}</dt><dd>${text}</dd>`).join('')}</dl>`
}

const schemas = (say: Say, call: DescribedCall): string => {
  const parts = [
    [say('docs:call.params'), call.params],
    [say('docs:call.query'), call.query],
    [say('docs:call.body'), call.body],
    [say('docs:call.reply'), call.reply],
  ] as const
  return parts
    .map(([title, schema]) =>
      schema ? `<h4>${escapeHtml(title)}</h4><pre tabindex="0">${json(toOpenApiSchema(schema))}</pre>` : '',
    )
    .join('')
}

/** A shell command and its reply. */
const example = (say: Say, call: DescribedCall, { named, base }: PageParts): string => {
  const made = exampleOf(call, named)
  const reply = made.reply === undefined ? escapeHtml(call.replyType ?? '') : json(made.reply)
  return `<h4>${escapeHtml(say('docs:call.example'))}</h4><pre tabindex="0">${escapeHtml(curlOf(call, made, base))}</pre>
<h4>${escapeHtml(say('docs:call.exampleReply'))}</h4><pre tabindex="0">${call.status ?? 200}\n${reply}</pre>`
}

const detailsOf = (
  say: Say,
  call: DescribedCall,
  parts: PageParts,
): string => `<details id="${escapeHtml(`${call.service}.${call.name}`)}">
<summary><b>${call.method}</b> <code>${escapeHtml(call.url)}</code><br>${escapeHtml(call.summary)}</summary>
${facts(say, call)}${example(say, call, parts)}${schemas(say, call)}
</details>`

interface PageParts {
  readonly calls: readonly DescribedCall[]
  /** Schemas that calls reference. */
  readonly named: Readonly<Record<string, unknown>>
  readonly codes: ReadonlyMap<string, number>
  readonly language: Language
  readonly translate: Translate
  /** The address of the product. */
  readonly base: string
}

/** Every call on one page, without scripts or other hosts. */
export function docsPage(parts: PageParts): string {
  const { calls, named, codes, language, translate } = parts
  const say: Say = (key, params) => translate(language, key, params)
  const services = [...new Set(calls.map(({ service }) => service))].sort()
  const codeRows = [...codes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, status]) =>
        `<tr><td>${status}</td><td><code>${escapeHtml(code)}</code></td><td>${escapeHtml(translate(language, `errors:${code}`))}</td></tr>`,
    )
  const other: Language = language === 'es' ? 'en' : 'es'
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(say('docs:page.title', { product: PRODUCT_NAME }))}</title><style>${style}</style></head>
<body><main>
<h1>${escapeHtml(say('docs:page.title', { product: PRODUCT_NAME }))}</h1>
<p>${escapeHtml(say('docs:page.intro'))} <a href="/api/openapi.json">openapi.json</a> · <a href="?lng=${other}" hreflang="${other}" lang="${other}">${escapeHtml(translate(other, 'docs:page.thisLanguage'))}</a></p>
<p>${escapeHtml(say('docs:page.organization'))}</p>
<p>${escapeHtml(say('docs:page.examples'))}</p>
${services
  .map(
    service =>
      `<h2 id="${escapeHtml(service)}">${escapeHtml(service)}</h2>${calls
        .filter(one => one.service === service)
        .map(one => detailsOf(say, one, parts))
        .join('')}`,
  )
  .join('\n')}
<h2>${escapeHtml(say('docs:page.schemas'))}</h2>
${Object.entries(named)
  .map(
    ([name, schema]) =>
      `<details><summary><code>#/components/schemas/${escapeHtml(name)}</code></summary><pre tabindex="0">${json(toOpenApiSchema(schema))}</pre></details>`,
  )
  .join('\n')}
<h2>${escapeHtml(say('docs:page.errors'))}</h2>
<table><thead><tr><th>${escapeHtml(say('docs:page.status'))}</th><th>${escapeHtml(say('docs:page.code'))}</th><th>${escapeHtml(say('docs:page.message'))}</th></tr></thead><tbody>${codeRows.join('')}</tbody></table>
</main></body></html>`
}
