import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'
import { createGraph, type GraphOptions } from '../graph/graph.ts'
import { AccountNumberList, CreatedReply, NumberName, SuccessReply, TokenReply, TokenTargets } from '../graph/wire.ts'
import { WhatsAppError } from '../provider.ts'
import { readWord } from '../templates/template-node.ts'

/** A number of an account, connected here or not. */
export interface AccountNumber {
  readonly id: string
  /** The owner has verified it with a code. */
  readonly isVerified: boolean
  /** The Cloud API, or the Business app, serves it. */
  readonly isRegistered: boolean
}

/** `isApproved`: customers may see the name. Null: not decided. */
interface NameFacts {
  readonly name: string | null
  readonly isApproved: boolean | null
}

export interface NumberNames {
  readonly current: NameFacts
  /** A requested name that is not in use yet. */
  readonly asked: NameFacts
}

type CodeWay = 'sms' | 'voice'

/**
 * The steps until a number of an account can be used: adding, verifying, registering, naming. Every call rejects with
 * `WhatsAppError` only, and does not retry.
 */
export interface NumberRegistrar {
  /** Finds a number by its digits in any spelling, or by id. */
  find(which: { phone: string } | { id: string }): Promise<AccountNumber | undefined>
  /** Returns its id. */
  add(number: { callingCode: string; national: string; name: string }): Promise<string>
  /** Meta sends a code to the number, in this language. */
  requestCode(id: string, how: { way: CodeWay; locale: string }): Promise<void>
  verifyCode(id: string, code: string): Promise<void>
  /** With the number's two-step verification PIN, existing or new. Registering also activates an approved name. */
  register(id: string, pin: string): Promise<void>
  namesOf(id: string): Promise<NumberNames>
  requestName(id: string, name: string): Promise<void>
}

/** Meta allows a few dozen numbers. */
const maxPages = 20
const listFields = 'id,display_phone_number,code_verification_status,status,is_on_biz_app'

const verdicts: Readonly<Record<string, boolean>> = {
  APPROVED: true,
  AVAILABLE_WITHOUT_REVIEW: true,
  DECLINED: false,
  EXPIRED: false,
}
const nameFacts = (name: string | undefined, status: string | undefined): NameFacts => ({
  name: name || null,
  isApproved: verdicts[readWord(status) ?? ''] ?? null,
})

/** @see Meta, "Business phone numbers", "Display names", "Registration" */
export function createRegistrar(options: GraphOptions & { wabaId: string }): NumberRegistrar {
  const graph = createGraph(options)
  const numbers = `/${encodeURIComponent(options.wabaId)}/phone_numbers`
  const node = (id: string, edge = '') => `/${encodeURIComponent(id)}${edge}`
  const tell = async (path: string, body: object) => {
    await graph.request({ call: 'number', method: 'POST', path, body, reply: SuccessReply })
  }

  return {
    async find(which) {
      const key = 'phone' in which ? phoneKey(which.phone) : undefined
      let after: string | undefined
      for (let page = 0; page < maxPages; page += 1) {
        const { data, paging } = await graph.request({
          call: 'number',
          method: 'GET',
          path: numbers,
          query: { fields: listFields, limit: '100', ...(after === undefined ? {} : { after }) },
          reply: AccountNumberList,
        })
        const found = data.find(one =>
          'id' in which ? one.id === which.id : phoneKey(digitsOf(one.display_phone_number ?? '')) === key,
        )
        if (found)
          return {
            id: found.id,
            isVerified: found.code_verification_status === 'VERIFIED',
            isRegistered: found.status === 'CONNECTED' || found.is_on_biz_app === true,
          }
        after = paging?.next === undefined ? undefined : paging.cursors?.after
        if (after === undefined) return undefined
      }
      return undefined
    },

    async add({ callingCode, national, name }) {
      const body = { cc: callingCode, phone_number: national, verified_name: name }
      return (await graph.request({ call: 'number', method: 'POST', path: numbers, body, reply: CreatedReply })).id
    },

    requestCode: (id, { way, locale }) =>
      tell(node(id, '/request_code'), { code_method: way.toUpperCase(), language: locale }),
    verifyCode: (id, code) => tell(node(id, '/verify_code'), { code }),
    register: (id, pin) => tell(node(id, '/register'), { messaging_product: 'whatsapp', pin }),

    async namesOf(id) {
      const fields = 'verified_name,name_status,new_display_name,new_name_status'
      const said = await graph.request({
        call: 'number',
        method: 'GET',
        path: node(id),
        query: { fields },
        reply: NumberName,
      })
      return {
        current: nameFacts(said.verified_name, said.name_status),
        asked: nameFacts(said.new_display_name, said.new_name_status),
      }
    },

    requestName: (id, name) => tell(node(id), { new_display_name: name }),
  }
}

/** Meta's page on which a business lets our app use its account. */
export interface EmbeddedSignup {
  /** Exchanges the page's code for a token of the business. A code can be used once. */
  exchange(code: string): Promise<string>
  /** The accounts that a token grants access to. */
  accountsOf(token: string): Promise<string[]>
}

const managing = 'whatsapp_business_management'

/** @see Meta, "Embedded Signup › Onboarding customers" */
export function createEmbeddedSignup(
  options: Omit<GraphOptions, 'accessToken' | 'appSecret'> & { appId: string; appSecret: string },
): EmbeddedSignup {
  const { appId, appSecret, ...way } = options
  const graph = createGraph({ ...way, accessToken: `${appId}|${appSecret}` })
  return {
    async exchange(code) {
      const query = { client_id: appId, client_secret: appSecret, code }
      const path = '/oauth/access_token'
      return (await graph.request({ call: 'number', method: 'GET', path, query, reply: TokenReply })).access_token
    },
    async accountsOf(token) {
      const query = { input_token: token }
      const { data } = await graph.request({
        call: 'number',
        method: 'GET',
        path: '/debug_token',
        query,
        reply: TokenTargets,
      })
      const ids = data.granular_scopes?.find(({ scope }) => scope === managing)?.target_ids ?? []
      if (!ids.length)
        throw new WhatsAppError({ code: '10', retry: 'credentials', message: 'the token is for no WhatsApp account' })
      return [...new Set(ids)]
    },
  }
}
