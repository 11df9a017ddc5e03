import { exampleFor, examplesOf } from '#client/templates/example-values.ts'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { Template } from '#shared/templates/api.ts'
import { findComponent, type HeaderComponent, type TemplateComponent } from '#shared/templates/components.ts'
import { isFileAddress } from '#shared/templates/files.ts'
import { isNumber, variablesIn } from '#shared/templates/variables.ts'

type Sample = Pick<BulkPlan['previews'][number], 'header' | 'text' | 'footer' | 'buttons' | 'media' | 'cards'>

/** A text with its examples in the place of variables. Without an example, the variable's name stays. */
function withExamples(text: string, example: unknown): string {
  const examples = examplesOf(text, example)
  const variables = variablesIn(text)
  const filled = variables.map(
    ({ name, from }, i) =>
      text.slice(variables[i - 1]?.to ?? 0, from) +
      (exampleFor(examples, name) || (isNumber(name) ? `{{${name}}}` : name)),
  )
  return filled.join('') + text.slice(variables.at(-1)?.to ?? 0)
}

/** A template's message before a recipient is known: its examples are the values. */
export function sampleOf({ components, media }: Pick<Template, 'components' | 'media'>): Sample {
  const mediaOf = (header: HeaderComponent | undefined, card: number | null) => {
    if (!header?.format || header.format === 'TEXT') return undefined
    const url = media.find(file => file.card === card)?.url
    return { format: header.format, ...(url && isFileAddress(url) ? { url } : {}) }
  }
  const partsOf = (within: readonly TemplateComponent[], card: number | null) => {
    const header = findComponent(within, 'HEADER')
    const body = findComponent(within, 'BODY')
    const shown = mediaOf(header, card)
    return {
      header: header?.text ? withExamples(header.text, header.example) : null,
      text: withExamples(body?.text ?? '', body?.example),
      buttons: (findComponent(within, 'BUTTONS')?.buttons ?? []).map(({ text }) => ({ text: text ?? '' })),
      ...(shown ? { media: shown } : {}),
    }
  }
  const cards = findComponent(components, 'CAROUSEL')?.cards
  return {
    ...partsOf(components, null),
    footer: findComponent(components, 'FOOTER')?.text ?? null,
    ...(cards ? { cards: cards.map((card, i) => partsOf(card.components, i)) } : {}),
  }
}
