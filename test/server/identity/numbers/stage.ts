import type { Test } from 'tap'
import { createConnectionNotices } from '#server/identity/numbers/connection-notices.ts'
import { createNumbers, type NumbersParts } from '#server/identity/numbers/service.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createVault } from '#server/platform/crypto/secrets.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { createCloudNumber } from '#server/whatsapp/cloud.ts'
import { createEmbeddedSignup, createRegistrar } from '#server/whatsapp/registration.ts'
import { readPhone } from '#shared/kernel/phone-reader.ts'
import { aMember, testSecret } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { fakeGraph } from '#test/helpers/graph.ts'
import { keptLog } from '#test/helpers/log.ts'
import { eventWords, keptWrites } from '#test/helpers/writes.ts'

export const token = 'EAAG-very-secret-token-0123456789'
export const body = {
  phoneNumberId: '106540352242922',
  wabaId: '102290129340398',
  accessToken: token,
  appSecret: 'the-app-secret-1',
}

export const stage = async (t: Test, options: { sandbox?: boolean; timeoutMs?: number; signup?: boolean } = {}) => {
  const graph = await fakeGraph()
  t.teardown(() => graph.close())
  const databases = await freshDatabases()
  const clock = handClock()
  const log = keptLog()
  const writes = keptWrites({ databases, clock, log })
  const published = writes.published
  const given: string[] = []
  const alerts: unknown[] = []
  const bound: [string, string][] = []
  writes.listeners.inTransaction(
    createConnectionNotices({
      notifyRoles: async ({ orgId }, _roles, { words }) =>
        void alerts.push({ orgId, title: eventWords.notice(words).title }),
    }),
  )
  let provisioned = 0
  const way = { baseUrl: graph.url, version: 'v25.0' }
  const app = { appId: '670843887433847', appSecret: 'the-shared-app-secret' }
  const parts: NumbersParts = {
    databases,
    clock,
    ids: newId,
    log,
    vault: createVault(testSecret),
    writes,
    clientFor: facts =>
      createCloudNumber({ ...facts, baseUrl: graph.url, version: 'v25.0', timeoutMs: options.timeoutMs ?? 60_000 }),
    registrarFor: facts => createRegistrar({ ...facts, ...way }),
    signup: options.signup
      ? {
          ...createEmbeddedSignup({ ...way, ...app }),
          appSecret: app.appSecret,
          verifyToken: 'the-shared-verify-token',
        }
      : undefined,
    readPhone: async (_orgId, typed) => readPhone(typed, 'AR'),
    sandbox:
      options.sandbox === false
        ? undefined
        : {
            provision: async (_trx, orgId) => {
              provisioned += 1
              return {
                phoneNumberId: `7${orgId.replace(/\D/g, '').slice(0, 8)}${provisioned}`,
                wabaId: '8',
                phone: '5491100000001',
                verifiedName: 'Simulador',
                accessToken: 'sandbox-token-1',
                appSecret: 'sandbox-app-secret',
                verifyToken: 'sandbox-verify-token',
              }
            },
            bind: async (orgId, id) => void bound.push([orgId, id]),
          },
    failQueued: async (_write, connectionId) => void given.push(connectionId),
    failureText: (code, language) => `${language}:${code}`,
  }
  const numbers = createNumbers(parts)
  const { member, org } = await aMember({ databases })
  const rows = () => databases.read.selectFrom('wa_connection').selectAll().execute()
  return {
    graph,
    databases,
    clock,
    log,
    published,
    given,
    alerts,
    bound,
    numbers,
    parts,
    member,
    org,
    rows,
    provisioned: () => provisioned,
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
