import { iconHtml } from '#client/ui/pictures/icon-html.ts'
import { attribute, type Html, html } from '#client/ui/text/html.ts'
import { linksIn, mayHaveLink } from '#client/ui/text/links-in.ts'
import { type WaBlock, waBlocks } from '#client/ui/text/wa-blocks.ts'
import { waMarks } from '#client/ui/text/wa-marks.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { clockTime } from '#shared/kernel/time.ts'
import { type InboxT, messagePreview } from '../../words.ts'
import { dialledAs, mayHavePhone, phonePattern } from './phone-links.ts'
import { ticksHtml } from './ticks-html.ts'

const hrefOf = (address: string): string => {
  if (/^https?:/i.test(address)) return address
  return /^www\./i.test(address) ? `https://${address}` : `mailto:${address}`
}

/**
 * A limit of markup per text. A message may contain thousands of marks, and rendering a page of such messages would
 * block the server.
 */
interface MarkupBudget {
  left: number
}
const maxDrawn = 250
const newBudget = (): MarkupBudget => ({ left: maxDrawn })

/** Text without links, with phone numbers as links. The surrounding component handles clicks. */
const phonesHtml = (text: string, beside: string, budget: MarkupBudget): Html => {
  const parts: Html[] = []
  let from = 0
  for (const { 0: said, index } of text.matchAll(phonePattern)) {
    if (budget.left <= 0) break
    const dialled = dialledAs(said, beside)
    if (dialled === undefined) continue
    budget.left -= 1
    parts.push(html`${text.slice(from, index)}<a href="tel:${dialled}" data-phone="${dialled}">${said}</a>`)
    from = index + said.length
  }
  return html`${parts}${text.slice(from)}`
}

/**
 * Text with web and mail addresses and phone numbers as links. `beside`: digits of the customer's number, whose country
 * decides which numbers are valid.
 */
export const linkedHtml = (text: string, beside = '', budget: MarkupBudget = newBudget()): Html => {
  const hasPhone = mayHavePhone(text)
  if (budget.left <= 0 || !(hasPhone || mayHaveLink(text))) return html`${text}`
  const parts: Html[] = []
  const between: (part: string) => Html | string = hasPhone ? part => phonesHtml(part, beside, budget) : part => part
  let from = 0
  for (const { address, index } of linksIn(text)) {
    if (budget.left <= 0) break
    budget.left -= 1
    parts.push(
      html`${between(text.slice(from, index))}<a href="${hrefOf(address)}" target="_blank" rel="noopener noreferrer nofollow">${address}</a>`,
    )
    from = index + address.length
  }
  return html`${parts}${between(text.slice(from))}`
}

/** Pictographs with joiners and modifiers. */
const onlyEmojis =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u200D\uFE0F])+$/u
/** One emoji as people count: a flag's two letters, or a pictograph with its modifiers and joined parts. */
const oneEmoji = /\p{Regional_Indicator}{2}|.(?:\p{Emoji_Modifier}|\uFE0F)*(?:\u200D.(?:\p{Emoji_Modifier}|\uFE0F)*)*/gu
const maxLargeChars = 40
const maxLarge = 3

/** One to three emojis and nothing else: shown large. */
export const isLoneEmoji = (text: string): boolean =>
  text.length <= maxLargeChars && onlyEmojis.test(text) && [...text.matchAll(oneEmoji)].length <= maxLarge

const marked = /[*_~\x60]/
const maxNested = 4
/** Twice WhatsApp's maximum. */
const maxFormatted = 8192

/** Code with several lines is a block. */
const codeHtml = (code: string): Html =>
  code.includes('\n') ? html`<code class="wa-code">${code.replace(/^\n|\n$/g, '')}</code>` : html`<code>${code}</code>`

