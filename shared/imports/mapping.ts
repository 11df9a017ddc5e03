import { type Static, Type } from 'typebox'
import { Nullable } from '#shared/kernel/list.ts'
import { mappedAtMost } from './limits.ts'
import { dateOrders } from './states.ts'

const nameMaxChars = 200

const Target = Type.String({ minLength: 1, maxLength: 64 })
const OptionalTarget = Type.Union([Target, Type.Null()])
/** The target in replies, whose serializer does not support unions with null. */
const ShownTarget = Nullable(Target)

const mapped = <T extends typeof OptionalTarget | typeof ShownTarget>(to: T, description: string, maxItems: number) =>
  Type.Optional(
    Type.Array(
      Type.Object({ from: Type.String({ minLength: 1, maxLength: 200 }), to }, { additionalProperties: false }),
      { maxItems, description },
    ),
  )

/** Numbers, people and tags of an archive that a person maps by hand. Further ones are mapped as suggested. */
const mappedParts = <T extends typeof OptionalTarget | typeof ShownTarget>(to: T) => ({
  numbers: mapped(to, 'To one of our numbers, digits; null: its chats are left out.', mappedAtMost.numbers),
  agents: mapped(to, "To a member's id; null: somebody who left.", mappedAtMost.agents),
  tags: mapped(to, "To a tag's id; null: left out. Others become tags of the same name.", mappedAtMost.tags),
})

const chatMapping = {
  number: Type.Optional(
    Type.String({ minLength: 1, maxLength: 60, description: "The customer's number, as people write it." }),
  ),
  ours: Type.Optional(
    Type.String({ minLength: 1, maxLength: nameMaxChars, description: 'The name under which we stand in the file.' }),
  ),
  phone: Type.Optional(
    Type.String({ minLength: 1, maxLength: 30, description: 'Which of our numbers the chat belongs to, digits.' }),
  ),
  dateOrder: Type.Optional(
    Type.Enum(dateOrders, {
      description: 'The order of day, month and year in dates; by default what the file suggests.',
    }),
  ),
}
const accountMapping = {
  account: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Which account of a dump with several accounts is imported. Another one is examined first.',
    }),
  ),
}
/** The choices that a person makes before an import starts. */
export const Mapping = Type.Object(
  { ...chatMapping, ...accountMapping, ...mappedParts(OptionalTarget) },
  { additionalProperties: false },
)
export type ImportMapping = Static<typeof Mapping>

/** The mapping of an import, as replies show it. */
export const ShownMapping = Type.Object({ ...chatMapping, ...accountMapping, ...mappedParts(ShownTarget) })
