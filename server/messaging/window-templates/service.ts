import { readFilled } from '#server/messaging/contacts/field-values.ts'
import { listSeenRows } from '#server/messaging/conversations/changes/flags-store.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { nameOf } from '#server/messaging/conversations/shown/present.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { contactAddress } from '#server/messaging/identifier.ts'
import { sayFailureFor } from '#server/messaging/messages/delivery/failure.ts'
import { type SendParts, sendMessage } from '#server/messaging/sending/sending.ts'
import { templateErrors } from '#server/messaging/templates/errors.ts'
import { templateFreezing } from '#server/messaging/templates/freezing.ts'
import { requireApproved } from '#server/messaging/templates/sending.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import { fieldValues, fillIn } from '#shared/flows/variables.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import type { WindowTemplateReply, windowTemplatesApi } from '#shared/inbox/window-templates.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { customerWindowMs, textMaxChars, windowClosingMs } from '#shared/kernel/limits.ts'
import type { WindowTemplate } from '#shared/orgs/setting-fields.ts'
import type { OrgVariables } from '#shared/orgs/variables.ts'
import { isMarketingCategory } from '#shared/templates/words.ts'
import { hasSentSince } from './store.ts'

interface WindowTemplatesParts extends SendParts {
  readonly databases: Databases
  readonly writes: Pick<Writes, 'run'>
  readonly translator: ServerI18n['translator']
  readOrgVariables(orgId: string, db?: Db): Promise<OrgVariables>
  /** The template that the organization has chosen. */
  readWindowTemplate(orgId: string): Promise<WindowTemplate | null>
}

type Skipped = WindowTemplateReply['skipped'][number]

/** The longest window that an advertisement opens. */
const longestWindowMs = 3 * customerWindowMs

/** One for each end of a window. */
const keyOf = ({ id }: ListRow, closesAt: string): string => `window-${id}-${Date.parse(closesAt).toString(36)}`

/** Values of one part of the template: `body.1` is `1` of `body`. */
const valuesOf = (values: Readonly<Record<string, string>>, part: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([at, value]) =>
      at.startsWith(`${part}.`) ? [[at.slice(part.length + 1), value]] : [],
    ),
  )

/** Sends the organization's template to conversations whose window is about to close. */
export function createWindowTemplates(parts: WindowTemplatesParts): ServiceOf<typeof windowTemplatesApi, OrgCaller> {
  const { databases, writes, clock, translator } = parts

  /** The chosen values with the contact's facts in place of variables, each on one line as Meta requires. */
  const filledValues = async ({ db, orgId, by }: OrgWrite, row: ListRow, { values }: WindowTemplate) => {
    const facts = {
      ...fieldValues(await readFilled(db, orgId, row.contact_id)),
      'contacto.nombre': nameOf(row),
      'contacto.telefono': contactAddress(row),
      'agente.nombre': by.name ?? row.assignee_name ?? '',
      ...(await parts.readOrgVariables(orgId, db)),
      ultimo_mensaje: '',
    }
    const fill = (text: string) => fillIn(text, {}, facts, textMaxChars).replace(/\s+/g, ' ').trim()
    return Object.fromEntries(Object.entries(values).map(([at, text]) => [at, fill(text)]))
  }

  /** @throws TEMPLATES_NOT_FOUND, TEMPLATES_PAUSED, TEMPLATES_DISABLED, TEMPLATES_NOT_APPROVED */
  const readCategory = async (db: Db, orgId: string, { template, language }: WindowTemplate): Promise<string> => {
    const found = (await templateFreezing.findNamed(db, orgId, [template])).find(one => one.language === language)
    if (!found) throw templateErrors.NOT_FOUND()
    requireApproved(found)
    return found.category
  }

  const whySkipped = (row: ListRow, category: string): Skipped['why'] | undefined => {
    const leftMs = row.window_closes_at === null ? 0 : Date.parse(row.window_closes_at) - clock.now().getTime()
    if (leftMs <= 0 || leftMs > windowClosingMs) return 'notClosing'
    if (row.blocked_at !== null) return 'blocked'
    return row.opt_out !== null && isMarketingCategory(category) ? 'optedOut' : undefined
  }

  const sendTo = (caller: OrgCaller, id: string, chosen: WindowTemplate, category: string) =>
    writes.run(caller.orgId, actorOf(caller), async (write): Promise<Skipped['why'] | undefined> => {
      const [row] = await listSeenRows(write.db, caller, [id])
      const why = row ? whySkipped(row, category) : 'notClosing'
      if (why || !row?.window_closes_at) return why
      const clientKey = keyOf(row, row.window_closes_at)
      const since = new Date(Date.parse(row.window_closes_at) - longestWindowMs).toISOString()
      if (await hasSentSince(write.db, caller, { conversationId: id, since, clientKey })) return 'already'
      const values = await filledValues(write, row, chosen)
      const { 'header.media': image, 'header.fileName': name, ...texts } = values
      const body: SendMessage = {
        type: 'template',
        template: chosen.template,
        language: chosen.language,
        phones: [contactAddress(row)],
        bodyExample: valuesOf(texts, 'body'),
        headerExample: valuesOf(texts, 'header'),
        buttonExample: valuesOf(texts, 'buttons'),
        ...(image ? { image } : {}),
        ...(name ? { name } : {}),
        numberTel: id,
        isHuman: caller.kind === 'person',
        clientKey,
      }
      await sendMessage(write, caller, { body }, sayFailureFor(translator, caller.language), parts)
      return undefined
    })

  return {
    /**
     * Each conversation in a transaction of its own. @throws INBOX_NO_WINDOW_TEMPLATE, INBOX_CHAT_NOT_FOUND when none
     * exists, TEMPLATES_* when the template cannot be sent
     */
    async send(caller, { body }) {
      const db = databases.read
      const ids = [...new Set(body.ids)]
      const chosen = await parts.readWindowTemplate(caller.orgId)
      if (!chosen) throw inboxErrors.NO_WINDOW_TEMPLATE()
      const seen = new Set((await listSeenRows(db, caller, ids)).map(({ id }) => id))
      if (!seen.size) throw inboxErrors.CHAT_NOT_FOUND({ fields: ['body.ids'] })
      const category = await readCategory(db, caller.orgId, chosen)
      const say = translator(caller.language)
      const sent: string[] = []
      const skipped: Skipped[] = []
      for (const id of ids.filter(one => seen.has(one)))
        try {
          const why = await sendTo(caller, id, chosen, category)
          if (why) skipped.push({ id, why })
          else sent.push(id)
        } catch (error) {
          if (error instanceof InvalidInput) skipped.push({ id, why: 'values' })
          else if (error instanceof AppError && error.status < 500)
            skipped.push({ id, why: 'failed', message: say(`errors:${error.textCode}`, error.params) })
          else throw error
        }
      return { sent, skipped, missing: ids.filter(id => !seen.has(id)) }
    },
  }
}