/** Inline formatting: `*bold*`, `_italic_`, `~struck~`, code, and links, which formatting marks do not break. */
const markedHtml = (text: string, beside: string, budget: MarkupBudget, nested = 0): Html => {
  if (nested > maxNested || budget.left <= 0 || !marked.test(text)) return linkedHtml(text, beside, budget)
  const links = linksIn(text).map(({ index, address }) => [index, index + address.length] as const)
  let next = 0
  // Must be called with increasing positions.
  const isInLink = (place: number) => {
    while ((links[next]?.[1] ?? Number.POSITIVE_INFINITY) <= place) next += 1
    return place > (links[next]?.[0] ?? Number.POSITIVE_INFINITY)
  }
  const parts: Html[] = []
  let at = 0
  for (const match of text.matchAll(waMarks)) {
    if (budget.left <= 0) break
    const [whole, block, bold, italic, struck, code] = match
    const end = match.index + whole.length
    const isOpenInLink = isInLink(match.index)
    if (isInLink(end) || isOpenInLink) continue
    budget.left -= 1
    if (match.index > at) parts.push(linkedHtml(text.slice(at, match.index), beside, budget))
    if (block !== undefined) parts.push(codeHtml(block))
    else if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (bold !== undefined) parts.push(html`<strong>${markedHtml(bold, beside, budget, nested + 1)}</strong>`)
    else if (italic !== undefined) parts.push(html`<em>${markedHtml(italic, beside, budget, nested + 1)}</em>`)
    else parts.push(html`<s>${markedHtml(struck ?? '', beside, budget, nested + 1)}</s>`)
    // A code block ends its own line.
    at = block?.includes('\n') && text[end] === '\n' ? end + 1 : end
  }
  return html`${parts}${linkedHtml(text.slice(at), beside, budget)}`
}

const itemHtml = (marker: string, text: string, beside: string, budget: MarkupBudget): Html =>
  html`<span class="wa-item" role="listitem"><span>${marker}</span><span>${markedHtml(text, beside, budget)}</span></span>`

const blockHtml = (block: WaBlock, beside: string, budget: MarkupBudget): Html => {
  if (block.kind === 'text') return markedHtml(block.text, beside, budget)
  if (block.kind === 'quote') return html`<q class="wa-quote">${markedHtml(block.text, beside, budget)}</q>`
  return html`<span class="wa-list" role="list">${block.items.map(({ marker, text }) => itemHtml(marker, text, beside, budget))}</span>`
}

/** WhatsApp's formatting: inline marks, lists, quotations, and links. */
export const formattedHtml = (text: string, beside = ''): Html => {
  const budget = newBudget()
  if (text.length > maxFormatted) return linkedHtml(text, beside, budget)
  return html`${waBlocks(text, budget.left).map(block => blockHtml(block, beside, budget))}`
}

