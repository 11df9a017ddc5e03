import { asList, asObject, asText } from '#server/whatsapp/scalars.ts'

/** A stored file that a template header names with our own link. Meta wants a public address or a media id instead. */
export interface HeaderFile {
  readonly id: string
  readonly orgId: string
  readonly mime: string
  readonly sha256: string
  readonly path: string
  readonly name: string | null
}

type Template = Record<string, unknown>
type Json = Record<string, unknown>

/** Replaces each file in the headers by what `rewrite` returns. Undefined leaves it. */
const inHeaders = (components: unknown, rewrite: (kind: string, file: Json) => Json | undefined): unknown =>
  asList(components).map(value => {
    const component = asObject(value)
    if (component?.type === 'carousel')
      return {
        ...component,
        cards: asList(component.cards).map(card => {
          const one = asObject(card)
          return one && { ...one, components: inHeaders(one.components, rewrite) }
        }),
      }
    if (component?.type !== 'header') return value
    return {
      ...component,
      parameters: asList(component.parameters).map(parameter => {
        const one = asObject(parameter)
        const kind = asText(one?.type)
        const file = kind === undefined ? undefined : asObject(one?.[kind])
        const next = kind !== undefined && file ? rewrite(kind, file) : undefined
        return one && kind !== undefined && next ? { ...one, [kind]: next } : parameter
      }),
    }
  })

/** The distinct ids of our files in the template. `idOf` returns undefined for addresses that are not ours. */
export const namedFiles = ({ components }: Template, idOf: (link: string) => string | undefined): string[] => {
  const found = new Set<string>()
  // Most templates have no header, so this avoids copying them.
  if (!asList(components).some(one => ['header', 'carousel'].includes(String(asObject(one)?.type)))) return []
  inHeaders(components, (_kind, { link }) => {
    const id = typeof link === 'string' ? idOf(link) : undefined
    if (id !== undefined) found.add(id)
    return undefined
  })
  return [...found]
}

/** The template with WhatsApp's media ids in place of our links. Documents keep their file name. */
export const withCopies = (
  template: Template,
  idOf: (link: string) => string | undefined,
  copies: ReadonlyMap<string, { readonly providerId: string; readonly name: string | null }>,
): Template => ({
  ...template,
  components: inHeaders(template.components, (kind, { link, ...rest }) => {
    const id = typeof link === 'string' ? idOf(link) : undefined
    const copy = id === undefined ? undefined : copies.get(id)
    if (!copy) return undefined
    const filename = kind === 'document' && copy.name ? { filename: copy.name } : {}
    return { id: copy.providerId, ...filename, ...rest }
  }),
})
