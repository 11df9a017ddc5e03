import type { Db } from '#server/platform/db/database.ts'
import { isOutboundAddress } from '#shared/outbound/address.ts'
import { findComponent, type MediaFormat, mediaFormats, type TemplateComponent } from '#shared/templates/components.ts'
import { fileIdOf, handleOf, isFileHandle } from '#shared/templates/files.ts'
import { formatOf } from './files.ts'
import { listFiles, listFilesNamed, type TemplateFile } from './media-store.ts'

/** The file that a table cell names, or why it is invalid. */
export type EachFile = { readonly link: string } | { readonly fault: 'fileMissing' | 'fileKind' | 'fileAddress' }

/** The media format of the template's own header. Undefined: none. */
export const headerFormatOf = (components: readonly TemplateComponent[]): MediaFormat | undefined =>
  mediaFormats.find(format => format === findComponent(components, 'HEADER')?.format)

/**
 * The header files that table cells name, by cell: an https address, an uploaded file's name (the latest of that name),
 * or its handle. Files stored here are checked by their content.
 */
export async function findEachFiles(
  db: Db,
  orgId: string,
  components: readonly TemplateComponent[],
  cells: readonly string[],
): Promise<ReadonlyMap<string, EachFile>> {
  const format = headerFormatOf(components)
  const texts = [...new Set(cells)].filter(text => text !== '')
  const isAddress = (text: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const handles = texts.filter(isFileHandle)
  const names = texts.filter(text => !isFileHandle(text) && !isAddress(text))
  const byId = await listFiles(
    db,
    orgId,
    handles.flatMap(handle => fileIdOf(handle) ?? []),
  )
  const byName = await listFilesNamed(db, orgId, names)
  const judged = (file: TemplateFile | undefined): EachFile => {
    if (!file) return { fault: 'fileMissing' }
    return formatOf(file.mime) === format ? { link: handleOf(file.id) } : { fault: 'fileKind' }
  }
  return new Map(
    texts.map((text): [string, EachFile] => {
      if (isFileHandle(text)) return [text, judged(byId.get(fileIdOf(text) ?? ''))]
      if (isAddress(text)) return [text, isOutboundAddress(text) ? { link: text } : { fault: 'fileAddress' }]
      return [text, judged(byName.get(text))]
    }),
  )
}
