import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import { type ButtonInput, type Interactive, outboundLimits } from '#shared/outbound/api.ts'
import type { Json } from '../scalars.ts'
import { fault, requireNamedHost, requireWords } from './asked.ts'
import type { Kinds } from './kind.ts'

const requireUnique = (values: readonly string[], field: string) => {
  if (new Set(values).size !== values.length) throw fault(field, 'uniqueItems')
}

const readButtons = (buttons: NonNullable<ButtonInput['buttons']>): Interactive['buttons'] => {
  const read = buttons.map(({ id, title }, i) => ({ id: id ?? String(i + 1), title }))
  requireUnique(
    read.map(({ id }) => id),
    'button.buttons',
  )
  requireUnique(
    read.map(({ title }) => title),
    'button.buttons',
  )
  return read
}

const readList = ({ title, sections }: NonNullable<ButtonInput['list']>): Interactive['list'] => {
  let place = 0
  const read = sections.map((section, i) => {
    if (sections.length > 1 && !section.title) throw fault(`button.list.sections.${i}.title`, 'required')
    const rows = section.rows.map(row => {
      place += 1
      return { ...row, id: row.id ?? String(place) }
    })
    return { ...(section.title ? { title: section.title } : {}), rows }
  })
  if (place > outboundLimits.rows) throw fault('button.list.sections', 'maxItems', { limit: outboundLimits.rows })
  requireUnique(
    read.flatMap(({ rows }) => rows.map(({ id }) => id)),
    'button.list.sections',
  )
  return { title, sections: read }
}

const readAsked = (
  body: Pick<SendMessage, 'message' | 'button'>,
): Extract<OutboundMessage, { type: 'interactive' }> => {
  const { button } = body
  if (!button) throw fault('button', 'required')
  const { buttons, list, link, ...frame } = button
  if ([buttons, list, link].filter(Boolean).length !== 1) throw fault('button', 'anyOf')
  if (link) requireNamedHost(link.url, 'button.link.url')
  return {
    type: 'interactive',
    body: requireWords(body, list ? outboundLimits.listBody : outboundLimits.interactiveBody),
    interactive: {
      ...frame,
      ...(buttons ? { buttons: readButtons(buttons) } : {}),
      ...(list ? { list: readList(list) } : {}),
      ...(link ? { link } : {}),
    },
  }
}

const actionOf = ({ buttons, list, link, product }: Interactive) => {
  if (list) return { type: 'list', action: { button: list.title, sections: list.sections } }
  if (product)
    return {
      type: 'product',
      action: { catalog_id: product.catalogId, product_retailer_id: product.productRetailerId },
    }
  if (link)
    return {
      type: 'cta_url',
      action: { name: 'cta_url', parameters: { display_text: link.title, url: link.url } },
    }
  return { type: 'button', action: { buttons: (buttons ?? []).map(reply => ({ type: 'reply', reply })) } }
}

const interactivePart = (body: string, interactive: Interactive): Json => {
  const { type, action } = actionOf(interactive)
  return {
    type,
    ...(interactive.header ? { header: { type: 'text', text: interactive.header } } : {}),
    body: { text: body },
    ...(interactive.footer ? { footer: { text: interactive.footer } } : {}),
    action,
  }
}

export const interactiveKinds = {
  interactive: {
    sends: {
      interactive: {
        asked: {
          type: 'button',
          read: readAsked,
          example: { message: '¿Te lo llevamos?', button: { buttons: [{ title: 'Sí' }, { title: 'No' }] } },
        },
        shown: ({ body, interactive }) => ({ type: 'interactive', text: body, content: { interactive } }),
        part: ({ body, interactive }) => ({ type: 'interactive', interactive: interactivePart(body, interactive) }),
      },
    },
  },
} satisfies Kinds
