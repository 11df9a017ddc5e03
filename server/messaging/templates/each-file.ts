import type { Db } from '#server/platform/db/database.ts'
import { isOutboundAddress } from '#shared/outbound/address.ts'
import { findComponent, type MediaFormat, mediaFormats, type TemplateComponent } from '#shared/templates/components.ts'
import { fileIdOf, handleOf, isFileHandle } from '#shared/templates/files.ts'
import { formatOf } from './files.ts'
import { listFiles, listFilesNamed, type TemplateFile } from './media-store.ts'

/** What a cell names: the file as a header takes it, or why it is none. */
export type EachFile = { readonly link: string } | { readonly fault: 'fileMissing' | 'fileKind' | 'fileAddress' }

/** What kind of file the message's own header shows; undefined: none. */
export const headerFormatOf = (components: readonly TemplateComponent[]): MediaFormat | undefined =>
  mediaFormats.find(format => format === findComponent(components, 'HEADER')?.format)

/**
 * The files that cells of a table name for the header, by the cell: an https address, the name of a file that was
 * uploaded (of several with that name the latest), or its handle. A file kept here is judged by what is in it.
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
