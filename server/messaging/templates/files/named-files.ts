import type { Db } from '#server/platform/db/database.ts'
import type { FieldFault } from '#server/platform/http/validate.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import { fileIdOf } from '#shared/templates/files.ts'
import { formatOf } from './files.ts'
import { mediaFormatsOf } from './headers.ts'
import { listFiles } from './media-store.ts'

/**
 * The file that a request sets as a header: an address, or the handle of a stored file. `card` null: the template's own
 * header.
 */
interface NamedFile {
  readonly card: number | null
  readonly link: string | undefined
  readonly field: string
}

type Cards = Readonly<Record<string, { readonly file?: string | undefined }>>

/** The header files of a request. `fieldOf` names the field of a card, by index. */
export const namedFilesOf = (
  { image, cards = {} }: { image?: string | undefined; cards?: Cards | undefined },
  imageField: string,
  fieldOf: (card: string) => string,
): NamedFile[] => [
  { card: null, link: image, field: imageField },
  ...Object.entries(cards).map(([at, { file }]) => ({ card: Number(at), link: file, field: `${fieldOf(at)}.file` })),
]

/** Faults for files that do not exist or do not fit their header. */
export async function namedFileFaults(
  db: Db,
  orgId: string,
  components: readonly TemplateComponent[],
  named: readonly NamedFile[],
): Promise<FieldFault[]> {
  const handles = named.flatMap(({ link, ...one }) => {
    const id = link === undefined ? undefined : fileIdOf(link)
    return id === undefined ? [] : [{ ...one, id }]
  })
  if (!handles.length) return []
  const files = await listFiles(
    db,
    orgId,
    handles.map(({ id }) => id),
  )
  const formats = mediaFormatsOf(components)
  const faultOf = (field: string, code: string) => ({ field, code, params: {}, text: `templates:fault.${code}` })
  return handles.flatMap(({ card, field, id }) => {
    const file = files.get(id)
    if (!file) return [faultOf(field, 'fileUnknown')]
    const format = formats.get(card)
    // A header without a file is reported elsewhere.
    return format === undefined || formatOf(file.mime) === format ? [] : [faultOf(field, 'fileKind')]
  })
}
