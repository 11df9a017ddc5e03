import type { ServiceOf } from '#shared/contract.ts'
import { isPlainName } from '#shared/plain-name.ts'
import {
  maxOwnAnswers,
  maxSharedAnswers,
  type NewAnswer,
  type ReadyAnswer,
  type readyAnswersApi,
  shortcutOf,
  unknownVariable,
} from '#shared/ready-answers.ts'
import { callerId, type OrgCaller } from '../actor.ts'
import type { Databases, Db } from '../db.ts'
import { actorOf } from '../events/actors.ts'
import type { OrgWrite, Writes } from '../events/writes.ts'
import { audienceOf, isOwn, requireChangeable } from '../own-or-shared.ts'
import { InvalidInput } from '../validate.ts'
import { answerErrors } from './errors.ts'
import { findAnswer, insertAnswer, listAnswers, removeAnswer, type StoredAnswer, saveAnswer } from './store.ts'

interface AnswerParts {
  readonly databases: Databases
  readonly ids: () => string
  readonly writes: Pick<Writes, 'run'>
}

const most = { shared: maxSharedAnswers, own: maxOwnAnswers }

const refuse = (field: 'title' | 'text' | 'shared') =>
  new InvalidInput([{ field: `body.${field}`, code: 'invalid', params: {} }])

/** @throws InvalidInput for a title of which nothing is seen, and for a variable there is not. */
const contentOf = ({ title: typedTitle, shortcut, text }: Pick<NewAnswer, 'title' | 'shortcut' | 'text'>) => {
  const title = typedTitle.normalize('NFC').trim().replace(/\s+/g, ' ')
  if (!isPlainName(title)) throw refuse('title')
  if (unknownVariable(text) !== undefined) throw refuse('text')
  return { title, shortcut: shortcutOf(shortcut), text: text.trim() }
}

/** Texts that are written once and put where somebody answers. Everybody has those that are shared, and their own. */
export function createReadyAnswers({
  databases,
  ids,
  writes,
}: AnswerParts): ServiceOf<typeof readyAnswersApi, OrgCaller> {
  const listOf = (db: Db, caller: OrgCaller) => listAnswers(db, caller.orgId, { authorId: callerId(caller), most })

  const present = (caller: OrgCaller, { authorId, ...answer }: StoredAnswer): ReadyAnswer => ({
    ...answer,
    own: isOwn({ authorId, ...answer }, caller),
  })

  /** @throws READY_ANSWERS_SHORTCUT_TAKEN, READY_ANSWERS_TOO_MANY */
  const requireRoom = async (db: Db, caller: OrgCaller, answer: StoredAnswer): Promise<void> => {
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
    emit({ type: 'readyAnswer.changed', data: { userIds: audienceOf(...versions) } })

  return {
    listAnswers: async caller => ({
      items: (await listOf(databases.read, caller)).map(answer => present(caller, answer)),
    }),

    createAnswer: (caller, { body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const answer = { id: ids(), authorId: callerId(caller), shared: body.shared ?? false, ...contentOf(body) }
        await requireRoom(write.db, caller, answer)
        await insertAnswer(write.db, write.orgId, answer)
        tell(write, answer)
        return present(caller, answer)
      }),

    changeAnswer: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const before = await requireAnswer(write, caller, params.id)
        const after = { ...before, shared: body.shared ?? before.shared, ...contentOf({ ...before, ...body }) }
        // Nobody takes a text from the team by making it somebody else's.
        if (!after.shared && !isOwn(after, caller)) throw refuse('shared')
        await requireRoom(write.db, caller, after)
        await saveAnswer(write.db, write.orgId, after)
        tell(write, before, after)
        return present(caller, after)
      }),

    deleteAnswer: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const answer = await requireAnswer(write, caller, params.id)
        await removeAnswer(write.db, write.orgId, answer.id)
        tell(write, answer)
        return { success: true }
      }),
  }
}
