import { Fragment, type ReactNode } from 'react'
import { type WaBlock, waBlocks } from '#client/ui/text/wa-blocks.ts'
import { waMarks } from '#client/ui/text/wa-marks.ts'
import { variablesIn } from '#shared/templates/variables.ts'

type Fill = (name: string, key: number) => ReactNode

/** `start`: offset in the whole text, so that keys of variables are unique. */
const withValues = (text: string, fill: Fill, start = 0): ReactNode[] => {
  const parts: ReactNode[] = []
  let at = 0
  for (const { name, from, to } of variablesIn(text)) {
    parts.push(text.slice(at, from))
    parts.push(fill(name, start + from))
    at = to
  }
  parts.push(text.slice(at))
  return parts
}

const formatted = (text: string, fill: Fill, depth: number): ReactNode[] => {
  if (depth > 4) return withValues(text, fill)
  const parts: ReactNode[] = []
  let at = 0
  for (const match of text.matchAll(waMarks)) {
    const [whole, block, bold, italic, struck, inline] = match
    const code = block ?? inline
    parts.push(...withValues(text.slice(at, match.index), fill, at))
    const key = `${match.index} ${whole.length}`
    if (code !== undefined) parts.push(<code key={key}>{withValues(code, fill)}</code>)
    else if (bold !== undefined) parts.push(<strong key={key}>{formatted(bold, fill, depth + 1)}</strong>)
    else if (italic !== undefined) parts.push(<em key={key}>{formatted(italic, fill, depth + 1)}</em>)
    else parts.push(<s key={key}>{formatted(struck ?? '', fill, depth + 1)}</s>)
    at = match.index + whole.length
  }
  parts.push(...withValues(text.slice(at), fill, at))
  return parts
}

const blockOf = (block: WaBlock, fill: Fill): ReactNode => {
  if (block.kind === 'text') return formatted(block.text, fill, 0)
  if (block.kind === 'quote') return <q className="wa-quote">{formatted(block.text, fill, 0)}</q>
  return (
    // biome-ignore lint/a11y/useSemanticElements: it stands within a paragraph
    <span className="wa-list" role="list">
      {block.items.map(({ marker, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other names
        // biome-ignore lint/a11y/useSemanticElements: as above
        <span key={i} className="wa-item" role="listitem">
          <span>{marker}</span>
          <span>{formatted(text, fill, 0)}</span>
        </span>
      ))}
    </span>
  )
}

interface WaTextProps {
  readonly text: string
  /** Values of variables. Without one, the variable's name is shown. */
  readonly values: Readonly<Record<string, string>> | undefined
  /** The name shown for a variable. Default: as it is written. */
  readonly nameOf?: ((name: string) => string) | undefined
}

/** A text with WhatsApp's formatting: `*bold*`, `_italic_`, `~struck~`, code, lists, quotations and variables. */
export function WaText({ text, values, nameOf }: WaTextProps) {
  const fill: Fill = (name, key) => values?.[name] || <var key={key}>{nameOf?.(name) ?? name}</var>
  // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other names for its blocks
  return waBlocks(text).map((block, i) => <Fragment key={i}>{blockOf(block, fill)}</Fragment>)
}
