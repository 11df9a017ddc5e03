import { asList, asObject, asText } from '#server/whatsapp/scalars.ts'

/** A file kept here that a template's message names where WhatsApp takes an address or an id. */
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

/** `rewrite` answers what stands in the place of a header's file; undefined leaves it. */
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

/** The ids of the files it names, each once; `idOf` tells a handle from an address. */
export const namedFiles = ({ components }: Template, idOf: (link: string) => string | undefined): string[] => {
  const found = new Set<string>()
  // Most have no header: nothing is copied for them.
  if (!asList(components).some(one => ['header', 'carousel'].includes(String(asObject(one)?.type)))) return []
  inHeaders(components, (_kind, { link }) => {
    const id = typeof link === 'string' ? idOf(link) : undefined
    if (id !== undefined) found.add(id)
    return undefined
  })
  return [...found]
}

/** The same with WhatsApp's copies in their place; a document keeps the name people know it by. */
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
