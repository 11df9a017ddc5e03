import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { TagId } from '#shared/tags/api.ts'

export const importMaxChars = 2_000_000
export const importMaxRows = 20_000
const importMaxColumns = 200
/** Rows shown in the preview, and refused rows that are listed. */
export const importRowsShown = 20
export const importFaultsShown = 200
export const importsListed = 10
const bodyLimit = 6 * 1024 * 1024

/** The possible contents of a column. `field.ID`: a custom field of contacts. */
export const importTargets = ['ignore', 'phone', 'name', 'note', 'tags'] as const
const targetForm = '^(ignore|phone|name|note|tags|field\\.[0-9a-z]{1,64})$'
export const fieldTarget = (id: string): string => `field.${id}`

/** Why a row is refused. */
const importFaults = [
  'numberMissing',
  'numberInvalid',
  'numberRounded',
  'ownNumber',
  'duplicate',
  'unclosedQuote',
  'tooManyCells',
  'nameInvalid',
  'noteInvalid',
  'tagInvalid',
  'tooManyTags',
  'fieldInvalid',
] as const
export type ImportFault = (typeof importFaults)[number]

const ImportInput = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: importMaxChars,
      description: 'Comma-separated values with any usual separator, or cards (vCard 2.1, 3.0, 4.0).',
    }),
    columns: Type.Optional(
      Type.Array(Type.String({ pattern: targetForm }), {
        minItems: 1,
        maxItems: importMaxColumns,
        description: `What each column holds, in their order: ${importTargets.join(', ')} or field.ID. Of several with a \`phone\` the first that is a number counts, several with a \`name\` are joined. Unless said, numbers are known by the cells, the rest by the names of the columns.`,
      }),
    ),
    hasHeader: Type.Optional(
      Type.Boolean({ description: 'The first line has the names of the columns. Unless said, its cells tell.' }),
    ),
    existing: Type.Optional(
      Type.Enum(['keep', 'replace'], {
        description:
          'Of contacts that are known: `keep` fills in only what is missing (the default), `replace` overwrites. An empty cell never empties anything.',
      }),
    ),
    tagId: Type.Optional(TagId),
  },
  { additionalProperties: false },
)
export type ImportInput = Static<typeof ImportInput>

const count = Type.Integer({ minimum: 0 })
const counts = { created: count, updated: count, unchanged: count, refused: count }

const RefusedRow = Type.Object({
  row: Type.Integer({
    description: 'Line number as in a spreadsheet, from 1; of a vCard file, the number of the card.',
  }),
  fault: Type.Enum(importFaults),
  column: Nullable(Type.String({ description: 'By name; null: the row as a whole.' })),
})
export type RefusedRow = Static<typeof RefusedRow>

const ImportPreview = Type.Object({
  hasHeader: Type.Boolean({ description: 'The first line is taken for the names of the columns.' }),
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      target: Type.String({ description: 'The field that the column is imported into.' }),
      sample: Type.String({ description: 'The first cell of the column that is not empty.' }),
    }),
  ),
  rows: count,
  ...counts,
  first: Type.Array(
    Type.Object({
      row: count,
      number: Type.String({ description: 'The way people read it; unchanged if it is not a number.' }),
      name: Type.String(),
      outcome: Type.Enum(['created', 'updated', 'unchanged', 'refused']),
      changes: Type.Array(Type.String(), { description: 'Of a contact that exists: the fields that would change.' }),
      fault: Nullable(Type.Enum(importFaults)),
      column: Nullable(Type.String()),
    }),
  ),
  faults: Type.Array(RefusedRow),
  newTags: Type.Array(Type.String(), { description: 'Labels of tags that would be made.' }),
})
export type ImportPreview = Static<typeof ImportPreview>

const ContactImport = Type.Object({
  id: Type.String(),
  file: Type.String(),
  author: Type.String({ description: 'By name.' }),
  state: Type.Enum(['running', 'done', 'stopped', 'failed']),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
  rows: count,
  done: count,
  ...counts,
  faults: Type.Array(RefusedRow, { description: `The first ${importFaultsShown}.` }),
})
export type ContactImport = Static<typeof ContactImport>
export type ImportState = ContactImport['state']

const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false })

/** Imports of contacts from a file: a preview, then a job. */
export const contactImportsApi = {
  preview: endpoint({
    method: 'POST',
    path: '/whatsapp/contact-imports/preview',
    access: 'member:manage',
    body: ImportInput,
    bodyLimit,
    reply: ImportPreview,
    refuses: [404, 409],
    summary: 'Checks a file of contacts: what would happen with each row, and why. Changes nothing.',
  }),
  begin: endpoint({
    method: 'POST',
    path: '/whatsapp/contact-imports',
    access: 'member:manage',
    body: Type.Object(
      {
        ...ImportInput.properties,
        file: Type.Optional(Type.String({ minLength: 1, maxLength: 120, description: 'What it is called.' })),
      },
      { additionalProperties: false },
    ),
    bodyLimit,
    status: 202,
    idempotent: true,
    reply: ContactImport,
    refuses: [404, 409],
    summary:
      'Imports a file of contacts, one file at a time. Missing tags are created. No flow starts and nobody is written to.',
  }),
  listImports: endpoint({
    method: 'GET',
    path: '/whatsapp/contact-imports',
    access: 'member:manage',
    reply: Type.Object({ items: Type.Array(ContactImport) }),
    summary: `The last ${importsListed} imports of contacts, newest first.`,
  }),
  getImport: endpoint({
    method: 'GET',
    path: '/whatsapp/contact-imports/:id',
    access: 'member:manage',
    params: Params,
    reply: ContactImport,
    refuses: [404],
    summary: 'The progress of an import of contacts, and the rows that were refused.',
  }),
  stop: endpoint({
    method: 'POST',
    path: '/whatsapp/contact-imports/:id/stop',
    access: 'member:manage',
    params: Params,
    reply: ContactImport,
    refuses: [404],
    summary: 'Stops an import of contacts. Contacts that were imported stay. If it has ended, nothing changes.',
  }),
} as const
