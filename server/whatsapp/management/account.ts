import type { TemplateComponent } from '#shared/templates/components.ts'
import type { ParameterFormat } from '#shared/templates/words.ts'
import { createGraph, type Graph, type GraphOptions } from '../graph/graph.ts'
import { SuccessReply, TemplateCreated, TemplateList, TokenFacts, UploadHandle, UploadSession } from '../graph/wire.ts'
import { WhatsAppError } from '../provider.ts'
import { readTemplate, readWord, templateFields, type VendorTemplate } from '../templates/template-node.ts'

interface TemplateToCreate {
  name: string
  language: string
  category: string
  parameterFormat: ParameterFormat
  components: readonly TemplateComponent[]
  ttlSeconds?: number | undefined
}

/**
 * The WhatsApp account a number belongs to: its templates and the files of their headers. Every call rejects with
 * `WhatsAppError` only, and does not retry.
 */
export interface WhatsAppAccount {
  /** All templates, or those with this name, over all pages. `unreadable` counts entries that could not be read. */
  listTemplates(options?: { name?: string; signal?: AbortSignal }): Promise<{
    templates: VendorTemplate[]
    unreadable: number
  }>
  createTemplate(template: TemplateToCreate): Promise<{ id: string; status: string; category: string }>
  /** `components` replace all existing ones. */
  editTemplate(
    id: string,
    change: { category?: string; components: readonly TemplateComponent[]; ttlSeconds?: number | undefined },
  ): Promise<void>
  /** With `id` one language, without it all languages of the name. */
  deleteTemplate(which: { name: string; id?: string }): Promise<void>
  /** A resumable upload in one request. Returns the handle that names the file when a template is created. */
  uploadFile(file: { name: string | null; mime: string; bytes: Blob }): Promise<string>
}

/** Meta allows six thousand. */
const perPage = 50
const maxPages = 200
/** The timeout of the request that sends a file. */
export const uploadMs = 10 * 60_000

/** The app that the token belongs to; uploads belong to it. */
export async function getAppId(graph: Graph, accessToken: string): Promise<string> {
  const query = { input_token: accessToken }
  const { data } = await graph.request({
    call: 'number',
    method: 'GET',
    path: '/debug_token',
    query,
    reply: TokenFacts,
  })
  if (data.app_id) return data.app_id
  throw new WhatsAppError({ code: '190', retry: 'credentials', message: 'the token is of no app that may upload' })
}

/** The id of an upload session contains its signature as a query. */
const sessionAddress = (id: string) => {
  const [path = '', query = ''] = id.split('?', 2)
  return { path: `/${path}`, query: Object.fromEntries(new URLSearchParams(query)) }
}

/** @see Meta, "Business Management API › Message templates", "Graph API › Resumable upload" */
export function createCloudAccount(options: GraphOptions & { wabaId: string }): WhatsAppAccount {
  const graph = createGraph(options)
  const templates = `/${encodeURIComponent(options.wabaId)}/message_templates`
  let appId: string | undefined

  const appOf = async (): Promise<string> => {
    appId ??= await getAppId(graph, options.accessToken)
    return appId
  }

  return {
    async listTemplates({ name, signal } = {}) {
      const found: VendorTemplate[] = []
      let unreadable = 0
      let after: string | undefined
      for (let page = 0; page < maxPages; page += 1) {
        const { data, paging } = await graph.request({
          call: 'number',
          method: 'GET',
          path: templates,
          query: {
            fields: templateFields,
            limit: String(perPage),
            ...(name === undefined ? {} : { name }),
            ...(after === undefined ? {} : { after }),
          },
          reply: TemplateList,
          signal,
        })
        for (const entry of data) {
          const template = readTemplate(entry)
          // Meta's filter also matches parts of names.
          if (!template) unreadable += 1
          else if (name === undefined || template.name === name) found.push(template)
        }
        after = paging?.next === undefined ? undefined : paging.cursors?.after
        if (after === undefined) return { templates: found, unreadable }
      }
      throw new WhatsAppError({ code: 'UNREADABLE', retry: 'never', message: 'a list of templates without end' })
    },

    async createTemplate({ name, language, category, parameterFormat, components, ttlSeconds }) {
      const body = {
        name,
        language,
        category,
        parameter_format: parameterFormat,
        components,
        ...(ttlSeconds === undefined ? {} : { message_send_ttl_seconds: ttlSeconds }),
      }
      const reply = await graph.request({
        call: 'number',
        method: 'POST',
        path: templates,
        body,
        reply: TemplateCreated,
      })
      return {
        id: reply.id,
        status: readWord(reply.status) ?? 'PENDING',
        category: readWord(reply.category) ?? category,
      }
    },

    async editTemplate(id, { category, components, ttlSeconds }) {
      const body = {
        ...(category === undefined ? {} : { category }),
        components,
        ...(ttlSeconds === undefined ? {} : { message_send_ttl_seconds: ttlSeconds }),
      }
      const path = `/${encodeURIComponent(id)}`
      await graph.request({ call: 'number', method: 'POST', path, body, reply: SuccessReply })
    },

    async deleteTemplate({ name, id }) {
      const query = { name, ...(id === undefined ? {} : { hsm_id: id }) }
      await graph.request({ call: 'number', method: 'DELETE', path: templates, query, reply: SuccessReply })
    },

    async uploadFile({ name, mime, bytes }) {
      const session = await graph.request({
        call: 'media',
        method: 'POST',
        path: `/${await appOf()}/uploads`,
        query: { file_name: name ?? 'header', file_length: String(bytes.size), file_type: mime },
        reply: UploadSession,
      })
      const { h } = await graph.request({
        call: 'media',
        method: 'POST',
        ...sessionAddress(session.id),
        file: { bytes, offset: 0 },
        reply: UploadHandle,
        timeoutMs: uploadMs,
      })
      return h
    },
  }
}
