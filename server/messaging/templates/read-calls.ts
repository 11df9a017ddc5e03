import type { Template } from '#shared/templates/api.ts'
import { templateErrors } from './errors.ts'
import type { TemplateFiles } from './files/files.ts'
import { present } from './present.ts'
import { findTemplate, listByName, type StoredTemplate } from './store.ts'
import type { SyncParts } from './sync/sync.ts'
import { findWabaId } from './sync/sync-store.ts'

export type TemplateReading = ReturnType<typeof createReading>

/** Finds an organization's templates and presents them with their stored files. */
export function createReading({
  databases,
  files,
}: {
  readonly databases: SyncParts['databases']
  readonly files: TemplateFiles
}) {
  const wabaOf = (orgId: string) => findWabaId(databases.read, orgId)
  const requireWaba = async (orgId: string): Promise<string> => {
    const wabaId = await wabaOf(orgId)
    if (wabaId === undefined) throw templateErrors.NOT_CONNECTED()
    return wabaId
  }

  const presentAll = async (orgId: string, templates: readonly StoredTemplate[]): Promise<Template[]> => {
    const known = await files.list(
      orgId,
      templates.flatMap(one => one.media.map(({ id }) => id)),
    )
    return templates.map(one => present(one, known))
  }
  const presentOne = async (orgId: string, template: StoredTemplate): Promise<Template> =>
    (await presentAll(orgId, [template]))[0] as Template

  const withLanguages = async (orgId: string, template: StoredTemplate) => {
    const languages = await presentAll(orgId, await listByName(databases.read, orgId, template.wabaId, template.name))
    return { ...(languages.find(one => one.id === template.id) as Template), languages }
  }

  const requireTemplate = async (orgId: string, id: string): Promise<StoredTemplate> => {
    const found = await findTemplate(databases.read, orgId, id)
    if (!found) throw templateErrors.NOT_FOUND()
    return found
  }

  return { wabaOf, requireWaba, presentAll, presentOne, withLanguages, requireTemplate }
}
