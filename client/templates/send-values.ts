import { findComponent, type TemplateComponent } from '#shared/template-components.ts'
import { fillVariables, variableNames } from '#shared/template-variables.ts'

/** A value that the template needs. `field`: where the call names its fault. */
export interface NeededValue {
  readonly part: 'header' | 'body' | 'button' | 'image'
  readonly name: string
  readonly field: string
}

/** Values as they are typed, by `field`. */
export type TypedValues = Readonly<Record<string, string>>

/** A template that cannot be sent from the chat: its header wants a file or a place, or it is a carousel. */
export const isSendable = (components: readonly TemplateComponent[]): boolean => {
  const format = findComponent(components, 'HEADER')?.format ?? 'TEXT'
  return (format === 'TEXT' || format === 'IMAGE') && !findComponent(components, 'CAROUSEL')
}

/** All that one call can send to many: whatever the header wants is the same for everybody. */
export const isSendableToMany = (components: readonly TemplateComponent[]): boolean =>
  !findComponent(components, 'CAROUSEL')

/** What has to be filled in, in the order in which the message shows it. */
export const neededValues = (components: readonly TemplateComponent[]): NeededValue[] => {
  const header = findComponent(components, 'HEADER')
  const textIn = (part: 'header' | 'body', text: string | undefined, field: string) =>
    variableNames(text ?? '').map(name => ({ part, name, field: `${field}.${name}` }))
  const buttons = findComponent(components, 'BUTTONS')?.buttons ?? []
  return [
    ...(header?.format === 'IMAGE' ? [{ part: 'image' as const, name: '', field: 'body.image' }] : []),
    ...(header?.format === 'TEXT' ? textIn('header', header.text, 'body.headerExample') : []),
    ...textIn('body', findComponent(components, 'BODY')?.text, 'body.bodyExample'),
    ...buttons.flatMap((button, i) => {
      const isOpen =
        button.type === 'COPY_CODE' ||
        button.type === 'OTP' ||
        (button.type === 'URL' && variableNames(button.url).length)
      return isOpen ? [{ part: 'button' as const, name: button.text ?? '', field: `body.buttonExample.${i}` }] : []
    }),
  ]
}

const valuesBelow = (values: TypedValues, prefix: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([field, value]) => field.startsWith(`${prefix}.`) && value.trim())
      .map(([field, value]) => [field.slice(prefix.length + 1), value.trim()]),
  )

/** The template's part of a send. */
export const sendBodyOf = (templateId: string, values: TypedValues) => ({
  template: templateId,
  bodyExample: valuesBelow(values, 'body.bodyExample'),
  headerExample: valuesBelow(values, 'body.headerExample'),
  buttonExample: valuesBelow(values, 'body.buttonExample'),
  ...(values['body.image']?.trim() ? { image: values['body.image'].trim() } : {}),
})
export type TemplateSend = ReturnType<typeof sendBodyOf>

/** The components with what is filled in so far; what is missing keeps its mark. */
export const filledComponents = (components: readonly TemplateComponent[], values: TypedValues): TemplateComponent[] =>
  components.map(component => {
    if (component.type === 'BODY' && component.text)
      return { ...component, text: fillVariables(component.text, valuesBelow(values, 'body.bodyExample')) }
    if (component.type === 'HEADER' && component.format === 'TEXT' && component.text)
      return { ...component, text: fillVariables(component.text, valuesBelow(values, 'body.headerExample')) }
    return component
  })
