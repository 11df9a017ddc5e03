import type { MessageFacts } from '#server/messaging/events.ts'
import { escapeHtml } from '#server/platform/text/html.ts'
import type { Language } from '#shared/kernel/language.ts'
import { clockTime, dayNumber, dayTitle, fullTime } from '#shared/kernel/time.ts'
import { type ChatFacts, messageWords } from './chat-text.ts'

const style = `body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:15px/1.45 system-ui,sans-serif;color:#1d1c1a}
header{border-bottom:1px solid #d9d6cf;padding-bottom:1rem}h1{font-size:1.4rem;margin:0}header p,time,.who,.note{color:#5d5a54;font-size:13px;margin:0}
h2{font-size:13px;font-weight:600;text-align:center;margin:1.5rem 0 .5rem;color:#5d5a54}
article{width:fit-content;max-width:75%;margin:6px 0;padding:6px 12px;border:1px solid #d9d6cf;border-radius:10px;break-inside:avoid}
article.out{margin-left:auto;background:#eef6f1}article.internal{margin-left:auto;background:#fff3dc}p.text{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
img{display:block;max-width:100%;max-height:24rem;border-radius:6px}@media print{body{margin:0;max-width:none}}`

/** The page runs nothing, and loads only pictures of this site. */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const element = (tag: string, className: string, text: string) =>
  `<${tag}${className ? ` class="${className}"` : ''} dir="auto">${escapeHtml(text)}</${tag}>`

/** A chat as one page to read and print, written while it is read. */
export async function* chatPage(
  { name, number, ours, timeZone, at, say, isArchived }: ChatFacts,
  language: Language,
  pages: AsyncIterable<readonly MessageFacts[]>,
): AsyncGenerator<Buffer> {
  const fileOf = ({ media }: MessageFacts): string => {
    if (!media) return ''
    const title = media.name ?? say('exports:chat.file')
    const attached = say('exports:chat.attached', { name: title })
    if (media.state !== 'stored') return element('p', 'note', attached)
    const address = escapeHtml(media.url)
    if (media.mime.startsWith('image/')) return `<img src="${address}" alt="${escapeHtml(title)}" loading="lazy">`
    if (isArchived) return `<p class="note" dir="auto"><a href="${address}">${escapeHtml(attached)}</a></p>`
    return element('p', 'note', attached)
  }

  const noteOf = ({ status, editedAt }: MessageFacts): string => {
    if (status === 'failed') return say('exports:chat.failed')
    return editedAt ? say('exports:chat.edited') : ''
  }

  const article = (message: MessageFacts): string => {
    const { direction, author, revokedAt } = message
    const note = revokedAt ? '' : noteOf(message)
    const words = revokedAt ? say('exports:chat.deleted') : messageWords(message, say)
    return [
      `<article class="${direction}">`,
      element('p', 'who', direction === 'in' ? name : (author?.name ?? ours)),
      revokedAt ? '' : fileOf(message),
      words ? element('p', revokedAt ? 'note' : 'text', words) : '',
      note ? element('p', 'note', note) : '',
      `<time datetime="${message.at}">${clockTime(message.at, timeZone)}</time></article>\n`,
    ].join('')
  }

  const now = at.getTime()
  const title = say('exports:chat.fileName', { name })
  const made = say('exports:chat.made', { org: ours, at: fullTime(at.toISOString(), language, timeZone) })
  yield Buffer.from(
    `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><header>${element('h1', '', name)}${element('p', '', [number, made].filter(Boolean).join(' · '))}</header><main>\n`,
  )
  let day: number | undefined
  for await (const messages of pages) {
    let part = ''
    for (const message of messages) {
      if (message.direction === 'internal' && !(isArchived && message.type === 'note')) continue
      const today = dayNumber(message.at, timeZone)
      if (today !== day) part += element('h2', '', dayTitle(message.at, now, language, timeZone))
      day = today
      part += article(message)
    }
    if (part) yield Buffer.from(part)
  }
  yield Buffer.from('</main></body></html>\n')
}
