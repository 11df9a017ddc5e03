import type { Contact } from '#shared/contacts/chat-contact.ts'
import { fold } from '#shared/kernel/fold.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import { neededValues, type TypedValues } from './send-values.ts'

export type KnownContact = Pick<Contact, 'name' | 'profileName' | 'fields'>

const gap = '___'
const nameWords = new Set(['nombre', 'name', 'first name', 'primer nombre', 'cliente', 'customer', 'customer name'])
const greeting =
  /^(hola|buen(os|as|a)? (dia|dias|tarde|tardes|noche|noches)|estimad[oa]|querid[oa]|hello|hi|hey|dear|good (morning|afternoon|evening))\W*_{3}/

const firstNameOf = ({ name, profileName }: KnownContact): string =>
  (name ?? profileName ?? '').trim().split(/\s+/)[0] ?? ''

/**
 * Values that are known of the contact, by `field`: the first name after a greeting or where the variable is called so, and
 * the contact's own fields where the words before the variable name one. Everything else stays empty, because a wrong value
 * is worse than none.
 */
export const valuesOfContact = (components: readonly TemplateComponent[], contact: KnownContact): TypedValues => {
  const known = contact.fields.flatMap(({ label, kind, value }) =>
    value && kind !== 'date' ? [{ label: fold(label), value }] : [],
  )
  const valueFor = (label: string): string | undefined => {
    const words = fold(label).replaceAll('_', ' ').trim()
    if (greeting.test(fold(label)) || nameWords.has(words)) return firstNameOf(contact)
    const before = fold(label).split(gap)[0]?.replaceAll('_', ' ').trim() ?? ''
    return known.find(one => before === one.label || before.endsWith(` ${one.label}`))?.value
  }
  return Object.fromEntries(
    neededValues(components).flatMap(({ part, name, field, card }) => {
      const isText = (part === 'header' || part === 'body') && card === undefined
      const value = isText ? valueFor(name) : undefined
      return value ? [[field, value]] : []
    }),
  )
}
