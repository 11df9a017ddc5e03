import { type Static, Type } from 'typebox'
import { OfSegment } from '#shared/contacts/segments.ts'
import { Nullable } from '#shared/kernel/list.ts'
import { maxTagsOfContact, TagId } from '#shared/tags/api.ts'
import { audienceMaxChars } from './limits.ts'
import { BulkSendId } from './states.ts'

export const Csv = Type.Object(
  {
    text: Type.String({
      maxLength: audienceMaxChars,
      description: 'Comma-separated values with any usual separator, or cards (vCard 2.1, 3.0, 4.0).',
    }),
    hasHeader: Type.Optional(
      Type.Boolean({ description: 'The first line has the names of the columns. Absent: its cells tell.' }),
    ),
    phoneColumn: Type.Optional(
      Type.String({ maxLength: 200, description: 'Absent: found by its cells, then by its name, such as `teléfono`.' }),
    ),
    phoneColumns: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 20,
        description:
          'Several with numbers, best first: of each row the first that is a number counts. Before `phoneColumn`.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Faults of a file's row. `unequalCells`: more or fewer cells than columns; the row is accepted. */
const fileFaults = [
  'numberMissing',
  'invalidNumber',
  'numberRounded',
  'duplicate',
  'unequalCells',
  'unclosedQuote',
] as const
export type FileFault = (typeof fileFaults)[number]

export const FileCheck = Type.Object({
  columns: Type.Array(Type.String(), { description: 'A doubled name has its number behind it.' }),
  hasHeader: Type.Boolean({ description: 'The first line is taken for the names of the columns.' }),
  phoneColumn: Nullable(
    Type.String({ description: 'Null: nothing tells which has the numbers; one has to be chosen.' }),
  ),
  phoneColumns: Type.Array(Type.String(), {
    description: 'All that have numbers, best first: of each row the first that is a number counts.',
  }),
  rows: Type.Integer({ minimum: 0, description: 'With anything in them, without the names of the columns.' }),
  first: Type.Array(Type.Array(Type.String()), { description: 'Cells of the first rows, by column.' }),
  faulty: Type.Integer({ minimum: 0, description: 'Number of rows with a fault.' }),
  faults: Type.Array(
    Type.Object({
      row: Type.Integer({ minimum: 1, description: 'Row numbers as in a spreadsheet.' }),
      fault: Type.Enum(fileFaults),
      value: Type.String(),
      cells: Type.Optional(Type.Array(Type.String(), { description: 'Of the first ones: the row, by column.' })),
    }),
    { description: 'The first ones.' },
  ),
  numbers: Type.Optional(
    Type.String({
      description:
        'If requested: the number of each row, one per line, in the form in which numbers are compared. An empty line: the row has none.',
    }),
  ),
})
export type FileCheck = Static<typeof FileCheck>

const OfTags = Type.Object(
  {
    ids: Type.Array(TagId, { minItems: 1, maxItems: maxTagsOfContact }),
    match: Type.Enum(['any', 'all']),
  },
  { additionalProperties: false },
)
const Unanswered = Type.Object(
  { send: BulkSendId },
  { additionalProperties: false, description: 'Recipients of an earlier send who have not answered it.' },
)
const Again = Type.Object(
  { send: BulkSendId },
  {
    additionalProperties: false,
    description:
      'All recipients of an earlier send, except rows that were no person and contacts that were erased since.',
  },
)
/** Parts of an audience that can be evaluated again later. */
export const lasting = {
  tags: Type.Optional(OfTags),
  segment: Type.Optional(OfSegment),
  unanswered: Type.Optional(Unanswered),
  again: Type.Optional(Again),
}

/** The recipients: all of these together, each person once. */
export const Audience = Type.Object(
  {
    numbers: Type.Optional(
      Type.String({ maxLength: audienceMaxChars, description: 'In any spelling; one a line, or parted by , or ;' }),
    ),
    csv: Type.Optional(Csv),
    ...lasting,
  },
  { additionalProperties: false, minProperties: 1 },
)
export type Audience = Static<typeof Audience>
