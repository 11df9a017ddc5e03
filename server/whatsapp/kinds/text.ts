import { outboundLimits } from '#shared/outbound/api.ts'
import { cleanText } from '../scalars.ts'
import { asGiven } from './as-given.ts'
import { requireWords } from './asked.ts'
import type { Kinds } from './kind.ts'

/** Meta shows a preview of the first `http(s)` address, but only if `preview_url` is set. */
const hasLink = (text: string): boolean => /https?:\/\/\S/i.test(text)

export const textKinds = {
  text: {
    reads: {
      text: part => (typeof part.body === 'string' ? { type: 'text', text: cleanText(part.body) } : undefined),
    },
    sends: {
      // Of any kind; it is here because one place must have it.
      asGiven,
      text: {
        asked: {
          type: 'text',
          read: body => ({ type: 'text', text: requireWords(body, outboundLimits.text) }),
          example: { message: 'Tu pedido está en camino' },
        },
        shown: content => content,
        part: ({ text }) => ({ type: 'text', text: { body: text, preview_url: hasLink(text) } }),
      },
    },
  },
} satisfies Kinds
