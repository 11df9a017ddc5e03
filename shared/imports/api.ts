import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

/** A whole file, as WhatsApp exports it with its media. */
export const importMaxBytes = 4 * 1024 ** 3
/** One piece of a file. */
export const importPieceMaxBytes = 64 * 1024 ** 2
export const importsListed = 50
/** Imports that are not begun are deleted after this time, with their files. */
export const importKeptDays = 7
export const importUndoDays = 30
/** Lines that cannot be taken and are listed. */
export const refusedListed = 500
/** Names in a chat that are listed. */
export const namesListed = 50
const nameMaxChars = 200

const sources = ['whatsapp'] as const
const states = ['uploading', 'reading', 'ready', 'running', 'paused', 'done', 'failed', 'undone'] as const
export type ImportState = (typeof states)[number]

/** Why an import cannot go on. */
const failures = [
  'noChat',
  'group',
  'notZip',
  'zipName',
  'zipLink',
  'zipTwice',
  'zipSize',
  'zipEncrypted',
  'zipBroken',
  'numberGone',
  'noRoom',
  'erased',
  'broken',
] as const
export type ImportFailure = (typeof failures)[number]

/** Why a line or a file is not taken. */
const refusals = ['stray', 'date', 'fileMissing', 'fileTooLarge'] as const
export type Refusal = (typeof refusals)[number]

const dateOrders = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof dateOrders)[number]

const count = Type.Integer({ minimum: 0 })
const Id = Type.String({ minLength: 1, maxLength: 64 })

const Mapping = Type.Object(
  {
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
  },
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
  source: Type.Enum(sources),
  fileName: Nullable(Type.String()),
  state: Type.Enum(states, {
    description: '`running`: also while it waits for others, and while it is undone (`undoing`).',
  }),
  undoing: Type.Optional(Type.Literal(true)),
  failure: Nullable(
    Type.Enum(failures, {
      description:
        '`noChat`: no chat in it · `group`: a chat of several people · `zip…`: the archive is damaged or hostile · `numberGone`: our number was removed · `noRoom`: the organization has no room for files; resume it when there is · `erased`: its contact was erased · `broken`: an error.',
    }),
  ),
  uploadUrl: Type.String(),
  size: Nullable(Type.Integer({ description: 'Bytes of the whole file; null until the first piece came.' })),
  received: count,
  mapping: Mapping,
  found: Nullable(Found),
  taken: Taken,
  refused: Type.Integer({ minimum: 0, description: 'Lines and files that are not taken.' }),
  progress: Type.Object({ done: count, total: count }),
  chat: Nullable(Type.String({ description: 'Address of the chat; null: not begun.' })),
  author: Type.String({ description: 'By name.' }),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
  undoUntil: Nullable(Type.String({ description: 'Until when it can be undone; null: it cannot.' })),
})
export type ChatImport = Static<typeof ChatImport>

const Params = Type.Object({ id: Id }, { additionalProperties: false })
const ofOne = { access: 'member:manage', params: Params, reply: ChatImport, refuses: [404, 409] } as const

/** Chats that another program exported: uploaded, looked through, mapped and taken in by a job. */
export const importsApi = {
  create: endpoint({
    method: 'POST',
    path: '/imports',
    access: 'member:manage',
    body: Type.Object(
      {
        source: Type.Enum(sources),
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
    summary: 'Creates an import of chats. Its file is uploaded next.',
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
  preview: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/imports/:id/preview',
    status: 202,
    summary: 'Examines the uploaded file. Nothing is imported yet.',
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
    'Uploads the file, whole or in pieces with `content-range`. Pieces come in order; `received` says where the next one begins.',
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
