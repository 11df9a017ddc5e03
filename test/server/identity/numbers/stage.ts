import type { Test } from 'tap'
import { createNumbers, type NumbersParts } from '#server/identity/numbers/service.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { createCloudNumber } from '#server/whatsapp/cloud.ts'
import { createRegistrar } from '#server/whatsapp/management/registration.ts'
import { aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { fakeGraph } from '#test/helpers/graph.ts'
import { applyTo, composeOn, keepEvents } from '#test/helpers/inbox.ts'
import { aMessage, lucia } from '#test/helpers/items.ts'
import { keptLog } from '#test/helpers/log.ts'

export const token = 'EAAG-very-secret-token-0123456789'
export const body = {
  phoneNumberId: '106540352242922',
  wabaId: '102290129340398',
  accessToken: token,
  appSecret: 'the-app-secret-1',
}

/** The app that organizations share. */
const sharedApp = {
  META_APP_ID: '670843887433847',
  META_APP_SECRET: 'the-shared-app-secret',
  META_VERIFY_TOKEN: 'the-shared-verify-token',
}

/** The composed server without HTTP, at a fake Graph API. Nothing runs by itself. */
export const stage = async (t: Test, options: { sandbox?: boolean; signup?: boolean } = {}) => {
  const graph = await fakeGraph()
  t.teardown(() => graph.close())
  const databases = await freshDatabases()
  const clock = handClock()
  const log = keptLog()
  const env = {
    GRAPH_URL: graph.url,
    ...(options.sandbox === false ? { SANDBOX: 'off' } : {}),
    ...(options.signup ? sharedApp : {}),
  }
  const parts = composeOn(databases, clock, { env, log })
  const { numbers } = parts
  const { member, org } = await aMember({ databases })
  await parts.services.orgSettings.changeSettings(member, { body: { country: 'AR' } })
  const { events: published, notices } = keepEvents(parts, org.id)
  const way = { baseUrl: graph.url, version: 'v25.0' }
  /** The service again, with other parts. */
  const numbersWith = (more: Partial<NumbersParts> & { timeoutMs?: number }) =>
    createNumbers({
      ...parts,
      clientFor: facts =>
        createCloudNumber({ ...facts, ...way, ...(more.timeoutMs ? { timeoutMs: more.timeoutMs } : {}) }),
      registrarFor: facts => createRegistrar({ ...facts, ...way }),
      signup: undefined,
      readPhone: parts.readOrgPhone,
      failQueued: parts.outbox.failQueued,
      failureText: (code, language) => `${language}:${code}`,
      ...more,
    })
  const rows = () => databases.read.selectFrom('wa_connection').selectAll().execute()
  /** A customer writes to this number and is answered. Returns how the state of the answer, which waits, is read. */
  const queueFrom = async (phoneNumberId = body.phoneNumberId) => {
    clock.advance(1000)
    await applyTo(parts, org.id, [aMessage({ phoneNumberId, at: clock.now().toISOString() })])
    const { id } = await parts.services.inbox.sendMessage(member, {
      body: { message: 'Hola', numberTel: lucia.waId as string },
    })
    return async () =>
      (await databases.read.selectFrom('message').select('status').where('id', '=', id).executeTakeFirstOrThrow())
        .status
  }
  return {
    ...{ graph, databases, clock, log, parts, numbers, numbersWith, member, org },
    ...{ published, notices, rows, queueFrom },
  }
}

export const codeOf = async (call: Promise<unknown> | unknown) => {
  try {
    await call
    return 'no refusal'
  } catch (error) {
    return (error as { code: string }).code
  }
}

export const connect = async (
  s: Awaited<ReturnType<typeof stage>>,
  more: Partial<typeof body> & { verifyToken?: string } = {},
  member: Member = s.member,
) => s.numbers.connect(member, { body: { ...body, ...more } })
