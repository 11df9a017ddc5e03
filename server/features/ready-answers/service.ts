import type { ReceivedFiles } from '#server/messaging/media/received.ts'
import { readSentFile } from '#server/messaging/media/sent-file.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { affectedAuthors, isOwn, requireChangeable } from '#server/platform/http/own-or-shared.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { FileStorage } from '#server/platform/storage/storage.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import { captionMaxChars } from '#shared/media/sent-files.ts'
import {
  maxOwnAnswers,
  maxSharedAnswers,
  type NewAnswer,
  type ReadyAnswer,
  type readyAnswersApi,
  shortcutOf,
  unknownVariable,
} from '#shared/ready-answers/api.ts'
import { answerErrors } from './errors.ts'
import { deleteFile, insertFile, listFiles, type StoredFile } from './file-store.ts'
import { findAnswer, insertAnswer, listAnswers, removeAnswer, type StoredAnswer, saveAnswer } from './store.ts'

interface AnswerParts {
  readonly databases: Databases
  readonly ids: () => string
  readonly writes: Pick<Writes, 'run'>
  readonly files: Pick<ReceivedFiles, 'own' | 'disown'>
  readonly storage: Pick<FileStorage, 'read'>
}

const most = { shared: maxSharedAnswers, own: maxOwnAnswers }

const refuse = (field: 'title' | 'text' | 'shared') =>
  new InvalidInput([{ field: `body.${field}`, code: 'invalid', params: {} }])

/** @throws InvalidInput when the text is too long for a caption, or the answer cannot have a file */
const requireCaption = (field: 'body.text' | 'body.file', text: string) => {
  if ([...text].length > captionMaxChars)
    throw new InvalidInput([
      field === 'body.text'
        ? { field, code: 'maxLength', params: { limit: captionMaxChars } }
        : { field, code: 'fileCaption', params: { limit: captionMaxChars } },
    ])
}
const missingFile = () =>
  new InvalidInput([{ field: 'body.file', code: 'required', params: {}, text: 'errors:field.fileMissing' }])

/** @throws InvalidInput for a title without visible characters, and for an unknown variable. */
const contentOf = ({ title: typedTitle, shortcut, text }: Pick<NewAnswer, 'title' | 'shortcut' | 'text'>) => {
  const title = typedTitle.normalize('NFC').trim().replace(/\s+/g, ' ')
  if (!isPlainName(title)) throw refuse('title')
  if (unknownVariable(text) !== undefined) throw refuse('text')
  return { title, shortcut: shortcutOf(shortcut), text: text.trim() }
}

