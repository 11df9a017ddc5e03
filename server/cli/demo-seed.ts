import { sampleOf } from '#server/simulator/media/samples.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import { handleOf } from '#shared/templates/files.ts'
import { seesAll } from '../identity/visibility/scope.ts'
import { newId } from '../platform/crypto/ids.ts'
import { inTransaction } from '../platform/db/db.ts'
import type { Member } from '../platform/http/actor.ts'
import { listExamples } from '../whatsapp/kinds/registry.ts'
import type { Backend } from '../wiring.ts'
import { orderFlow } from './demo-flow.ts'
import {
  bakery,
  type CustomerKey,
  customers,
  type DemoPerson,
  kindsInStory,
  type PersonKey,
  people,
  type Step,
  story,
  type TemplateKey,
  templatesWith,
} from './demo-story.ts'

const hourMs = 3_600_000
const breathMs = 60_000

export interface DemoMember extends DemoPerson {
  readonly id: string
}

/** Fills an empty, listening installation: people directly, everything else by calls and webhooks as in production. */
export async function seedDemo(backend: Backend): Promise<readonly DemoMember[]> {
  const members = await plantPeople(backend)
  const { luis } = members
  await backend.services.numbers.connectSandbox(luis, {})
  await backend.services.sandbox.configure(luis, { body: { statusDelayMs: 0 } })
  await tell(backend, members)
  await plantTags(backend, luis.orgId)
  await backend.services.sandbox.configure(luis, { body: { statusDelayMs: usualDelayMs } })
  return Object.values(members).map(({ userId, name, email, role }) => ({ id: userId, name, email, role }))
}

/** Long enough for ticks to be seen changing. */
const usualDelayMs = 400

const plantPeople = async ({ databases, clock }: Backend): Promise<Readonly<Record<PersonKey, Member>>> => {
  const orgId = newId()
  const at = clock.now().toISOString()
  const entries = Object.entries(people).map(([key, person]) => ({ key, ...person, id: newId() }))
  await inTransaction(databases, async trx => {
    await trx
      .insertInto('organization')
      .values({ id: orgId, ...bakery, createdAt: at, logo: null, metadata: null })
      .execute()
    await trx
      .insertInto('user')
      .values(
        entries.map(({ key, id, name, email }) => ({
          id,
          name,
          email,
          emailVerified: 1,
          image: null,
          createdAt: at,
          updatedAt: at,
          role: key === 'luis' ? 'admin' : 'user',
          banned: 0,
          banReason: null,
          banExpires: null,
        })),
      )
      .execute()
    await trx
      .insertInto('member')
      .values(entries.map(({ id, role }) => ({ id: newId(), organizationId: orgId, userId: id, role, createdAt: at })))
      .execute()
  })
  const member = ({ key, id, name, email, role }: (typeof entries)[number]): [string, Member] => [
    key,
    {
      kind: 'person',
      userId: id,
      name,
      email,
      image: null,
      siteRole: 'user',
      sessionId: id,
      activeOrgId: orgId,
      language: 'es',
      orgId,
      orgSlug: bakery.slug,
      orgName: bakery.name,
      role: effectiveRole(role),
      scope: seesAll,
    },
  ]
  return Object.fromEntries(entries.map(member)) as Record<PersonKey, Member>
}

/** Waits until all work is done; each part may cause work for the next one. */
const settle = async (backend: Backend) => {
  for (let round = 0; round < 2; round += 1) {
    await backend.jobs.idle()
    await backend.derive.drain()
    await backend.jobs.idle()
  }
}

