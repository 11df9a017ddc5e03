/** A part of a text that WhatsApp shows as one block: plain lines, a list, or a quotation. */
export type WaBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly { readonly marker: string; readonly text: string }[] }

const hasBlock = /^(?:[*-] |\d{1,3}\. |> )/m
const linePattern = /^(?:(?<bullet>[*-] +)|(?<number>\d{1,3})\. +|(?<quote>> ?))(?<rest>\S.*)$/
const fence = '```'

/**
 * Groups lines that begin with `* ` or `- `, with `1. `, or with `> `, except inside ```. After `maxSetApart` such
 * lines, the others stay plain.
 * @see https://faq.whatsapp.com/539178204879377
 */
export function waBlocks(text: string, maxSetApart = 250): WaBlock[] {
  if (!hasBlock.test(text)) return [{ kind: 'text', text }]
  const blocks: { kind: WaBlock['kind']; lines: { marker: string; text: string }[] }[] = []
  let isCode = false
  let setApart = 0
  for (const line of text.split('\n')) {
    const isPlain = isCode || setApart >= maxSetApart || line.includes(fence)
    const found = isPlain ? null : linePattern.exec(line)?.groups
    if (found) setApart += 1
    if ((line.split(fence).length - 1) % 2 === 1) isCode = !isCode
    const kind = !found ? 'text' : found.quote ? 'quote' : 'list'
    const said = { marker: found?.number ? `${found.number}.` : '•', text: found?.rest ?? line }
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(said)
    else blocks.push({ kind, lines: [said] })
  }
  return blocks.map(({ kind, lines }) =>
    kind === 'list' ? { kind, items: lines } : { kind, text: lines.map(line => line.text).join('\n') },
  )
}
