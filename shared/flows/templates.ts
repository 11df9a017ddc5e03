import { findComponent, type TemplateComponent } from '#shared/templates/components.ts'
import { codeNameOf, needsOfferEnd, sendingObstacle } from '#shared/templates/sending.ts'
import { variableLabels, variableNames } from '#shared/templates/variables.ts'

/** A value that a template needs. `at`: its key in the chosen values; `name`: its name, for people. */
export interface NeededValue {
  readonly at: string
  readonly part: 'header' | 'body' | 'buttons' | 'media' | 'offer'
  readonly name: string
}

/**
 * False for templates that a flow cannot fill: location headers, carousels, and those that cannot be sent from here.
 */
export const canBeSent = (components: readonly TemplateComponent[]): boolean =>
  findComponent(components, 'HEADER')?.format !== 'LOCATION' &&
  !findComponent(components, 'CAROUSEL') &&
  !sendingObstacle(components)

/** The values to fill in, in the order of the message. */
export function neededValues(components: readonly TemplateComponent[]): NeededValue[] {
  const header = findComponent(components, 'HEADER')
  const inText = (part: 'header' | 'body', text = ''): NeededValue[] => {
    const labels = variableLabels(text)
    return variableNames(text).map(name => ({ at: `${part}.${name}`, part, name: labels.get(name) ?? name }))
  }
  const buttons = findComponent(components, 'BUTTONS')?.buttons ?? []
  return [
    ...(header?.format === 'TEXT' ? inText('header', header.text) : []),
    ...(header && header.format !== 'TEXT'
      ? [{ at: 'header.media', part: 'media' as const, name: header.format }]
      : []),
    ...inText('body', findComponent(components, 'BODY')?.text),
    ...(needsOfferEnd(components) ? [{ at: 'offer.endsAt', part: 'offer' as const, name: 'endsAt' }] : []),
    ...buttons.flatMap((button, i) => {
      const isOpen =
        button.type === 'COPY_CODE' ||
        (button.type === 'OTP' && codeNameOf(components) === undefined) ||
        (button.type === 'URL' && variableNames(button.url).length > 0)
      return isOpen ? [{ at: `buttons.${i}`, part: 'buttons' as const, name: button.text ?? '' }] : []
    }),
  ]
}
