import { asList, asObject, asText } from '#server/whatsapp/scalars.ts'
import {
  type CarouselComponent,
  type HeaderComponent,
  type MediaFormat,
  mediaFormats,
  type TemplateComponent,
} from '#shared/templates/components.ts'
import type { TemplateFault } from '#shared/templates/fault.ts'
import { fileIdOf } from '#shared/templates/files.ts'
import type { MediaRef } from '../store.ts'
import { formatOf } from './files.ts'
import type { TemplateFile } from './media-store.ts'

/** A header with a file, and its position. */
interface MediaHeader {
  readonly card: number | null
  readonly format: MediaFormat
  readonly handle: string | undefined
  /** Relative to the template. */
  readonly field: string
  /** A copy of the header that may be changed. */
  readonly header: HeaderComponent
}

const isMediaFormat = (format: unknown): format is MediaFormat => (mediaFormats as readonly unknown[]).includes(format)

const headerAt = (value: unknown, card: number | null, field: string): MediaHeader[] => {
  const header = asObject(value) as HeaderComponent | undefined
  if (header?.type !== 'HEADER' || !isMediaFormat(header.format)) return []
  const handle = asText(asList(asObject(header.example)?.header_handle)[0])
  return [{ card, format: header.format, handle, field: `${field}.example.header_handle`, header }]
}

/** Headers with files, also in a carousel's cards. Tolerates invalid input. */
const mediaHeaders = (components: readonly TemplateComponent[]): MediaHeader[] =>
  components.flatMap((component, i) => {
    const cards = (asObject(component) as CarouselComponent | undefined)?.cards
    return [
      ...headerAt(component, null, `components.${i}`),
      ...asList(cards).flatMap((card, at) =>
        asList(asObject(card)?.components).flatMap((one, j) =>
          headerAt(one, at, `components.${i}.cards.${at}.components.${j}`),
        ),
      ),
    ]
  })

/** A copy with handles replaced by `handleFor`. Undefined leaves a handle. */
export const withHandles = (
  components: readonly TemplateComponent[],
  handleFor: (header: MediaHeader) => string | undefined,
): TemplateComponent[] => {
  const copy = structuredClone(components) as TemplateComponent[]
  for (const header of mediaHeaders(copy)) {
    const handle = handleFor(header)
    if (handle !== undefined) header.header.example = { ...asObject(header.header.example), header_handle: [handle] }
  }
  return copy
}

/** The media format of each header: the template's own under null, those of a carousel under their card. */
export const mediaFormatsOf = (components: readonly TemplateComponent[]): ReadonlyMap<number | null, MediaFormat> =>
  new Map(mediaHeaders(components).map(({ card, format }) => [card, format]))

/** Headers of cards do not count. */
export const takesFile = (components: readonly TemplateComponent[]): boolean =>
  mediaHeaders(components).some(({ card }) => card === null)

/** Sets the file of the template's own header. */
export const withFile = (components: readonly TemplateComponent[], handle: string): TemplateComponent[] =>
  withHandles(components, ({ card }) => (card === null ? handle : undefined))

/** The files stored here that the headers name. */
export const mediaRefs = (components: readonly TemplateComponent[]): MediaRef[] =>
  mediaHeaders(components).flatMap(({ card, handle }) => {
    const id = handle === undefined ? undefined : fileIdOf(handle)
    return id === undefined ? [] : [{ card, id }]
  })

/** Files that do not exist, or do not fit their header. */
export const fileFaults = (
  components: readonly TemplateComponent[],
  files: ReadonlyMap<string, TemplateFile>,
): TemplateFault[] =>
  mediaHeaders(components).flatMap(({ handle, format, field }) => {
    const id = handle === undefined ? undefined : fileIdOf(handle)
    if (id === undefined) return []
    const file = files.get(id)
    if (!file) return [{ field, code: 'fileUnknown', params: {} }]
    return formatOf(file.mime) === format ? [] : [{ field, code: 'fileKind', params: {} }]
  })
