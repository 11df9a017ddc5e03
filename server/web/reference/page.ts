import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CallList, WebhookList } from '#server/platform/http/described-calls.ts'
import type { Translate } from '#server/platform/http/plugins/error-reply.ts'
import { escapeHtml } from '#server/platform/text/html.ts'
import { loopTurn } from '#server/platform/work/loop-turn.ts'
import type { Language } from '#shared/kernel/language.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { callSection, samples } from './call.ts'
import { fieldsOf, inWords, type Say } from './fields.ts'
import { callsOf, type Group, groups } from './groups.ts'
import { quickStarts } from './quick-starts.ts'
import { findCalls, maxAskedLength, maxFound } from './search.ts'
import { style } from './style.ts'

/** Runs unbuilt, as the service worker does. */
const script = readFileSync(new URL('../../../client/public/api-reference.js', import.meta.url), 'utf8')
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** One style and one script, both known by their hash; calls go to this host only. */
export const referencePolicy = `default-src 'none'; img-src 'self'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

/** The parts of every page of the reference. */
export interface ReferenceParts {
  readonly list: CallList
  readonly events: WebhookList
  readonly codes: ReadonlyMap<string, number>
  readonly language: Language
  /** The reader asked for `language` in the address, so links keep it. */
  readonly keepsLanguage: boolean
  readonly translate: Translate
  /** The address of the product, without a slash at its end. */
  readonly base: string
}

export const otherPages = ['events', 'errors'] as const
export type PageName = Group | (typeof otherPages)[number]

const sayIn =
  ({ language, translate }: ReferenceParts): Say =>
  (key, params) =>
    translate(language, key, { product: PRODUCT_NAME, ...params })

const linkTo = ({ language, keepsLanguage }: ReferenceParts, page?: PageName, id?: string): string =>
  `/api/docs${page ? `/${page}` : ''}${keepsLanguage ? `?lng=${language}` : ''}${id ? `#${id}` : ''}`

interface Content {
  readonly title: string
  readonly html: string
  /** Absent: the start page. */
  readonly page?: PageName
  /** The search words. */
  readonly asked?: string
}

const menu = (parts: ReferenceParts, current: PageName | 'start' | undefined): string => {
  const say = sayIn(parts)
  const item = (name: PageName | 'start', key: string) =>
    `<li><a href="${linkTo(parts, name === 'start' ? undefined : name)}"${name === current ? ' aria-current="page"' : ''}>${escapeHtml(say(key))}</a></li>`
  return `<ul>${item('start', 'docs:page.start')}${groups.map(group => item(group, `docs:groups.${group}.name`)).join('')}</ul><hr>
<ul>${item('events', 'docs:page.events')}${item('errors', 'docs:page.errors')}</ul><hr><ul class="rest"><li><a href="/docs/api">${escapeHtml(say('docs:page.manual'))}</a></li><li><a href="/api/openapi.json">openapi.json</a></li></ul>`
}

const said = ['sending', 'copied', 'done', 'refused', 'unreachable', 'notJson', 'bytes', 'cut'] as const

const framed = (parts: ReferenceParts, { title, html, page, asked }: Content): string => {
  const { language, translate } = parts
  const say = sayIn(parts)
  const text = (key: string) => escapeHtml(say(key))
  const other: Language = language === 'es' ? 'en' : 'es'
  const current = asked === undefined ? (page ?? 'start') : undefined
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)} · ${text('docs:page.title')}</title><link rel="icon" href="/favicon.svg"><style>${style}</style></head>
<body ${said.map(name => `data-${name.toLowerCase()}="${text(`docs:try.${name}`)}"`).join(' ')}>
<a class="skip" href="#content">${text('docs:page.skip')}</a>
<header class="top"><div class="top-in"><a class="home" href="${linkTo(parts)}">${text('docs:page.title')}</a>
<form role="search" action="/api/docs">${parts.keepsLanguage ? `<input type="hidden" name="lng" value="${language}">` : ''}<input type="search" name="q" maxlength="${maxAskedLength}" dir="auto" aria-label="${text('docs:page.search')}" placeholder="${text('docs:page.search')}" value="${escapeHtml(asked ?? '')}"></form>
<a class="tongue" href="?lng=${other}" hreflang="${other}" lang="${other}">${escapeHtml(translate(other, 'docs:page.thisLanguage'))}</a></div></header>
<p id="said" class="sr-only" role="status"></p>
<div class="frame"><nav aria-label="${text('docs:page.parts')}">${menu(parts, current)}</nav>
<main id="content" tabindex="-1">
${html}</main></div><script>${script}</script></body></html>`
}

const paragraph = (text: string) => `<p class="intro">${escapeHtml(text)}</p>`

