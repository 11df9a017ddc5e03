import type { Databases } from '#server/platform/db/db.ts'
import { requireRowsLeft } from '#server/platform/db/row-limits-store.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { TemplateDraft, TemplateMigration } from '#shared/templates/api.ts'
import { checkTemplate } from '#shared/templates/check.ts'
import { handleOf } from '#shared/templates/files.ts'
import { unratedQuality } from '#shared/templates/words.ts'
import { templateErrors } from '../errors.ts'
import { withHandles } from '../files/headers.ts'
import { findByKey, findTemplate, putTemplate, type StoredTemplate } from '../store.ts'
import type { SyncOutcome } from '../sync/sync-writing.ts'
import { templateChanged } from './changes.ts'
import { invalidTemplate } from './input.ts'
import type { Submission } from './submission.ts'

interface Parts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly sync: { sync(orgId: string): Promise<SyncOutcome> }
  openAccount(orgId: string): Promise<{ wabaId: string } | undefined>
  translate(language: Language, key: string, params?: Record<string, string | number>): string
}

type Item = TemplateMigration['items'][number]

const maxItems = 500

/** Copies templates from the connected account, or from an earlier account to this one. */
export function createMigration(parts: Parts, submission: Submission) {
  const { databases, clock, writes } = parts

  const itemOf = (template: StoredTemplate, result: Item['result']): Item => ({
    id: template.id,
    name: template.name,
    language: template.language,
    result,
    reason: null,
  })

  const reasonOf = (error: AppError, language: Language): Item['reason'] => {
    const [fault] = error instanceof InvalidInput ? error.faults : []
    const key = fault?.text ?? `errors:${error.code}`
    return { code: fault?.code ?? error.code, message: parts.translate(language, key, fault?.params ?? error.params) }
  }

  const draftOf = (template: StoredTemplate): TemplateDraft => ({
    name: template.name,
    language: template.language,
    category: (template.categoryAsked ?? template.category) as TemplateDraft['category'],
    parameterFormat: template.parameterFormat,
    components: withHandles(template.components, ({ card }) => {
      const file = template.media.find(one => one.card === card)
      // Meta's address of a file is useless in another account. Without our copy the check asks for a file.
      return file ? handleOf(file.id) : ''
    }),
    ...(template.ttlSeconds === null ? {} : { ttlSeconds: template.ttlSeconds }),
  })

  const copy = async (member: OrgCaller, wabaId: string, old: StoredTemplate): Promise<Item> => {
    const { orgId } = member
    const there = await findByKey(databases.read, orgId, wabaId, old)
    if (there) return itemOf(there, 'exists')
    const draft = draftOf(old)
    const faults = checkTemplate(draft)
    if (faults.length) throw invalidTemplate(faults)
    await requireRowsLeft(databases.read, orgId, 'template')
    const made = await submission.create(orgId, draft)
    const now = isoNow(clock)
    const next: StoredTemplate = {
      ...old,
      ...made,
      wabaId,
      categoryAsked: draft.category,
      components: draft.components,
      quality: unratedQuality,
      rejectedReason: null,
      note: null,
      pausedUntil: null,
      uses: 0,
      lastUsedAt: null,
      createdAt: now,
      updatedAt: now,
      syncedAt: null,
    }
    await writes.run(orgId, actorOf(member), async ({ db, emit }) => {
      await putTemplate(db, orgId, next)
      emit(templateChanged(next))
    })
    return itemOf(next, 'copied')
  }

  const copyAll = async (member: OrgCaller, ids: readonly string[]): Promise<Item[]> => {
    const { orgId, language } = member
    const connected = await parts.openAccount(orgId)
    if (!connected) throw templateErrors.NOT_CONNECTED()
    const items: Item[] = []
    for (const id of new Set(ids)) {
      const old = await findTemplate(databases.read, orgId, id)
      try {
        if (!old) throw templateErrors.NOT_FOUND()
        items.push(await copy(member, connected.wabaId, old))
      } catch (error) {
        // A refused template does not stop the others. Anything else is a bug.
        if (!(error instanceof AppError)) throw error
        const { name, language: of } = old ?? { name: '', language: '' }
        items.push({ id: null, name, language: of, result: 'failed', reason: reasonOf(error, language) })
      }
    }
    return items
  }

  return {
    /** Idempotent. */
    async migrate(member: OrgCaller, ids: readonly string[] | undefined): Promise<TemplateMigration> {
      if (ids) return { items: await copyAll(member, ids), imported: 0, updated: 0, unchanged: 0 }
      const { imported, updated, unchanged } = await parts.sync.sync(member.orgId)
      const items = [...imported.map(one => itemOf(one, 'imported')), ...updated.map(one => itemOf(one, 'updated'))]
      return { items: items.slice(0, maxItems), imported: imported.length, updated: updated.length, unchanged }
    },
  }
}
