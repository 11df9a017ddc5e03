import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'
import { Found, Taken } from './found.ts'
import { importChatsListed, importsListed, importUndoDays, refusedListed } from './limits.ts'
import { Mapping, ShownMapping } from './mapping.ts'
import { importFailures, importSources, importStates, refusals } from './states.ts'

const count = Type.Integer({ minimum: 0 })
const Id = Type.String({ minLength: 1, maxLength: 64 })

export const ChatImport = Type.Object({
  id: Id,
  source: Type.Enum(importSources),
  fileName: Nullable(Type.String()),
  state: Type.Enum(importStates, {
    description: '`running`: also while it waits for other imports, and while it is being undone (`undoing`).',
  }),
  undoing: Type.Optional(Type.Literal(true)),
  failure: Nullable(
    Type.Enum(importFailures, {
      description:
        "`noChat`: no chat in it · `notArchive`: no archive of Recado · `version`: an archive of a newer Recado · `group`: a chat of several people · `zip…`: the archive is damaged or hostile · `notDump`: no dump of that program · `dumpFormat`: a dump of PostgreSQL that is not in plain form · `cutOff`: the end of the dump is missing · `encoding`: it is not in the encoding that it states · `columns`: it lacks a column without which nothing can be read · `tokenRefused`: Chatwoot refuses the token, or its rights do not suffice · `unreachable`: the other program does not answer; resume it later · `oddAnswer`: its answers are not Chatwoot's; resume it later · `numberGone`: our number was removed · `noRoom`: the organization has no room for files; resume it when there is · `storage`: the disk or the storage of files is full or away; resume it later · `tooMany`: it has too many contacts or notes; resume it when there are fewer · `erased`: its contact was erased · `broken`: an error. One that was paused by it can be resumed, one that failed can be examined again.",
    }),
  ),
  address: Nullable(
    Type.String({ description: 'Address of the program it is fetched from; null: a file is uploaded.' }),
  ),
  fetching: Type.Optional(
    Type.Object(
      { done: count, total: count },
      { description: 'While it is fetched from another program: conversations that came, of how many.' },
    ),
  ),
  uploadUrl: Type.String(),
  size: Nullable(Type.Integer({ description: 'Bytes of the whole file; null until the first piece came.' })),
  received: count,
  mapping: ShownMapping,
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
  undoUntil: Nullable(Type.String({ description: 'Time until which it can be undone; null: it cannot.' })),
  canRetry: Type.Boolean({ description: 'Whether it failed for an error here, and can be examined again.' }),
  isDiscardable: Type.Boolean({ description: 'Whether it can be deleted: it added nothing that can still be undone.' }),
})
export type ChatImport = Static<typeof ChatImport>

const From = Type.Object(
  {
    address: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Of Chatwoot, as the browser shows it. With several accounts, of one: `https://…/app/accounts/1`.',
    }),
    token: Type.String({
      minLength: 1,
      maxLength: 500,
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
  kept: Type.Integer({ minimum: 0, description: 'How many of them are stored here, read again from the database.' }),
  keptSum: Type.String(),
  brought: Type.Integer({ minimum: 0, description: 'Messages that this import added.' }),
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
    summary: `Deletes an import with its file. An import that added messages can be deleted ${importUndoDays} days later; its messages stay.`,
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
