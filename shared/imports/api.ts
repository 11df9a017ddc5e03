import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'

const largeBytes = 64 * 1024 ** 3
/** A whole file: a chat as WhatsApp exports it with its media; an archive or a dump with all its files. */
export const importMaxBytes = {
  ...{ whatsapp: 4 * 1024 ** 3, recado: largeBytes, chatwoot: largeBytes, whaticket: largeBytes },
} as const
/** One piece of a file. */
export const importPieceMaxBytes = 64 * 1024 ** 2
/**
 * Bytes that a piece of a file of `total` bytes has at least, except the last one. Each piece is a row and a file, and so
 * there are 16,384 of them at most.
 */
export const leastPieceBytes = (total: number): number => Math.min(4 * 1024 ** 2, Math.ceil(total / 1_000))
export const importsListed = 50
/** Imports that are not begun are deleted after this time, with their files. */
export const importKeptDays = 7
export const importUndoDays = 30
/** Lines that cannot be taken and are listed. */
export const refusedListed = 500
/** Chats that a report lists at once. */
export const importChatsListed = 100
/** Messages of a preview. */
export const sampleMessages = 8
/** The most numbers, people and tags that a person maps by hand. Further ones are mapped as suggested. */
export const mappedAtMost = { accounts: 50, numbers: 50, agents: 300, tags: 500 } as const
/** Names in a chat that are listed. */
export const namesListed = 50
const nameMaxChars = 200

export const importSources = ['whatsapp', 'recado', 'chatwoot', 'whaticket'] as const
export type ImportSource = (typeof importSources)[number]
const states = ['uploading', 'reading', 'ready', 'running', 'paused', 'done', 'failed', 'undone'] as const
export type ImportState = (typeof states)[number]

/** Why an import cannot go on. */
const failures = [
  'noChat',
  'notArchive',
  'version',
  'group',
  'notZip',
  'zipName',
  'zipLink',
  'zipTwice',
  'zipSize',
  'zipEncrypted',
  'zipBroken',
  'notDump',
  'dumpFormat',
  'cutOff',
  'encoding',
  'columns',
  'tokenRefused',
  'unreachable',
  'oddAnswer',
  'numberGone',
  'noRoom',
  'storage',
  'tooMany',
  'erased',
  'broken',
] as const
export type ImportFailure = (typeof failures)[number]

/** Why a line or a file is not taken. */
const refusals = [
  ...['stray', 'date', 'fileMissing', 'fileTooLarge'],
  ...['record', 'tooLong', 'orphan', 'leftOut'],
  ...['group', 'self', 'noNumber', 'channel', 'notice', 'noteFile'],
] as const
export type Refusal = (typeof refusals)[number]

const dateOrders = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof dateOrders)[number]

const count = Type.Integer({ minimum: 0 })
const Id = Type.String({ minLength: 1, maxLength: 64 })

const Target = Type.String({ minLength: 1, maxLength: 64 })
const OptionalTarget = Type.Union([Target, Type.Null()])
/** In replies, whose serializer knows no unions with null. */
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
    Type.Enum(dateOrders, { description: 'Which number of a date is the day; by default what the file suggests.' }),
  ),
}
const accountMapping = {
  account: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: 64 },
      description: 'Which account of a dump with several is imported. Another one is looked through first.',
    }),
  ),
}
const Mapping = Type.Object(
  { ...chatMapping, ...accountMapping, ...mappedParts(OptionalTarget) },
  { additionalProperties: false },
)
export type ImportMapping = Static<typeof Mapping>

