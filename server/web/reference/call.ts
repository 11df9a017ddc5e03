import type { DescribedCall, Gate } from '#server/platform/http/described-calls.ts'
import { rolesFor } from '#server/platform/http/plugins/openapi-document.ts'
import { type CallExample, exampleOf, isJson } from '#server/platform/http/plugins/openapi-example.ts'
import { escapeHtml } from '#server/platform/text/html.ts'
import { fieldsOf, inWords, type Say } from './fields.ts'
import { requestSample, type SampleRequest, sampleLanguages, sampleRequest } from './samples.ts'

const labels = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const

/** The same request in each language, one at a time. `id` is unique on the page. */
export const samples = (request: SampleRequest, id: string, title: string, say: Say): string => {
  const choices = sampleLanguages.map(
    (language, index) =>
      `<label><input type="radio" name="in-${escapeHtml(id)}" value="${language}"${index ? '' : ' checked'}>${labels[language]}</label>`,
  )
  const programs = sampleLanguages.map(
    language =>
      `<pre class="${language}" tabindex="0"><code>${escapeHtml(requestSample(language, request))}</code></pre>`,
  )
  return `<fieldset class="samples"><legend>${escapeHtml(title)}</legend><div class="pick">${choices.join('')}<button type="button" class="copy" hidden>${escapeHtml(say('docs:page.copy'))}</button></div>${programs.join('')}</fieldset>`
}

const gateTexts: { readonly [G in Gate]?: string } = {
  anyone: 'docs:access.anyone',
  person: 'docs:access.person',
  member: 'docs:access.member',
  siteAdmin: 'docs:access.siteAdmin',
  signature: 'docs:access.signature',
  verifyToken: 'docs:access.verifyToken',
  graphToken: 'docs:access.graphToken',
  address: 'docs:access.address',
}
const whoMay = (say: Say, { access }: DescribedCall): string => {
  const text = gateTexts[access]
  if (text) return say(text)
  return say('docs:access.roles', { capability: access, roles: (rolesFor(access) ?? []).join(', ') })
}

/** Calls that neither session nor key authorizes. */
const withoutKey = new Set<Gate>(['anyone', 'address', 'signature', 'verifyToken', 'graphToken'])

const keysText = ({ access, takesKeys }: DescribedCall): string | undefined => {
  if (takesKeys) return 'docs:call.keysTaken'
  return withoutKey.has(access) ? undefined : 'docs:call.keysRefused'
}

const facts = (say: Say, call: DescribedCall): string => {
  const keys = keysText(call)
  const rows: [string, string][] = [
    [say('docs:call.whoMay'), whoMay(say, call)],
    ...(keys ? [[say('docs:call.keys'), say(keys)] as [string, string]] : []),
    ...(call.idempotent ? [[say('docs:call.repeat'), say('docs:call.idempotent')] as [string, string]] : []),
    [say('docs:call.success'), String(call.status ?? 200)],
    [say('docs:call.refusals'), call.refuses.toSorted((a, b) => a - b).join(', ')],
  ]
  return `<dl>${rows.map(([term, text]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>`
}

interface CallParts {
  readonly say: Say
  readonly named: Readonly<Record<string, unknown>>
  /** The address of the product. */
  readonly base: string
}

const parameters = ({ say, named }: CallParts, call: DescribedCall): string =>
  (
    [
      ['docs:call.params', call.params],
      ['docs:call.query', call.query],
      ['docs:call.body', call.body],
    ] as const
  )
    .map(([title, schema]) => (schema ? `<h3>${escapeHtml(say(title))}</h3>${fieldsOf(schema, say, named)}` : ''))
    .join('')

const answer = ({ say, named }: CallParts, call: DescribedCall, example: CallExample): string => {
  const json = (value: unknown) => escapeHtml(JSON.stringify(value, null, 2))
  const shown =
    example.reply === undefined
      ? `<p class="type">${escapeHtml(call.replyType ?? '')}</p>`
      : `<pre tabindex="0"><code>${json(example.reply)}</code></pre>`
  return `<details class="form"><summary><h3>${escapeHtml(say('docs:call.exampleReply', { status: call.status ?? 200 }))}</h3></summary>${shown}</details>
<details class="form"><summary><h3>${escapeHtml(say('docs:call.reply'))}</h3></summary>${fieldsOf(call.reply, say, named)}</details>`
}