/** Ready answers. Everybody has the shared ones and their own. */
export function createReadyAnswers({ databases, ids, writes, files, storage }: AnswerParts) {
  const listOf = (db: Db, caller: OrgCaller) => listAnswers(db, caller.orgId, { authorId: callerId(caller), most })

  const present = (
    caller: OrgCaller,
    { authorId, ...answer }: StoredAnswer,
    file: StoredFile | undefined,
  ): ReadyAnswer => ({
    ...answer,
    own: isOwn({ authorId, ...answer }, caller),
    file: file ? { id: file.id, kind: file.kind, name: file.name, mime: file.mime, size: file.size } : null,
  })
  const fileOf = async (db: Db, orgId: string, answerId: string) => (await listFiles(db, orgId, [answerId]))[0]

  /** Deletes the file after nothing refers to it. */
  const removeFile = async (write: OrgWrite, answerId: string): Promise<void> => {
    const file = await deleteFile(write.db, write.orgId, answerId)
    if (file) await files.disown(write, file)
  }

  /** @throws READY_ANSWERS_SHORTCUT_TAKEN, READY_ANSWERS_TOO_MANY */
  const requireBelowLimit = async (db: Db, caller: OrgCaller, answer: StoredAnswer): Promise<void> => {
    const others = (await listOf(db, caller)).filter(({ id }) => id !== answer.id)
    const taken = others.find(({ shortcut }) => shortcut === answer.shortcut)
    if (taken)
      throw answerErrors.SHORTCUT_TAKEN({
        fields: ['body.shortcut'],
        params: { shortcut: taken.shortcut, title: taken.title },
      })
    const limit = answer.shared ? most.shared : most.own
    if (others.filter(({ shared }) => shared === answer.shared).length >= limit)
      throw answerErrors.TOO_MANY({ params: { limit } })
  }

  /** @throws READY_ANSWERS_NOT_FOUND, READY_ANSWERS_NOT_YOURS */
  const requireAnswer = async ({ db, orgId }: OrgWrite, caller: OrgCaller, id: string): Promise<StoredAnswer> =>
    requireChangeable(await findAnswer(db, orgId, id), caller, answerErrors)

  const tell = ({ emit }: OrgWrite, ...versions: readonly StoredAnswer[]) =>
    emit({ type: 'readyAnswer.changed', data: { userIds: affectedAuthors(...versions) } })

  const service: ServiceOf<typeof readyAnswersApi, OrgCaller> = {
    async listAnswers(caller) {
      const answers = await listOf(databases.read, caller)
      const found = await listFiles(
        databases.read,
        caller.orgId,
        answers.map(({ id }) => id),
      )
      const byAnswer = new Map(found.map(file => [file.answerId, file]))
      return { items: answers.map(answer => present(caller, answer, byAnswer.get(answer.id))) }
    },

    createAnswer: (caller, { body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const answer = { id: ids(), authorId: callerId(caller), shared: body.shared ?? false, ...contentOf(body) }
        await requireBelowLimit(write.db, caller, answer)
        await insertAnswer(write.db, write.orgId, answer)
        tell(write, answer)
        return present(caller, answer, undefined)
      }),

    changeAnswer: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const before = await requireAnswer(write, caller, params.id)
        const after = { ...before, shared: body.shared ?? before.shared, ...contentOf({ ...before, ...body }) }
        // A shared text cannot be made private by somebody who is not its author.
        if (!after.shared && !isOwn(after, caller)) throw refuse('shared')
        await requireBelowLimit(write.db, caller, after)
        const file = await fileOf(write.db, write.orgId, after.id)
        if (file) requireCaption('body.text', after.text)
        await saveAnswer(write.db, write.orgId, after)
        tell(write, before, after)
        return present(caller, after, file)
      }),

    deleteAnswer: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const answer = await requireAnswer(write, caller, params.id)
        await removeFile(write, answer.id)
        await removeAnswer(write.db, write.orgId, answer.id)
        tell(write, answer)
        return { success: true }
      }),

    /** @throws InvalidInput naming `file` or `name`: empty, a type that cannot be attached, or too large */
    setFile: (caller, { params, body, file: received }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const answer = await requireAnswer(write, caller, params.id)
        if (!received) throw missingFile()
        const { kind, mime, name } = readSentFile(received, body)
        // Stickers cannot have a text, and voice notes are personal.
        if (kind === 'sticker' || kind === 'voice')
          throw new InvalidInput([{ field: 'body.file', code: 'fileKind', params: {} }])
        if (kind !== 'audio') requireCaption('body.file', answer.text)
        await removeFile(write, answer.id)
        const { id, size, sha256 } = received
        const { path, broughtBy } = await files.own(write, received)
        const file: StoredFile = {
          answerId: answer.id,
          id,
          kind,
          mime,
          name,
          size,
          sha256,
          path,
          brought_by: broughtBy,
        }
        await insertFile(write.db, write.orgId, file)
        tell(write, answer)
        return present(caller, answer, file)
      }),

    removeFile: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const answer = await requireAnswer(write, caller, params.id)
        await removeFile(write, answer.id)
        tell(write, answer)
        return present(caller, answer, undefined)
      }),
  }
  return {
    service,
    /** @throws READY_ANSWERS_NOT_FOUND, READY_ANSWERS_FILE_NOT_FOUND */
    async getFile(caller: OrgCaller, answerId: string): Promise<StoredFile> {
      if (!(await listOf(databases.read, caller)).some(({ id }) => id === answerId)) throw answerErrors.NOT_FOUND()
      const file = await fileOf(databases.read, caller.orgId, answerId)
      if (!file) throw answerErrors.FILE_NOT_FOUND()
      return file
    },
    readFile: (path: string) => storage.read(path),
  }
}
export type ReadyAnswers = ReturnType<typeof createReadyAnswers>
