import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done } from '#shared/kernel/list.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'

export const maxContactFields = 30
export const maxFieldOptions = 30
export const fieldLabelMaxChars = 40
export const fieldOptionMaxChars = 60
export const fieldValueMaxChars = 500
export const contactFieldKinds = ['text', 'number', 'date', 'choice'] as const
export type ContactFieldKind = (typeof contactFieldKinds)[number]

export const ContactField = Type.Object({
  id: Type.String(),
  label: Type.String(),
  kind: Type.Enum(contactFieldKinds),
  options: Type.Array(Type.String(), { description: 'The options of a `choice`; empty for other kinds.' }),
})
export type ContactField = Static<typeof ContactField>

const isDate = (text: string): boolean =>
  /^(?:19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)

/** The stored value of a typed text. Undefined: invalid for the field. */
export const fieldValueOf = ({ kind, options }: Pick<ContactField, 'kind' | 'options'>, typed: string) => {
  const text = typed.trim().replace(/[^\S\n]+/g, ' ')
  if (!isSeen(text) || text.length > fieldValueMaxChars) return undefined
  switch (kind) {
    case 'text':
      return text
    case 'number':
      return /^-?\d{1,15}(?:[.,]\d{1,6})?$/.test(text) ? text.replace(',', '.') : undefined
    case 'date':
      return isDate(text) ? text : undefined
    case 'choice':
      return options.includes(text) ? text : undefined
  }
}

const Label = Type.String({ minLength: 1, maxLength: fieldLabelMaxChars, pattern: '\\S' })
const Options = Type.Array(Type.String({ minLength: 1, maxLength: fieldOptionMaxChars, pattern: '\\S' }), {
  maxItems: maxFieldOptions,
  description: 'Of a `choice`, one at least; no other kind has any.',
})
const OfField = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false })

/** Custom fields of contacts. Values are read and changed with the contact. */
export const contactFieldsApi = {
  listFields: endpoint({
    method: 'GET',
    path: '/whatsapp/contact-fields',
    access: 'chat:read',
    reply: Type.Object({ items: Type.Array(ContactField) }),
    summary: 'The contact fields of the organization, oldest first.',
  }),
  createField: endpoint({
    method: 'POST',
    path: '/whatsapp/contact-fields',
    access: 'org:update',
    body: Type.Object(
      { label: Label, kind: Type.Enum(contactFieldKinds), options: Type.Optional(Options) },
      { additionalProperties: false },
    ),
    reply: ContactField,
    status: 201,
    idempotent: true,
    refuses: [409],
    summary: `Creates a contact field; ${maxContactFields} at most.`,
  }),
  changeField: endpoint({
    method: 'PATCH',
    path: '/whatsapp/contact-fields/:id',
    access: 'org:update',
    params: OfField,
    body: Type.Object(
      { label: Type.Optional(Label), options: Type.Optional(Options) },
      { additionalProperties: false, minProperties: 1 },
    ),
    reply: ContactField,
    refuses: [404, 409],
    summary: 'Renames a contact field, or changes its choices. Values that contacts have stay.',
  }),
  deleteField: endpoint({
    method: 'DELETE',
    path: '/whatsapp/contact-fields/:id',
    access: 'org:update',
    params: OfField,
    reply: Done,
    refuses: [404],
    summary: 'Deletes a contact field, with its values in all contacts.',
  }),
} as const