/** A note with mentioned people highlighted. */
export const noteHtml = (message: Message, timeZone: string, t: InboxT, beside: string): Html => {
  const names = new Set(message.note?.mentions.flatMap(({ name }) => (name ? [`@${name}`] : [])))
  const pattern = [...names].map(name => name.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|')
  const parts = pattern ? message.text.split(new RegExp(`(${pattern})`)) : [message.text]
  const text = parts.map(part => (names.has(part) ? html`<b class="mention">${part}</b>` : linkedHtml(part, beside)))
  return html`<span class="note-head">${iconHtml('lock')}${message.author?.name ? t('note.by', { name: message.author.name }) : t('note.label')}</span><span class="bubble-text" dir="auto">${text}</span>${belowHtml(message, true, timeZone, t)}`
}

const cameBy = (sourceType: string) =>
  sourceType === 'product' ? 'bubble.aboutProduct' : sourceType === 'post' ? 'bubble.fromPost' : 'bubble.fromAd'

/** The stored picture of an advertisement; until it is stored, or if that failed, its address. */
const adPictureHtml = ({ file, picture }: NonNullable<Message['referral']>, t: InboxT): Html | null => {
  if (file?.state === 'stored')
    return html`<a class="ad-picture" href="${file.url}" target="_blank" rel="noopener"><img src="${file.url}" alt="${t('bubble.adPicture')}" loading="lazy" decoding="async"></a>`
  return picture === undefined
    ? null
    : html`<a href="${picture}" target="_blank" rel="noopener noreferrer">${t('bubble.adPicture')}</a>`
}

const referralHtml = ({ referral }: Message, t: InboxT): Html | null =>
  referral
    ? html`<span class="quote"><b>${t(cameBy(referral.sourceType))}</b><span class="quote-text" dir="auto">${referral.headline ?? referral.body ?? referral.sourceId}</span>${referral.welcome ? html`<span class="quote-text" dir="auto">${t('bubble.adSaid', { text: referral.welcome })}</span>` : null}${adPictureHtml(referral, t)}</span>`
    : null

/** The quoted message, as a link if it is in this chat. */
const quoteHtml = ({ replyTo }: Message, t: InboxT, name: string): Html | null => {
  if (!replyTo) return null
  const { id, type, text, direction, by, picture } = replyTo
  const who = { out: by ?? t('quote.us'), in: name || t('quote.them') }
  const said = text || (id ? (type ? messagePreview(t, { type, text: '' }) : t('quote.noText')) : t('quote.notHere'))
  const parts = html`${picture ? html`<img class="quote-picture" src="${picture}" alt="" loading="lazy" width="40" height="40">` : null}<b dir="auto">${direction ? who[direction] : t('quote.unknown')}</b><span class="quote-text" dir="auto">${said}</span>`
  if (!id) return html`<span class="quote">${parts}</span>`
  return html`<a class="quote" data-quoted="${id}" href="?around=${id}">${parts}</a>`
}

/** Above a message's content: forwarded, advertisement, quote. `name`: the customer's. */
export const aboveHtml = (message: Message, t: InboxT, name = ''): Html =>
  html`${message.group ? html`<span class="forwarded">${t('bubble.group', { name: message.group.from })}</span>` : null}${message.forwarded ? html`<span class="forwarded">${t(message.forwardedOften ? 'bubble.forwardedOften' : 'bubble.forwarded')}</span>` : null}${referralHtml(message, t)}${quoteHtml(message, t, name)}`

const reactionsHtml = ({ reactions }: Message, t: InboxT): Html | null => {
  if (!reactions?.length) return null
  const parts = reactions.map(
    ({ by, emoji }) =>
      html`<span role="img" aria-label="${t(by === 'us' ? 'reaction.us' : 'reaction.contact', { emoji })}">${emoji}</span>`,
  )
  return html`<span class="reactions">${parts}</span>`
}

/** The author. Consecutive messages name them once. A bot is its flow, or the product itself. */
const authorOf = ({ direction, author }: Message, joined: boolean, t: InboxT): string | null | undefined => {
  if (joined || !author) return null
  if (direction !== 'out' || author.kind === 'person') return author.name
  const kind = t(`author.${author.kind}`)
  return author.kind === 'bot' && author.name ? `${kind} · ${author.name}` : kind
}

/** Marks what a customer wrote to Meta's agent. The agent's own messages name it as author. */
const toAgentHtml = ({ direction, metaAgent }: Message, t: InboxT): Html | null =>
  metaAgent && direction === 'in' ? html`<span class="cut">${t('author.toMetaAgent')}</span>` : null

/** Below a message's content: author, time, status, and reactions. */
export const belowHtml = (message: Message, joined: boolean, timeZone: string, t: InboxT): Html => {
  const { at, direction, status, editedAt } = message
  const author = authorOf(message, joined, t)
  return html`<span class="bubble-meta">${editedAt ? html`<span>${t('bubble.edited')}</span>` : null}${author ? html`<span class="cut" dir="auto">${author}</span>` : toAgentHtml(message, t)}<time${attribute('datetime', at)}>${clockTime(at, timeZone)}</time>${ticksHtml(t, direction, status)}</span>${reactionsHtml(message, t)}`
}