/** True if the page can try the call: its body is JSON, its reply ends, and a key or an address suffices. */
const canTry = (call: DescribedCall): boolean =>
  (call.takesKeys === true || call.access === 'anyone' || call.access === 'address') &&
  call.replyType !== 'text/event-stream' &&
  isJson(call.bodyType)

const field = (place: string, name: string, isRequired: boolean, example: unknown): string =>
  `<label><code>${escapeHtml(name)}</code><input class="mono" data-${place}="${escapeHtml(name)}" dir="auto" autocomplete="off" spellcheck="false"${isRequired ? ' required' : ''}${example === undefined ? '' : ` placeholder="${escapeHtml(String(example))}"`}></label>`

interface Fields {
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>
  readonly required?: readonly string[]
}

/** The form to try a call. It is hidden until the script can send it. */
const tryOut = ({ say }: CallParts, call: DescribedCall, example: CallExample): string => {
  if (!canTry(call)) return ''
  const inPath = Object.keys((call.params as Fields | undefined)?.properties ?? {}).map(name =>
    field('path', name, true, example.params[name]),
  )
  const query = (call.query ?? {}) as Fields
  const inQuery = Object.entries(query.properties ?? {}).map(([name, { default: usual }]) =>
    field('query', name, (query.required?.includes(name) ?? false) && usual === undefined, example.query[name]),
  )
  const many = inQuery.length > 4
  const optional = many
    ? `<details class="form"><summary>${escapeHtml(say('docs:call.query'))}</summary>${inQuery.join('')}</details>`
    : inQuery.join('')
  const body =
    example.body === undefined
      ? ''
      : `<label>${escapeHtml(say('docs:call.body'))}<textarea data-body dir="ltr" rows="${Math.min(14, JSON.stringify(example.body, null, 2).split('\n').length + 1)}" spellcheck="false">${escapeHtml(JSON.stringify(example.body, null, 2))}</textarea></label>`
  const once = call.idempotent
    ? `<label><code>idempotency-key</code><input class="mono" data-once dir="auto" autocomplete="off" spellcheck="false"></label>`
    : ''
  const noteId = `key-of-${call.service}.${call.name}`
  const key = call.takesKeys
    ? `<label>${escapeHtml(say('docs:try.key'))}<input class="mono secret" data-secret dir="ltr" autocomplete="off" spellcheck="false" aria-describedby="${escapeHtml(noteId)}"></label><p class="note" id="${escapeHtml(noteId)}">${escapeHtml(say('docs:try.keyNote'))}</p>`
    : ''
  const warning = call.method === 'GET' ? '' : `<span class="soft">${escapeHtml(say('docs:try.forReal'))}</span>`
  return `<form class="try" data-method="${call.method}" data-url="${escapeHtml(call.url)}" hidden>
<h3>${escapeHtml(say('docs:try.title'))}</h3>${key}${inPath.join('')}${optional}${body}${once}
<div class="send"><button class="main">${escapeHtml(say('docs:try.send'))}</button>${warning}</div>
<output class="answer" aria-live="polite"></output></form>`
}

/** One call: a summary line that unfolds parameters, replies, sample programs and a form to try it. */
export const callSection = (parts: CallParts, call: DescribedCall): string => {
  const { say, named, base } = parts
  const id = `${call.service}.${call.name}`
  const example = exampleOf(call, named)
  return `<details class="call" id="${escapeHtml(id)}">
<summary><h2><span class="method ${call.method}">${call.method}</span> <code>${escapeHtml(call.url)}</code></h2><p lang="en">${inWords(call.summary)}</p></summary>
<div class="inside"><div>${facts(say, call)}${parameters(parts, call)}</div>
<div>${samples(sampleRequest(call, example, base), id, say('docs:call.example'), say)}${answer(parts, call, example)}${tryOut(parts, call, example)}</div></div>
</details>`
}
