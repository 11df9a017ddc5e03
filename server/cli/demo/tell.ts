import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listExamples } from '#server/whatsapp/kinds/registry.ts'
import type { Backend } from '#server/wiring.ts'
import { handleOf } from '#shared/templates/files.ts'
import { type CustomerKey, customers } from './customers.ts'
import { hoursFlow, orderFlow, surveyFlow } from './flows.ts'
import { createSends } from './sends.ts'
import { type Ids, importContacts, type Members } from './set-up.ts'
import type { TagKey, TeamKey } from './shop.ts'
import type { FlowKey, Step } from './steps.ts'
import { kindsInStory } from './story.ts'
import { holidayAfter, morningIn, type StoryClock } from './story-clock.ts'
import { type TemplateKey, templatesWith } from './templates.ts'

const pictureOf = (name: 'cake' | 'bread') => readFileSync(join(import.meta.dirname, `${name}.jpg`)).toString('base64')

const minuteMs = 60_000
export interface TellParts {
  readonly backend: Backend
  readonly clock: StoryClock
  readonly members: Members
  readonly teamIds: Ids<TeamKey>
  readonly tagIds: Ids<TagKey>
  readonly endMs: number
}

/** Lets things happen one after another, by calls and webhooks as in production. */
export async function createTeller({ backend, clock, members, teamIds, tagIds, endMs }: TellParts) {
  const { services } = backend
  const { inbox, notes, sandbox, snoozes, flows } = services
  const { luis } = members

  /** Waits until all work is done; each part may cause work for the next one. */
  const settle = async () => {
    for (let round = 0; round < 2; round += 1) {
      await backend.jobs.idle()
      await backend.derive.drain()
      await backend.jobs.idle()
    }
  }

  /** Our last answer to each customer and what the story named, as WhatsApp knows them. */
  const wamids = new Map<string, string>()
  const wamidOf = (who: CustomerKey, name: string | undefined) =>
    name === undefined ? undefined : wamids.get(name === 'last' ? `last ${who}` : name)
  const rememberAnswer = async (to: CustomerKey) => {
    const { items } = await sandbox.listOutbox(luis, { query: { to: customers[to].phone, limit: 1 } })
    if (items[0]) wamids.set(`last ${to}`, items[0].wamid)
  }
  const chatOf = (key: CustomerKey) => ({ params: { phone: customers[key].phone } })

  const templateIds = new Map<TemplateKey, string>()
  const picture = await backend.templateFiles.storeInline(luis.orgId, {
    name: 'torta.jpg',
    dataBase64: pictureOf('cake'),
    broughtBy: luis.userId,
  })
  const templates = templatesWith(handleOf(picture.id), holidayAfter(endMs))
  const sends = createSends({ backend, clock, members, tagIds, templateIds, picture: handleOf(picture.id), settle })

  const act = async (step: Extract<Step, { does: unknown }>) => {
    const { target, replyTo, ...action } = step.does
    const [targetWamid, replyToWamid] = [wamidOf(step.who, target), wamidOf(step.who, replyTo)]
    const { phone, name } = customers[step.who]
    const { wamid } = await sandbox.inbound(luis, {
      body: {
        from: phone,
        name,
        ...action,
        ...(step.shows && { dataBase64: pictureOf(step.shows) }),
        ...(targetWamid ? { targetWamid } : {}),
        ...(replyToWamid ? { replyToWamid } : {}),
      },
    })
    if (step.as && wamid) wamids.set(step.as, wamid)
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
  const say = async ({ by, to, says, offers, goesWrong }: Extract<Step, { says: unknown }>) => {
    const faults = { fails: '131026', isUnconfirmed: 'reset' } as const
    if (goesWrong) await sandbox.arm(luis, { body: { code: faults[goesWrong], count: 1 } })
    // Who answers in the thread has read it.
    await inbox.markRead(members[by], chatOf(to))
    const words = { message: says, numberTel: customers[to].phone }
    const button = offers && { buttons: offers.map(title => ({ title })) }
    await inbox.sendMessage(members[by], { body: button ? { ...words, type: 'button', button } : words })
    await settle()
    await rememberAnswer(to)
  }
  const submit = async (key: TemplateKey, status: 'APPROVED' | 'REJECTED') => {
    const { id } = await services.templates.create(luis, { body: { template: templates[key] } })
    templateIds.set(key, id)
    await settle()
    await sandbox.decideTemplate(luis, { params: { id }, body: { status } })
  }
  const makeFlow = async ({ by, makes, isPublished }: Extract<Step, { makes: FlowKey }>) => {
    const samples = { order: orderFlow(teamIds.counter), hours: hoursFlow, survey: surveyFlow }
    const { id, revision } = await flows.create(members[by], { body: samples[makes] })
    if (isPublished) await flows.publish(members[by], { params: { id }, body: { revision, note: 'Primera versión' } })
  }
  const happen = async (step: Step): Promise<unknown> => {
    if ('minutesAgo' in step) return clock.moveTo(endMs - step.minutesAgo * minuteMs)
    if ('taps' in step) return tap(step.who, step.taps)
    if ('does' in step) return act(step)
    if ('submits' in step) return submit(step.submits, step.verdict)
    if ('pauses' in step)
      return sandbox.decideTemplate(luis, {
        params: { id: templateIds.get(step.pauses) ?? '' },
        body: { status: 'PAUSED', quality: 'RED' },
      })
    if ('toMany' in step) return sends.send(step)
    if ('drafts' in step) return sends.draft(step)
    if ('makes' in step) return makeFlow(step)
    if ('sendsOthers' in step) {
      const numberTel = customers[step.to].phone
      for (const { body, kind } of listExamples())
        if (!kindsInStory.has(kind)) await inbox.sendMessage(members[step.by], { body: { ...body, numberTel } })
      return
    }
    if ('says' in step) return say(step)
    if ('learnsOf' in step) return importContacts(backend, members, step.learnsOf)
    if ('notes' in step) {
      const { name, userId } = members[step.calls]
      const body = { text: `@${name} ${step.text}`, mentions: [userId] }
      return notes.addNote(members[step.from], { ...chatOf(step.notes), body })
    }
    if ('assigns' in step) {
      const { assigns, from, to, team } = step
      const body = { ...(to && { userId: members[to].userId }), ...(team && { teamId: teamIds[team] }) }
      return inbox.assignChat(members[from], { ...chatOf(assigns), body })
    }
    if ('snoozes' in step) {
      const until = morningIn(endMs, step.untilDaysAhead, '09:00')
      return snoozes.snoozeChat(members[step.from], { ...chatOf(step.snoozes), body: { until } })
    }
    if ('reads' in step) return inbox.markRead(luis, chatOf(step.reads))
    return inbox.archiveChat(luis, { body: { phoneNumber: customers[step.archives].phone, archived: true } })
  }

  return {
    settle,
    async tell(steps: readonly Step[]) {
      for (const step of steps) {
        // Messages within the same second would have no order.
        if ('who' in step || 'by' in step) clock.moveTo(clock.now().getTime() + minuteMs)
        await happen(step)
        // Nothing else follows from the others, or they have waited themselves.
        if ('who' in step || 'submits' in step || 'pauses' in step || 'sendsOthers' in step || 'learnsOf' in step)
          await settle()
      }
    },
  }
}
