import type { Letter } from '#server/platform/mail/mail.ts'
import { escapeHtml } from '#server/platform/text/html.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import type { SummaryWords } from '../blocks/summary-tables.ts'
import type { ReportContent } from './content.ts'

interface Addresses {
  readonly to: string
  /** The page with the same figures. */
  readonly page: string
  /** The recipient asked for this one report. */
  readonly isAsked: boolean
  /** The page that asks whether to unsubscribe; undefined: they get no others. */
  readonly unsubscribePage: string | undefined
  /** The address at which mail programs unsubscribe with one click. */
  readonly oneClick: string | undefined
}

/** Mail programs take no variables, and some take no style sheet: the light colours are inline, the dark ones in a sheet. */
const dark = `@media (prefers-color-scheme: dark) {
  body, .ground { background: #101413 !important; color: #e8ecea !important }
  .surface { background: #171c1a !important; border-color: #2c3330 !important }
  .ink { color: #e8ecea !important }
  .quiet { color: #a9b3ae !important }
  .line { border-color: #2c3330 !important }
  .link { color: #4ccb9f !important }
  .button { background: #4ccb9f !important; color: #0b1512 !important }
}`

const ink = 'color:#1d211f'
const quiet = 'color:#5b635f'

const heading = (text: string) =>
  `<h2 class="ink" style="margin:28px 0 8px;font-size:16px;line-height:1.4;font-weight:600;${ink}">${escapeHtml(text)}</h2>`

const paragraph = (text: string, size = 14) =>
  `<p class="quiet" style="margin:0 0 8px;font-size:${size}px;line-height:1.5;${quiet}">${escapeHtml(text)}</p>`

const figureCell = ({ name, value, beside }: ReportContent['figures'][number]) =>
  `<td class="surface" width="50%" valign="top" style="padding:12px 16px;border:1px solid #e3e0d9;background:#ffffff"><p class="quiet" style="margin:0;font-size:13px;line-height:1.4;${quiet}">${escapeHtml(name)}</p><p class="ink" style="margin:2px 0;font-size:24px;line-height:1.3;font-weight:600;${ink}">${escapeHtml(value)}</p>${beside
    .map(line => `<p class="quiet" style="margin:0;font-size:12px;line-height:1.45;${quiet}">${escapeHtml(line)}</p>`)
    .join('')}</td>`

const figuresTable = (figures: ReportContent['figures']) => {
  const rows = Array.from({ length: Math.ceil(figures.length / 2) }, (_, i) => figures.slice(2 * i, 2 * i + 2))
  return `<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="border-collapse:collapse;table-layout:fixed">${rows
    .map(row => `<tr>${row.map(figureCell).join('')}${row.length === 1 ? '<td></td>' : ''}</tr>`)
    .join('')}</table>`
}

const factText = (column: string, value: string): string => (column === '%' ? value : `${column}: ${value}`)

/** With more columns than a phone has room for, each row is a paragraph. */
const widestTable = 5

const cell = (text: string, isFirst: boolean, tag: 'td' | 'th') => {
  const scope = tag === 'th' ? ' scope="col"' : ''
  const look = tag === 'th' ? `font-weight:500;${quiet}` : ink
  return `<${tag}${scope} class="${tag === 'th' ? 'quiet' : 'ink'} line" align="${isFirst ? 'left' : 'right'}" style="padding:6px ${isFirst ? '0' : '0 6px 6px'};border-bottom:1px solid #e3e0d9;font-size:${tag === 'th' ? 12 : 13}px;line-height:1.4;${look}">${escapeHtml(text)}</${tag}>`
}

const sectionTable = ({ columns, rows }: ReportContent['sections'][number]) => {
  if (columns.length > widestTable)
    return rows
      .map(row => {
        const facts = row.map((value, i) => factText(columns[i] ?? '', value)).join(' · ')
        return `<p class="ink line" style="margin:0;padding:6px 0;border-bottom:1px solid #e3e0d9;font-size:13px;line-height:1.5;${ink}">${escapeHtml(facts)}</p>`
      })
      .join('')
  const line = (cells: readonly string[], tag: 'td' | 'th') =>
    `<tr>${cells.map((text, i) => cell(text, i === 0, tag)).join('')}</tr>`
  return `<table width="100%" cellspacing="0" cellpadding="0" style="border-collapse:collapse"><thead>${line(columns, 'th')}</thead><tbody>${rows.map(row => line(row, 'td')).join('')}</tbody></table>`
}

const link = (href: string, text: string) =>
  `<a class="link" href="${escapeHtml(href)}" style="color:#0b6b50">${escapeHtml(text)}</a>`

/** The report as a mail: HTML without pictures, and the same figures as text. */
export function reportLetter(content: ReportContent, addresses: Addresses, { language, say }: SummaryWords): Letter {
  const { subject, title, days, notes, alerts, figures, sections } = content
  const { to, page, isAsked, unsubscribePage, oneClick } = addresses
  const why = say(isAsked ? 'report.whyAsked' : 'report.why', { product: PRODUCT_NAME })
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${dark}</style></head><body class="ground" style="margin:0;padding:0;background:#fbfaf8;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"><div style="max-width:600px;margin:0 auto;padding:24px 16px"><h1 class="ink" style="margin:0 0 4px;font-size:20px;line-height:1.35;font-weight:600;${ink}">${escapeHtml(title)}</h1>${paragraph(days)}${notes.map(note => paragraph(note)).join('')}${
    alerts.length
      ? `${heading(say('summary.alertsTitle'))}<ul style="margin:0 0 16px;padding-left:20px">${alerts
          .map(alert => `<li class="ink" style="font-size:14px;line-height:1.5;${ink}">${escapeHtml(alert)}</li>`)
          .join('')}</ul>`
      : ''
  }<div style="margin-top:16px">${figuresTable(figures)}</div>${sections
    .map(section => heading(section.title) + sectionTable(section))
    .join(
      '',
    )}<p style="margin:24px 0"><a class="button" href="${escapeHtml(page)}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#0b6b50;color:#ffffff;font-size:14px;font-weight:500;text-decoration:none">${escapeHtml(say('report.open'))}</a></p><p class="quiet line" style="margin:0;padding-top:12px;border-top:1px solid #e3e0d9;font-size:12px;line-height:1.5;${quiet}">${escapeHtml(why)}${unsubscribePage ? ` ${link(unsubscribePage, say('report.unsubscribe'))}` : ''}</p></div></body></html>`
  const text = [
    title,
    days,
    ...notes,
    ...(alerts.length ? ['', say('summary.alertsTitle'), ...alerts.map(alert => `- ${alert}`)] : []),
    '',
    ...figures.flatMap(({ name, value, beside }) => [`${name}: ${value}`, ...beside.map(line => `  ${line}`)]),
    ...sections.flatMap(section => [
      '',
      section.title,
      ...section.rows.map(([name, ...cells]) => {
        return `- ${[name, ...cells.map((value, i) => factText(section.columns[i + 1] ?? '', value))].join(' · ')}`
      }),
    ]),
    '',
    `${say('report.open')}: ${page}`,
    '',
    why,
    ...(unsubscribePage ? [`${say('report.unsubscribe')}: ${unsubscribePage}`] : []),
    '',
  ].join('\n')
  return { to, subject, text, html, ...(oneClick ? { oneClickUnsubscribe: oneClick } : {}) }
}
