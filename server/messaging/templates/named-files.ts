import type { Db } from '#server/platform/db/database.ts'
import type { FieldFault } from '#server/platform/http/validate.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import { fileIdOf } from '#shared/templates/files.ts'
import { formatOf } from './files.ts'
import { mediaFormatsOf } from './headers.ts'
import { listFiles } from './media-store.ts'

/** Where a call says what a header shows: an address, or the handle of a file kept here. `card` null: the message's own header. */
export interface NamedFile {
  readonly card: number | null
  readonly link: string | undefined
  readonly field: string
}

type Cards = Readonly<Record<string, { readonly file?: string | undefined }>>

/** What a call says of headers; `fieldOf` names the field of a card, by its place. */
export const namedFilesOf = (
  { image, cards = {} }: { image?: string | undefined; cards?: Cards | undefined },
  imageField: string,
  fieldOf: (card: string) => string,
): NamedFile[] => [
  { card: null, link: image, field: imageField },
  ...Object.entries(cards).map(([at, { file }]) => ({ card: Number(at), link: file, field: `${fieldOf(at)}.file` })),
]

/** Handles of files that are not there, or not of the kind their header shows. */
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
    // Where no header shows a file, the call is told so by itself.
    return format === undefined || formatOf(file.mime) === format ? [] : [faultOf(field, 'fileKind')]
  })
}
