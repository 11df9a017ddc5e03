import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import type { Translate } from '#server/platform/http/plugins/error-reply.ts'
import { type Printed, print, sendPrinted } from '#server/platform/http/plugins/printed.ts'
import { fallbackLanguage, type Language, languages, toLanguage } from '#shared/kernel/language.ts'
import { manualPage, manualPolicy } from './page.ts'
import { type RenderedDocument, renderDocument } from './render.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const pictures = 'server/docs/pictures'

/** The documents of the manual in the order of its menu, by their address. Nothing else of the repository is served. */
const documents: ReadonlyMap<string, string> = new Map([
  ['/docs', 'README.md'],
  ['/docs/operate', 'server/docs/operate.md'],
  ['/docs/postgres', 'server/docs/postgres.md'],
  ['/docs/importing', 'server/docs/importing.md'],
  ['/docs/archive', 'server/docs/archive.md'],
  ['/docs/upgrade', 'server/docs/upgrade.md'],
  ['/docs/security', 'server/docs/security.md'],
  ['/docs/api', 'server/docs/api.md'],
  ['/docs/recipes', 'server/docs/recipes.md'],
  ['/docs/product-api', 'server/docs/product-api.md'],
  ['/docs/accessibility', 'server/docs/accessibility.md'],
  ['/docs/glossary', 'server/docs/glossary.md'],
])
const addresses: ReadonlyMap<string, string> = new Map([...documents].map(([address, file]) => [file, address]))
const pictureName = /^[a-z0-9-]+\.webp$/

const addressOf = (file: string): string | undefined =>
  file.startsWith(`${pictures}/`) ? `/docs/pictures/${file.slice(pictures.length + 1)}` : addresses.get(file)

const open = { service: 'manual', method: 'GET', access: 'anyone', refuses: [404, 429, 500] } as const
const lng = { type: 'object', properties: { lng: { enum: [...languages] } } }
const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const calls: readonly DescribedCall[] = [
  {
    ...open,
    name: 'start',
    url: '/docs',
    summary: 'The start page of the manual.',
    query: lng,
    reply: { type: 'string' },
    replyType: 'text/html',
  },
  {
    ...open,
    name: 'page',
    url: '/docs/:name',
    summary: 'A page of the manual.',
    params: named,
    query: lng,
    reply: { type: 'string' },
    replyType: 'text/html',
  },
  {
    ...open,
    name: 'picture',
    url: '/docs/pictures/:name',
    summary: 'A picture of the manual.',
    params: named,
    reply: { type: 'string', format: 'binary' },
    replyType: 'image/webp',
  },
]

const readDocuments = async (): Promise<ReadonlyMap<string, RenderedDocument>> =>
  new Map(
    await Promise.all(
      [...documents].map(
        async ([address, file]) =>
          [address, renderDocument(await readFile(join(root, file), 'utf8'), file, addressOf)] as const,
      ),
    ),
  )

/** `/docs`: the manual, made from the documents of the repository when somebody first asks for it. */
export function mountManual(app: FastifyInstance, { translate }: { translate: Translate }): void {
  let rendered: ReturnType<typeof readDocuments> | undefined
  const printed = new Map<string, Printed>()

  const pageOf = async (address: string, language: Language): Promise<Printed> => {
    if (!documents.has(address)) throw appErrors.NOT_FOUND()
    const key = `${language} ${address}`
    const known = printed.get(key)
    if (known) return known
    rendered ??= readDocuments().catch(error => {
      // The next request tries again.
      rendered = undefined
      throw error
    })
    const all = await rendered
    const pages = [...all].map(([of, { title }]) => ({ address: of, title }))
    const document = all.get(address) as RenderedDocument
    const page = print(manualPage({ document, address, pages, language, translate }))
    printed.set(key, page)
    return page
  }

  for (const [url, describe] of [
    ['/docs', { describeCalls: () => ({ calls }) }],
    ['/docs/:name', {}],
  ] as const)
    app.get<{ Params: { name?: string }; Querystring: { lng?: string } }>(
      url,
      { config: describe },
      async (request, reply) => {
        const { name } = request.params
        const language = toLanguage(request.query.lng) ?? request.caller?.language ?? fallbackLanguage
        const page = await pageOf(!name ? '/docs' : `/docs/${name}`, language)
        reply.header('content-security-policy', manualPolicy)
        return sendPrinted(request, reply, page, 'text/html; charset=utf-8')
      },
    )

  app.get<{ Params: { name: string } }>('/docs/pictures/:name', async (request, reply) => {
    const { name } = request.params
    const picture = pictureName.test(name) && (await readFile(join(root, pictures, name)).catch(() => undefined))
    if (!picture) throw appErrors.NOT_FOUND()
    return reply.header('cache-control', 'public, max-age=3600').type('image/webp').send(picture)
  })
}