const tell = async (backend: Backend, members: Readonly<Record<PersonKey, Member>>) => {
  const { inbox, notes, sandbox } = backend.services
  const { luis } = members
  /** Our last answer to each customer and what the story named, as WhatsApp knows them. */
  const wamids = new Map<string, string>()
  const wamidOf = (who: CustomerKey, name: string | undefined) =>
    name === undefined ? undefined : wamids.get(name === 'last' ? `last ${who}` : name)

  const rememberAnswer = async (to: CustomerKey) => {
    const { items } = await sandbox.listOutbox(luis, { query: { to: customers[to].phone, limit: 1 } })
    if (items[0]) wamids.set(`last ${to}`, items[0].wamid)
  }
  const happen = async (step: Step): Promise<void> => {
    if ('hoursPass' in step) {
      await sandbox.moveClock(luis, { body: { advanceMs: step.hoursPass * hourMs } })
    } else if ('taps' in step) {
      await tap(step.who, step.taps)
    } else if ('who' in step) {
      const { target, replyTo, ...action } = step.does
      const [targetWamid, replyToWamid] = [wamidOf(step.who, target), wamidOf(step.who, replyTo)]
      const { phone, name } = customers[step.who]
      const { wamid } = await sandbox.inbound(luis, {
        body: {
          from: phone,
          name,
          ...action,
          ...(targetWamid ? { targetWamid } : {}),
          ...(replyToWamid ? { replyToWamid } : {}),
        },
      })
      if (step.as && wamid) wamids.set(step.as, wamid)
    } else if ('submits' in step) {
      await submit(step.submits, step.verdict)
    } else if ('toMany' in step) {
      await sendToMany(step)
    } else if ('publishes' in step) {
      await publish(members[step.by])
    } else if ('sendsOthers' in step) {
      const numberTel = customers[step.to].phone
      for (const { body, kind } of listExamples())
        if (!kindsInStory.has(kind)) await inbox.sendMessage(members[step.by], { body: { ...body, numberTel } })
    } else if ('by' in step) {
      const faults = { fails: '131026', isUnconfirmed: 'reset' } as const
      if (step.goesWrong) await sandbox.arm(luis, { body: { code: faults[step.goesWrong], count: 1 } })
      const words = { message: step.says, numberTel: customers[step.to].phone }
      const button = step.offers && { buttons: step.offers.map(title => ({ title })) }
      await inbox.sendMessage(members[step.by], { body: button ? { ...words, type: 'button', button } : words })
      await settle(backend)
      await rememberAnswer(step.to)
    } else if ('notes' in step) {
      const { name, userId } = members[step.calls]
      const body = { text: `@${name} ${step.text}`, mentions: [userId] }
      await notes.addNote(members[step.from], { params: { phone: customers[step.notes].phone }, body })
    } else if ('reads' in step) {
      await inbox.markRead(luis, { params: { phone: customers[step.reads].phone } })
    } else {
      await inbox.archiveChat(luis, { body: { phoneNumber: customers[step.archives].phone, archived: true } })
    }
    await settle(backend)
  }
  const templateIds = new Map<TemplateKey, string>()
  const dataBase64 = sampleOf('image').bytes.toString('base64')
  const picture = await backend.templateFiles.storeInline(luis.orgId, {
    name: 'torta.png',
    dataBase64,
    broughtBy: luis.userId,
  })
  const templates = templatesWith(handleOf(picture.id))
  const submit = async (key: TemplateKey, status: 'APPROVED' | 'PAUSED' | 'REJECTED') => {
    const { id } = await backend.services.templates.create(luis, { body: { template: templates[key] } })
    templateIds.set(key, id)
    await settle(backend)
    const quality = status === 'PAUSED' ? { quality: 'RED' as const } : {}
    await sandbox.decideTemplate(luis, { params: { id }, body: { status, ...quality } })
  }
  const tap = async (who: CustomerKey, title: string) => {
    const { phone, name } = customers[who]
    const { items } = await sandbox.getThread(luis, { params: { phone }, query: {} })
    const asked = items.findLast(({ choices }) => choices?.some(choice => choice.title === title))
    const choice = asked?.choices?.find(one => one.title === title)
    if (!asked || !choice) throw new Error(`Nothing offers ${name} "${title}"`)
    const chosen = { type: 'button_reply' as const, choiceId: choice.id, replyToWamid: asked.wamid }
    await sandbox.inbound(luis, { body: { from: phone, name, ...chosen } })
  }
  const publish = async (caller: Member) => {
    const { flows } = backend.services
    const { id, revision } = await flows.create(caller, { body: orderFlow })
    await flows.publish(caller, { params: { id }, body: { revision, note: 'Primera versión' } })
  }
  const sendToMany = async ({ by, toMany, alsoTo, template, inHours, firstTo }: Extract<Step, { toMany: unknown }>) => {
    const { bulkSends } = backend.services
    const caller = members[by]
    const numbers = [...toMany.map(key => customers[key].phone), ...alsoTo].join('\n')
    const values = { body: { 1: { from: 'firstName' as const, fallback: 'vecino' } } }
    const care = firstTo ? { canary: { people: firstTo, waitMinutes: 30 }, marketingCap: null } : {}
    const request = { template: templateIds.get(template) ?? '', audience: { numbers }, values, ...care }
    const { id } = await bulkSends.create(caller, { body: request })
    await settle(backend)
    if (inHours) {
      const startAt = new Date(backend.clock.now().getTime() + inHours * hourMs).toISOString()
      await bulkSends.schedule(caller, { params: { id }, body: { startAt } })
      return
    }
    await bulkSends.start(caller, { params: { id } })
    if (firstTo) return
    while ((await bulkSends.get(caller, { params: { id } })).state === 'running') await settle(backend)
  }

  for (const step of story) {
    // Messages within the same second would have no order.
    if ('who' in step || 'by' in step) await sandbox.moveClock(luis, { body: { advanceMs: breathMs } })
    await happen(step)
  }
}

/** Labels of the customers. */
const plantTags = async ({ databases, clock }: Backend, orgId: string) => {
  const at = clock.now().toISOString()
  const tagged = Object.values(customers)
  const tags = [...new Set(tagged.flatMap(customer => customer.tags))].map((label, hue) => ({
    id: newId(),
    label,
    hue,
  }))
  await inTransaction(databases, async trx => {
    await trx
      .insertInto('tag')
      .values(tags.map(tag => ({ ...tag, org_id: orgId, created_at: at })))
      .execute()
    const contacts = await trx.selectFrom('contact').select(['id', 'wa_id']).where('org_id', '=', orgId).execute()
    const links = tagged.flatMap(({ phone, tags: labels }) => {
      const contact = contacts.find(one => one.wa_id === phone)
      if (!contact) return []
      return tags
        .filter(({ label }) => (labels as readonly string[]).includes(label))
        .map(tag => ({ contact_id: contact.id, tag_id: tag.id, org_id: orgId }))
    })
    await trx.insertInto('contact_tag').values(links).execute()
  })
}
