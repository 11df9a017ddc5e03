import type { ArchivedImports } from '#server/messaging/imported/archived.ts'
import type { ImportedMessages } from '#server/messaging/imported/imported.ts'
import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ChatImport, importsApi } from '#shared/imports/api.ts'
import { importChatsListed, importsListed } from '#shared/imports/limits.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { listChats } from './chat-store.ts'
import { createImport } from './creating/creating.ts'
import { checkMapping, isMapped } from './creating/mapping.ts'
import type { Pieces } from './creating/pieces.ts'
import { importErrors } from './errors.ts'
import { canRetry, isDiscardable, presentImport, undoUntilOf } from './present.ts'
import { findImport, forgetContact, type ListedImport, listImports, type StoredImport, updateImport } from './store.ts'
import type { StoredState } from './table.ts'
import { pruneImports } from './undoing/pruning.ts'
import { isFetched } from './work/fetched.ts'
import { announceState } from './work/state-changes.ts'
import type { ImportWork } from './work/work.ts'

interface ImportParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  readonly pieces: Pieces
  readonly work: ImportWork
  readonly vault: Pick<Vault, 'encrypt'>
  readonly outbound: Pick<Outbound, 'call' | 'mayCall'>
  readonly importedMessages: Pick<ImportedMessages, 'listNumbers'>
  readonly archivedImports: Pick<ArchivedImports, 'listPeople' | 'listTags'>
  readPhone(orgId: string, typed: string): Promise<string | undefined>
}

const invalidAccount = () => new InvalidInput([{ field: 'body.account', code: 'invalid', params: {} }])

/** Imports of chats: the calls that make and steer them, and what is deleted of them. */
export function createImports(parts: ImportParts) {
  const { databases, clock, writes, work } = parts
  const { read } = databases

  const getImport = async (db: typeof read, orgId: string, id: string): Promise<StoredImport> => {
    const one = await findImport(db, orgId, id)
    if (!one || one.state === 'discarding') throw importErrors.NOT_FOUND()
    return one
  }

  const present = (one: ListedImport) => presentImport(one, isoNow(clock))

  /** Changes an import that is in one of these states. @throws IMPORTS_NOT_FOUND, IMPORTS_WRONG_STATE */
  const change = (
    caller: OrgCaller,
    id: string,
    states: readonly StoredState[],
    act: (write: OrgWrite, one: StoredImport) => Promise<Parameters<typeof updateImport>[3]>,
  ): Promise<ChatImport> =>
    writes.run(caller.orgId, actorOf(caller), async write => {
      const one = await getImport(write.db, caller.orgId, id)
      if (!states.includes(one.state)) throw importErrors.WRONG_STATE()
      await updateImport(write.db, caller.orgId, id, await act(write, one))
      const after = await getImport(write.db, caller.orgId, id)
      announceState(write, after)
      return present(after)
    })

  const service: ServiceOf<typeof importsApi, OrgCaller> = {
    create: async (caller, { body }) => present(await createImport(parts, caller, body)),

    listImports: async ({ orgId }) => ({ items: (await listImports(read, orgId, importsListed)).map(present) }),

    getImport: async ({ orgId }, { params }) => present(await getImport(read, orgId, params.id)),

    async listChats({ orgId }, { params, query: { after = '' } }) {
      const one = await getImport(read, orgId, params.id)
      // Before the preview, chats have no names and counts, so none are listed.
      if (!isFetched(one) || one.found === null) return { items: [], next: null }
      const { id } = one
      const rows = await listChats(read, { orgId, importId: id }, { after, limit: importChatsListed + 1 })
      const shown = rows.slice(0, importChatsListed)
      return {
        items: shown.map(row => ({
          name: row.name,
          chat: row.conversation_id,
          brought: Number(row.brought),
          found: Number(row.found),
          foundSum: row.found_sum,
          kept: Number(row.kept),
          keptSum: row.kept_sum,
        })),
        next: rows.length > shown.length ? (shown.at(-1)?.source ?? null) : null,
      }
    },

    preview: (caller, { params }) =>
      change(caller, params.id, ['uploading', 'failed'], async (write, one) => {
        if (one.state === 'failed' && !canRetry(one)) throw importErrors.WRONG_STATE()
        if (one.size === null || one.received < one.size) throw importErrors.NOT_WHOLE()
        await work.begin(write, one.id)
        return { state: 'reading', failure: null, ended_at: null }
      }),

    async map(caller, { params, body }) {
      const mapping = await checkMapping(parts, caller.orgId, body, 'body')
      return change(caller, params.id, ['uploading', 'reading', 'ready'], async (write, one) => {
        const { account } = mapping
        const looked = one.found?.archive
        if (account !== undefined && one.state !== 'uploading' && account !== looked?.account) {
          if (one.state === 'reading') throw importErrors.WRONG_STATE()
          if (!looked?.accounts?.some(({ id }) => id === account)) throw invalidAccount()
          await work.begin(write, one.id)
          return { state: 'reading', found: null, mapping: { account } }
        }
        const names = one.found?.names.map(({ name }) => name)
        if (mapping.ours !== undefined && names && !names.includes(mapping.ours))
          throw new InvalidInput([{ field: 'body.ours', code: 'invalid', params: {} }])
        return { mapping: { ...one.mapping, ...mapping } }
      })
    },

    start: (caller, { params }) =>
      change(caller, params.id, ['ready'], async (write, one) => {
        if (!isMapped(one)) throw importErrors.NOT_MAPPED()
        await work.begin(write, one.id)
        return { state: 'running' }
      }),

    pause: (caller, { params }) =>
      change(caller, params.id, ['running', 'reading'], async (write, one) => {
        if (one.state === 'reading' && isFetched(one)) throw importErrors.WRONG_STATE()
        work.stop(write, one.id)
        return { state: 'paused' }
      }),

    resume: (caller, { params }) =>
      change(caller, params.id, ['paused'], async (write, one) => {
        const isWhole = isFetched(one)
        await (isWhole ? work.begin : work.beginFetching)(write, one.id)
        return { state: isWhole ? 'running' : 'reading', failure: null }
      }),

    undo: (caller, { params }) =>
      change(caller, params.id, ['done', 'paused', 'failed'], async (write, one) => {
        const until = undoUntilOf(one)
        if (until === null) throw importErrors.WRONG_STATE()
        if (until < isoNow(clock)) throw importErrors.UNDO_TOO_LATE()
        await work.begin(write, one.id)
        return { state: 'undoing', failure: null }
      }),

    discard: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const one = await getImport(write.db, caller.orgId, params.id)
        if (!isDiscardable(one, isoNow(clock)))
          throw undoUntilOf(one) === null ? importErrors.WRONG_STATE() : importErrors.CAN_BE_UNDONE()
        await updateImport(write.db, caller.orgId, one.id, { state: 'discarding' })
        work.stop(write, one.id)
        await work.begin(write, one.id)
        announceState(write, { id: one.id, state: 'discarding' })
        return { success: true }
      }),
  }

  return {
    service,

    present,

    /** @throws IMPORTS_NOT_FOUND */
    getStored: (orgId: string, id: string) => getImport(read, orgId, id),

    listener: {
      name: 'imports of erased contacts',
      on: ['contact.erased'],
      essential: true,
      async handle({ db, orgId }, events) {
        for (const { data } of events) await forgetContact(db, orgId, data.contactId, isoNow(clock))
      },
    } satisfies TransactionListener<'contact.erased'>,

    prune: () => pruneImports(parts),
  }
}

export type Imports = ReturnType<typeof createImports>
