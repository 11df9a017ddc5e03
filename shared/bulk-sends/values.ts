import { type Static, Type } from 'typebox'

const valueOrigins = ['fixed', 'name', 'firstName', 'number', 'field', 'column'] as const
/** The source of a variable's value, for each recipient. */
export const ValueSource = Type.Object(
  {
    from: Type.Enum(valueOrigins),
    text: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'The value itself, the id of the field of contacts, or the name of the column.',
      }),
    ),
    fallback: Type.Optional(Type.String({ maxLength: 1024, description: 'The value for people who have none.' })),
  },
  { additionalProperties: false },
)
export type ValueSource = Static<typeof ValueSource>
export const Sources = Type.Record(Type.String({ maxLength: 100 }), ValueSource)
