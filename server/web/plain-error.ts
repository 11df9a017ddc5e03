import { escapeHtml } from '#server/platform/text/html.ts'
import type { Translate } from '#server/platform/text/i18n.ts'
import type { Language } from '#shared/kernel/language.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'

/** The page to send when rendering failed: no script, no React, and the request id to quote. */
export const plainErrorPage = (language: Language, translate: Translate, requestId: string, nonce: string): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
  `<title>${escapeHtml(translate('shell:error.title'))} · ${PRODUCT_NAME}</title><style nonce="${nonce}">` +
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:40ch;margin:20vh auto;padding:0 20px;text-align:center;' +
  'color:light-dark(#1d211f,#e8ecea);background:light-dark(#fbfaf8,#101413)}small{color:light-dark(#6b736f,#8f9994)}</style></head>' +
  `<body><h1>${escapeHtml(translate('shell:error.title'))}</h1><p>${escapeHtml(translate('shell:error.text'))}</p>` +
  `<p><small>${escapeHtml(translate('shell:error.request', { id: requestId }))}</small></p></body></html>`
