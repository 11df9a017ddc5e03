import { cutAtWord } from '#server/platform/text/cut-at-word.ts'
import type { NodeOf } from '#shared/flows/graph.ts'
import type { FlowMedia } from '#shared/flows/nodes/message.ts'
import { captionMaxChars, fileNameMaxChars } from '#shared/media/sent-files.ts'
import { outboundLimits } from '#shared/outbound/api.ts'

/** Puts the values of variables into a text; `most`: the result is cut behind so many UTF-16 units at the latest. */
export type Fill = (text: string, most?: number) => string

/** What a step says, as it leaves. `fit`: what had to be done to make it fit; null: nothing. */
export interface Fitted {
  readonly fit: 'cut' | 'asList' | null
}

export interface ShownOption {
  readonly id: string
  readonly title: string
  readonly description?: string
  /** The title with its values, before it was cut. */
  readonly whole: string
}

export interface SpokenOptions extends Fitted {
  readonly text: string
  readonly options: readonly ShownOption[]
  /** What opens the list; null: they are buttons. */
  readonly listLabel: string | null
}

const lengthOf = (text: string): number => [...text].length

const fitText = (fill: Fill, text: string, max: number): { text: string } & Fitted => {
  // No character has more than two units.
  const filled = fill(text, 2 * max + 2)
  const cut = cutAtWord(filled, max)
  return { text: cut, fit: cut === filled ? null : 'cut' }
}

/** A text as a customer gets it. */
export const spokenText = (fill: Fill, text: string) => fitText(fill, text, outboundLimits.text)

/** On one line: titles, labels and names hold no line breaks. */
const filledLine = (fill: Fill, text: string): string => fill(text, 1000).replace(/\s+/g, ' ').trim()

/** A file with its caption and its name as a customer gets them. */
export const spokenMedia = (
  fill: Fill,
  media: FlowMedia,
  text: string,
): { media: FlowMedia; text: string } & Fitted => {
  const caption = fitText(fill, text, captionMaxChars)
  // Other programs take a slash for a folder.
  const name = [...filledLine(fill, media.name ?? '').replace(/[/\\]/g, '-')].slice(0, fileNameMaxChars).join('')
  const { name: _, ...file } = media
  return { ...caption, media: { ...file, ...(name ? { name } : {}) } }
}

/** Titles that are alike are told apart by a number: WhatsApp takes none twice. */
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
 * The options of a node as a customer sees them, in their order. One whose title is empty once it is filled is left
 * out. Up to three whose titles fit are buttons, else they are rows of a list; a title that is too long for a row is cut
 * and stands whole in its description, where that has none.
 * @param otherwise what opens a list for which the node names nothing
 */
export function spokenOptions(node: NodeOf<'buttons'>, fill: Fill, otherwise: string): SpokenOptions {
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