/** The start page: an introduction, first steps, and the parts of the reference. */
export function startPage(parts: ReferenceParts): string {
  const say = sayIn(parts)
  const text = (key: string) => escapeHtml(say(key))
  const title = say('docs:page.title')
  const starts = quickStarts(parts.base).map(({ name, request, command, links }) => {
    const shown = request
      ? samples(request, `start-${name}`, say('docs:page.program'), say)
      : `<div class="samples-one"><pre tabindex="0"><code>${escapeHtml(command ?? '')}</code></pre></div>`
    const more = links.map(
      ({ href, text: label }) =>
        `<li><a href="${href}">${escapeHtml(label.startsWith('docs:') ? say(label) : label)}</a></li>`,
    )
    return `<section class="start" id="${name}"><h3>${text(`docs:starts.${name}.title`)}</h3><p>${text(`docs:starts.${name}.text`)}</p>${shown}<ul class="links">${more.join('')}</ul></section>`
  })
  const cards = groups.map(
    group =>
      `<li><a href="${linkTo(parts, group)}">${text(`docs:groups.${group}.name`)}</a><p>${text(`docs:groups.${group}.text`)}</p></li>`,
  )
  const rules = ['intro', 'key', 'organization', 'rules'].map(one => paragraph(say(`docs:page.${one}`)))
  return framed(parts, {
    title: say('docs:page.start'),
    html: `<h1>${escapeHtml(title)}</h1>${rules.join('')}<h2>${text('docs:page.starts')}</h2>${starts.join('')}<h2>${text('docs:page.parts')}</h2><ul class="parts">${cards.join('')}</ul>`,
  })
}

/** The page of one group of calls. Yields to the event loop, because large groups take long. */
export async function groupPage(parts: ReferenceParts, group: Group): Promise<string> {
  const say = sayIn(parts)
  const { calls, schemas: named = {} } = parts.list
  const title = say(`docs:groups.${group}.name`)
  const sections: string[] = []
  for (const call of callsOf(group, calls)) {
    await loopTurn.letRequestsPass()
    sections.push(callSection({ say, named, base: parts.base }, call))
  }
  return framed(parts, {
    page: group,
    title,
    html: `<h1>${escapeHtml(title)}</h1>${paragraph(say(`docs:groups.${group}.text`))}${sections.join('\n')}`,
  })
}

/** The events of outgoing webhooks, each with a sample. */
export function eventsPage(parts: ReferenceParts): string {
  const say = sayIn(parts)
  const { webhooks, schemas } = parts.events
  const title = say('docs:page.events')
  const sections = webhooks.map(
    ({ type, summary, body, example }) =>
      `<details class="call" id="${escapeHtml(type)}"><summary><h2><code>${escapeHtml(type)}</code></h2><p lang="en">${inWords(summary)}</p></summary>
<div class="inside"><div><h3>${escapeHtml(say('docs:call.body'))}</h3>${fieldsOf(body, say, schemas)}</div><div><h3>${escapeHtml(say('docs:call.example'))}</h3><pre tabindex="0"><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre></div></div></details>`,
  )
  return framed(parts, {
    page: 'events',
    title,
    html: `<h1>${escapeHtml(title)}</h1>${paragraph(say('docs:page.eventsText'))}<p class="intro"><a href="/docs/api#outgoing-webhooks">${escapeHtml(say('docs:links.receivers'))}</a></p>${sections.join('\n')}`,
  })
}

/** Every code of a refusal, with what it says to people. */
export function errorsPage(parts: ReferenceParts): string {
  const say = sayIn(parts)
  const title = say('docs:page.errors')
  const rows = [...parts.codes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, status]) =>
        `<tr><td>${status}</td><td><code>${escapeHtml(code)}</code></td><td>${escapeHtml(say(`errors:${code}`))}</td></tr>`,
    )
  const heads = ['status', 'code', 'message'].map(one => `<th scope="col">${escapeHtml(say(`docs:page.${one}`))}</th>`)
  return framed(parts, {
    page: 'errors',
    title,
    html: `<h1>${escapeHtml(title)}</h1>${paragraph(say('docs:page.errorsText', { form: '{ statusCode, code, message, details, requestId }' }))}<div class="wide" tabindex="0"><table><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
  })
}

/** The calls that have the searched words. */
export function searchPage(parts: ReferenceParts, asked: string): string {
  const say = sayIn(parts)
  const found = findCalls(asked, parts.list.calls, say)
  const count = say('docs:page.found', { count: found.length })
  const rows = found.slice(0, maxFound).map(({ call, group }) => {
    const href = linkTo(parts, group, `${call.service}.${call.name}`)
    return `<li><a href="${escapeHtml(href)}"><span class="method ${call.method}">${call.method}</span> <code>${escapeHtml(call.url)}</code> <span class="soft">${escapeHtml(say(`docs:groups.${group}.name`))}</span><p lang="en">${inWords(call.summary)}</p></a></li>`
  })
  const none = found.length ? '' : paragraph(say('docs:page.noneFound'))
  const more = found.length > maxFound ? paragraph(say('docs:page.moreFound', { shown: maxFound })) : ''
  return framed(parts, {
    asked,
    title: say('docs:page.results'),
    html: `<h1>${escapeHtml(say('docs:page.results'))}</h1><p id="count">${escapeHtml(count)}</p>${none}<ul class="found">${rows.join('')}</ul>${more}`,
  })
}
