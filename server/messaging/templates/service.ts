import { rowLimits } from '#server/platform/db/row-limits-store.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { failureText } from '#server/whatsapp/errors/errors.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { type TemplateSync, type templatesApi, templatesPerPage } from '#shared/templates/api.ts'
import { isApproved } from '#shared/templates/words.ts'
import { templateErrors } from './errors.ts'
import { createReading } from './read-calls.ts'
import { countByLanguage, countByStatus, listByName, listEarlier, listTemplates, type StoredTemplate } from './store.ts'
import type { TemplateSyncService } from './sync/sync.ts'
import { findSync } from './sync/sync-store.ts'
import { tooManyTemplates } from './sync/sync-writing.ts'
import { createMigration } from './writing/migration.ts'
import { createSubmission } from './writing/submission.ts'
import { createWriting, type WritingParts } from './writing/writing.ts'

interface TemplatesParts extends WritingParts {
  readonly sync: TemplateSyncService
  translate(language: Language, key: string, params?: Record<string, string | number>): string
}

/** The templates of an organization's WhatsApp account: written here, decided by Meta. */
export function createTemplates(parts: TemplatesParts): ServiceOf<typeof templatesApi, OrgCaller> {
  const { databases, sync } = parts
  const submission = createSubmission(parts)
  const reading = createReading(parts)
  const { wabaOf, presentAll, requireTemplate, withLanguages } = reading
  const migration = createMigration(parts, submission)

  const syncState = async (orgId: string, language: Language): Promise<TemplateSync> => {
    const wabaId = await wabaOf(orgId)
    const known = wabaId === undefined ? undefined : await findSync(databases.read, orgId)
    const own = known?.wabaId === wabaId ? known : undefined
    const byStatus = wabaId === undefined ? {} : await countByStatus(databases.read, orgId, wabaId)
    const languages = wabaId === undefined ? [] : await countByLanguage(databases.read, orgId, wabaId)
    const [main] = languages.filter(({ own }) => own > 0).sort((a, b) => b.own - a.own)
    const failure = own?.failure ?? null
    const message = (code: string) =>
      code === tooManyTemplates
        ? parts.translate(language, 'errors:APP_TOO_MANY_KEPT_TEMPLATE', { limit: rowLimits.template })
        : failureText((key, params) => parts.translate(language, key, params), code)
    return {
      state: wabaId === undefined ? 'never' : failure ? 'failed' : own?.syncedAt ? 'synced' : 'waiting',
      syncedAt: own?.syncedAt ?? null,
      failure: failure === null ? null : { code: failure, message: message(failure) },
      total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
      byStatus,
      languages: languages.map(({ language }) => language),
      mainLanguage: main?.language ?? null,
    }
  }

  const pageOf = async (orgId: string, page: number, found: readonly StoredTemplate[]) => ({
    items: await presentAll(orgId, found.slice(0, templatesPerPage)),
    page,
    pageSize: templatesPerPage,
    hasMore: found.length > templatesPerPage,
  })
  const windowOf = (page: number) => ({ offset: (page - 1) * templatesPerPage, limit: templatesPerPage + 1 })

  return {
    async list({ orgId }, { query: { page = 1, ...filters } }) {
      const wabaId = await wabaOf(orgId)
      const language = filters.language?.replace('-', '_')
      const found =
        wabaId === undefined
          ? []
          : await listTemplates(databases.read, orgId, wabaId, { ...filters, language }, windowOf(page))
      return pageOf(orgId, page, found)
    },

    async get({ orgId }, { params }) {
      return withLanguages(orgId, await requireTemplate(orgId, params.id))
    },

    async getByName({ orgId }, { params, query }) {
      const wabaId = await wabaOf(orgId)
      const found = wabaId === undefined ? [] : await listByName(databases.read, orgId, wabaId, params.name)
      const wanted = query.language?.replace('-', '_')
      const latest = [...found].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
      const template = wanted
        ? found.find(one => one.language === wanted)
        : (latest.find(one => isApproved(one.status)) ?? latest[0])
      if (!template) throw templateErrors.NOT_FOUND()
      return withLanguages(orgId, template)
    },

    ...createWriting(parts, reading, submission),

    migrate: (member, { body }) => migration.migrate(member, body.ids),

    async listEarlier({ orgId }, { query: { page = 1 } }) {
      const wabaId = (await wabaOf(orgId)) ?? ''
      return pageOf(orgId, page, await listEarlier(databases.read, orgId, wabaId, windowOf(page)))
    },

    getSync: ({ orgId, language }) => syncState(orgId, language),

    async sync({ orgId, language }) {
      await sync.sync(orgId)
      return syncState(orgId, language)
    },
  }
}