const Found = Type.Object({
  chats: count,
  messages: count,
  contacts: count,
  files: Type.Integer({ minimum: 0, description: 'Files that the chat names and the export has.' }),
  missingFiles: Type.Integer({ minimum: 0, description: 'Files that the chat names and the export lacks.' }),
  from: Nullable(Type.String({ description: 'Of the first message, on the clock of the phone.' })),
  to: Nullable(Type.String()),
  names: Type.Array(Type.Object({ name: Type.String(), messages: count }), { maxItems: namesListed }),
  dateOrder: Type.Enum(dateOrders),
  isDateSure: Type.Boolean({ description: 'False: the dates can be read in another way, too.' }),
  sample: Type.Optional(
    Type.Array(
      Type.Object({
        at: Type.String(),
        name: Nullable(Type.String({ description: 'Who wrote it; null: nobody is named.' })),
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
        account: Type.Optional(Type.String({ description: 'Of several accounts, the one that was looked through.' })),
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
      { description: 'Of an archive or a dump: whose it is, and what is mapped.' },
    ),
  ),
})
export type ImportFound = Static<typeof Found>

const Taken = Type.Object({
  messages: count,
  files: count,
  contacts: count,
  existing: Type.Integer({ minimum: 0, description: 'Messages that were here already.' }),
})
export type ImportTaken = Static<typeof Taken>

export const ChatImport = Type.Object({
  id: Id,
  source: Type.Enum(importSources),
  fileName: Nullable(Type.String()),
  state: Type.Enum(states, {
    description: '`running`: also while it waits for others, and while it is undone (`undoing`).',
  }),
  undoing: Type.Optional(Type.Literal(true)),
  failure: Nullable(
    Type.Enum(failures, {
      description:
        "`noChat`: no chat in it · `notArchive`: no archive of Recado · `version`: an archive of a newer Recado · `group`: a chat of several people · `zip…`: the archive is damaged or hostile · `notDump`: no dump of that program · `dumpFormat`: a dump of PostgreSQL that is not in plain form · `cutOff`: the end of the dump is missing · `encoding`: it is not in the encoding that it states · `columns`: it lacks a column without which nothing can be read · `tokenRefused`: Chatwoot refuses the token, or its rights do not suffice · `unreachable`: the other program does not answer; resume it later · `oddAnswer`: its answers are not Chatwoot's; resume it later · `numberGone`: our number was removed · `noRoom`: the organization has no room for files; resume it when there is · `storage`: the disk or the storage of files is full or away; resume it later · `tooMany`: it has too many contacts or notes; resume it when there are fewer · `erased`: its contact was erased · `broken`: an error. One that was paused by it can be resumed, one that failed can be examined again.",
    }),
  ),
  address: Nullable(Type.String({ description: 'Of the program it is fetched from; null: a file is uploaded.' })),
  fetching: Type.Optional(
    Type.Object(
      { done: count, total: count },
      { description: 'While it is fetched from another program: conversations that came, of how many.' },
    ),
  ),
  uploadUrl: Type.String(),
  size: Nullable(Type.Integer({ description: 'Bytes of the whole file; null until the first piece came.' })),
  received: count,
  mapping: Type.Object({ ...chatMapping, ...accountMapping, ...mappedParts(ShownTarget) }),
  found: Nullable(Found),
  taken: Taken,
  refused: Type.Integer({ minimum: 0, description: 'Lines and files that are not taken.' }),
  reasons: Type.Array(Type.Object({ why: Type.Enum(refusals), count }), {
    maxItems: refusals.length,
    description: 'Why, the most frequent reason first.',
  }),
  progress: Type.Object({ done: count, total: count }),
  chat: Nullable(Type.String({ description: 'Address of the chat; null: not begun, or several.' })),
  author: Type.String({ description: 'By name.' }),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
  undoUntil: Nullable(Type.String({ description: 'Until when it can be undone; null: it cannot.' })),
  canRetry: Type.Boolean({ description: 'Whether it failed for an error here, and can be examined again.' }),
  isDiscardable: Type.Boolean({ description: 'Whether it can be deleted: it brought nothing that can be undone.' }),
})
export type ChatImport = Static<typeof ChatImport>

const From = Type.Object(
  {
    address: Type.String({
      ...{ minLength: 1, maxLength: 500 },
      description: 'Of Chatwoot, as the browser shows it. With several accounts, of one: `https://…/app/accounts/1`.',
    }),
    token: Type.String({
      ...{ minLength: 1, maxLength: 500 },
      description: "An administrator's access token. It is deleted when everything came.",
    }),
  },
  {
    additionalProperties: false,
    description: 'With `chatwoot`: it is fetched from there, and no file is uploaded. The preview begins by itself.',
  },
)

const Params = Type.Object({ id: Id }, { additionalProperties: false })
const ofOne = { access: 'member:manage', params: Params, reply: ChatImport, refuses: [404, 409] } as const

const ImportChat = Type.Object({
  name: Type.String(),
  chat: Nullable(Type.String({ description: 'Address of the chat; null: it was left out.' })),
  found: Type.Integer({ minimum: 0, description: 'Messages in the file.' }),
  foundSum: Type.String({ description: 'Their checksum: equal for equal messages, whatever their order.' }),
  kept: Type.Integer({ minimum: 0, description: 'Those of them that are stored here, read again from the database.' }),
  keptSum: Type.String(),
  brought: Type.Integer({ minimum: 0, description: 'Those that this import brought.' }),
})

/** Chats that another program exported: uploaded, looked through, mapped and taken in by a job. */
export const importsApi = {
  create: endpoint({
    method: 'POST',
    path: '/imports',
    access: 'member:manage',
    body: Type.Object(
      {
        source: Type.Enum(importSources),
        from: Type.Optional(From),
        options: Type.Optional(
          Type.Object(
            { ...Mapping.properties, fileName: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })) },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    status: 201,
    idempotent: true,
    reply: ChatImport,
    refuses: [409],
    summary: 'Creates an import of chats. Its file is uploaded next, or it is fetched from another program.',
  }),
  listImports: endpoint({
    method: 'GET',
    path: '/imports',
    access: 'member:manage',
    reply: Type.Object({ items: Type.Array(ChatImport, { maxItems: importsListed }) }),
    summary: `The last ${importsListed} imports, newest first.`,
  }),
  getImport: endpoint({
    ...ofOne,
    method: 'GET',
    path: '/imports/:id',
    summary: 'The progress of an import: what was found and what was imported.',
  }),
  listChats: endpoint({
    method: 'GET',
    path: '/imports/:id/chats',
    access: 'member:manage',
    params: Params,
    query: Type.Object(
      { after: Type.Optional(Type.String({ maxLength: 100, description: '`next` of the page before.' })) },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      items: Type.Array(ImportChat, { maxItems: importChatsListed }),
      next: Nullable(Type.String({ description: 'Null: there are no more.' })),
    }),
    refuses: [404],
    summary: 'The chats of an import with counts and checksums, of the file and of what is stored.',
  }),
  preview: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/imports/:id/preview',
    status: 202,
    summary: 'Examines the uploaded file. Nothing is imported yet. Also one that failed for an error here.',
  }),
  map: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/imports/:id/mapping',
    body: Mapping,
    summary: 'Maps the people of the file to contacts and members. People who are not named stay as they are.',
  }),
  start: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/imports/:id/start',
    status: 202,
    summary: 'Imports the messages. Nobody is notified, and no flow starts.',
  }),
  pause: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/imports/:id/pause',
    summary: 'Pauses an import. What was imported stays.',
  }),
  resume: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/imports/:id/resume',
    status: 202,
    summary: 'Resumes a paused import.',
  }),
  undo: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/imports/:id/undo',
    status: 202,
    summary: `Removes everything that an import added, within ${importUndoDays} days.`,
  }),
  discard: endpoint({
    method: 'DELETE',
    path: '/imports/:id',
    access: 'member:manage',
    params: Params,
    reply: Done,
    refuses: [404, 409],
    summary: `Deletes an import with its file. One that brought messages can be deleted ${importUndoDays} days later; they stay.`,
  }),
} as const

const OfLink = Type.Object(
  {
    organization: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Id or slug, for links, which send no header.' }),
    ),
  },
  { additionalProperties: false },
)

/** Their routes are registered separately, because the body or the answer is not JSON. */
export const importFile = endpoint({
  method: 'PUT',
  path: '/imports/:id/file',
  access: 'member:manage',
  params: Params,
  reply: ChatImport,
  refuses: [404, 409],
  summary:
    'Uploads the file, whole or in pieces with `content-range`. Pieces come in order; `received` says where the next one begins. Each but the last has at least 4 MB, or a thousandth of a smaller file.',
})
export const importRefused = endpoint({
  method: 'GET',
  path: '/imports/:id/refused',
  access: 'member:manage',
  params: Params,
  query: OfLink,
  reply: Type.String({ description: 'Comma-separated values in UTF-8.' }),
  refuses: [404],
  summary: `The first ${refusedListed} lines and files that are not imported, and why.`,
})
