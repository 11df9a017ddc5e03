import { type Static, Type } from 'typebox'
import { Nullable } from '#shared/kernel/list.ts'
import { mappedAtMost, namesListed, sampleMessages } from './limits.ts'
import { dateOrders } from './states.ts'

const count = Type.Integer({ minimum: 0 })

/** The contents of a file, counted before anything is imported. */
export const Found = Type.Object({
  chats: count,
  messages: count,
  contacts: count,
  files: Type.Integer({ minimum: 0, description: 'Files that the chat names and the export has.' }),
  missingFiles: Type.Integer({ minimum: 0, description: 'Files that the chat names and the export lacks.' }),
  from: Nullable(Type.String({ description: 'Of the first message, on the clock of the phone.' })),
  to: Nullable(Type.String()),
  names: Type.Array(Type.Object({ name: Type.String(), messages: count }), { maxItems: namesListed }),
  dateOrder: Type.Enum(dateOrders),
  isDateSure: Type.Boolean({ description: 'False: day and month of the dates may be the other way round.' }),
  sample: Type.Optional(
    Type.Array(
      Type.Object({
        at: Type.String(),
        name: Nullable(Type.String({ description: 'The author; null: none is named.' })),
        isOurs: Type.Optional(Type.Boolean({ description: 'Absent: the file does not say it.' })),
        text: Type.String(),
        type: Type.String(),
      }),
      { maxItems: sampleMessages, description: 'The first messages of a chat.' },
    ),
  ),
  archive: Type.Optional(
    Type.Object(
      {
        organization: Type.String({ description: 'By name.' }),
        madeAt: Nullable(Type.String()),
        account: Type.Optional(Type.String({ description: 'Of several accounts, the one that was examined.' })),
        accounts: Type.Optional(
          Type.Array(Type.Object({ id: Type.String(), name: Type.String(), chats: count }), {
            maxItems: mappedAtMost.accounts,
          }),
        ),
        numbers: Type.Array(
          Type.Object({
            id: Type.String(),
            phone: Type.String({ description: 'Digits; empty: the source does not know it.' }),
            label: Type.Optional(Type.String()),
            chats: count,
          }),
          { maxItems: mappedAtMost.numbers },
        ),
        agents: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), messages: count }), {
          maxItems: mappedAtMost.agents,
        }),
        tags: Type.Array(Type.Object({ label: Type.String(), contacts: count }), { maxItems: mappedAtMost.tags }),
      },
      { description: 'Only of an archive or a dump: its organization, and what can be mapped.' },
    ),
  ),
})
export type ImportFound = Static<typeof Found>

/** The counts of an import so far. */
export const Taken = Type.Object({
  messages: count,
  files: count,
  contacts: count,
  existing: Type.Integer({ minimum: 0, description: 'Messages that were here already.' }),
})
export type ImportTaken = Static<typeof Taken>
