import { cutAtWord } from '#server/platform/text/cut-at-word.ts'
import type { NodeOf } from '#shared/flows/graph.ts'
import type { FlowMedia } from '#shared/flows/nodes/message.ts'
import { captionMaxChars, fileNameMaxChars } from '#shared/media/sent-files.ts'
import { outboundLimits } from '#shared/outbound/api.ts'

/** Fills variables into a text; `most`: cuts the result after at most this many UTF-16 units. */
type Fill = (text: string, most?: number) => string

/** A message as sent. `fit`: how it was made to fit; null: it fitted. */
export interface Fitted {
  readonly fit: 'cut' | 'asList' | null
}

export interface ShownOption {
  readonly id: string
  readonly title: string
  readonly description?: string
  /** The title with variables filled in, before it was cut. */
  readonly whole: string
}

interface MessageOptions extends Fitted {
  readonly text: string
  readonly options: readonly ShownOption[]
  /** The label that opens the list; null if they are buttons. */
  readonly listLabel: string | null
}

const lengthOf = (text: string): number => [...text].length

const fitText = (fill: Fill, text: string, max: number): { text: string } & Fitted => {
  // A character has at most two units.
  const filled = fill(text, 2 * max + 2)
  const cut = cutAtWord(filled, max)
  return { text: cut, fit: cut === filled ? null : 'cut' }
}

/** A text as the customer gets it. */
export const textOfMessage = (fill: Fill, text: string) => fitText(fill, text, outboundLimits.text)

/** Fills a text into one line, because titles, labels and names must not contain line breaks. */
const filledLine = (fill: Fill, text: string): string => fill(text, 1000).replace(/\s+/g, ' ').trim()

/** A file with its caption and name as the customer gets them. */
export const fileOfMessage = (
  fill: Fill,
  media: FlowMedia,
  text: string,
): { media: FlowMedia; text: string } & Fitted => {
  const caption = fitText(fill, text, captionMaxChars)
  // Other programs would take a slash for a folder.
  const name = [...filledLine(fill, media.name ?? '').replace(/[/\\]/g, '-')].slice(0, fileNameMaxChars).join('')
  const { name: _, ...file } = media
  return { ...caption, media: { ...file, ...(name ? { name } : {}) } }
}

/** Numbers equal titles, because WhatsApp refuses duplicates. */
const tellApart = (options: readonly ShownOption[], max: number): ShownOption[] => {
  const taken = new Set<string>()
  return options.map(option => {
    let title = option.title
    for (let copy = 2; taken.has(title); copy += 1) {
      const mark = ` (${copy})`
      title = `${cutAtWord(option.title, max - mark.length)}${mark}`
    }
    taken.add(title)
    return { ...option, title }
  })
}

/**
 * A node's options as the customer sees them, in order. An option whose filled title is empty is left out. Up to three
 * with short titles are buttons, others are rows of a list; a title too long for a row is cut, and the full title
 * becomes the description if there is none. @param otherwise the default label that opens the list
 */
export function optionsOfMessage(node: NodeOf<'buttons'>, fill: Fill, otherwise: string): MessageOptions {
  const { buttons, buttonTitle, rowTitle, rowDescription, listBody, interactiveBody } = outboundLimits
  const filled = node.options.flatMap(({ id, title, description = '' }) => {
    const whole = filledLine(fill, title)
    return whole ? [{ id, whole, description: filledLine(fill, description) }] : []
  })
  const isDrawnAsList = node.options.length > buttons
  const isList = isDrawnAsList || filled.some(({ whole }) => lengthOf(whole) > buttonTitle)
  const max = isList ? rowTitle : buttonTitle
  const options = filled.map(({ id, whole, description }) => {
    const title = cutAtWord(whole, max)
    const below = isDrawnAsList && description ? description : title === whole ? '' : whole
    return { id, title, whole, ...(isList && below ? { description: cutAtWord(below, rowDescription) } : {}) }
  })
  const { text, fit } = fitText(fill, node.text, isList ? listBody : interactiveBody)
  const listLabel = isList ? cutAtWord(filledLine(fill, node.listLabel ?? '') || otherwise, buttonTitle) : null
  const isCut = fit !== null || options.some(({ title, whole }) => title !== whole)
  return {
    text,
    options: tellApart(options, max),
    listLabel,
    fit: isCut ? 'cut' : isList && !isDrawnAsList ? 'asList' : null,
  }
}
